/* Draws a tournament: its standings, who is compared with whom, and the results of its rounds. */

import { h } from "./dom.js";
import { formatList, t } from "./translations.js";

/**
 * The standings; between two rounds the host changes a name by pressing it.
 * @param {TournamentView} view
 * @param {TournamentActs} acts
 */
export function buildStandings({ players, played, standings, current, is_host: isHost }, { rename }) {
  const heads = ["points", "buchholz", "difference", "total"];
  return h(
    "section",
    { class: "paper tournament-standings", "data-part": "standings" },
    h("h2", {}, t("tournament.standings")),
    h(
      "table",
      { class: "tournament-table" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, h("span", { class: "unseen" }, t("tournament.place"))),
          h("th", { scope: "col" }, t("tournament.player")),
          heads.map((head) => h("th", { scope: "col", class: "number" }, t(`tournament.${head}`))),
        ),
      ),
      h(
        "tbody",
        {},
        standings.map((one) =>
          h(
            "tr",
            { "data-player": one.player, class: played > 0 && one.place === 1 ? "leader" : null },
            h("td", { class: "place" }, `${one.place}.`),
            h(
              "th",
              { scope: "row" },
              isHost && !current ? buildNameButton(players, one.player, rename) : players[one.player],
            ),
            [one.points, one.buchholz, formatDifference(one.difference), one.total].map((value) =>
              h("td", { class: "number" }, value),
            ),
          ),
        ),
      ),
    ),
    h("p", { class: "tournament-note" }, t("tournament.counted")),
  );
}

/**
 * @param {string[]} players
 * @param {number} player
 * @param {TournamentActs["rename"]} rename
 */
function buildNameButton(players, player, rename) {
  return h(
    "button",
    {
      class: "quiet tournament-name",
      title: t("lobby.rename"),
      "data-act": `rename-${player}`,
      onclick: () => rename(player),
    },
    players[player],
  );
}

/**
 * A difference of scores has a sign, unless there is none.
 * @param {number} difference
 */
function formatDifference(difference) {
  return difference < 0 ? `−${-difference}` : difference > 0 ? `+${difference}` : "0";
}

/**
 * Who is compared with whom.
 * @param {string[]} players
 * @param {TournamentPair[]} pairs
 */
export function buildPairs(players, pairs) {
  return h(
    "ol",
    { class: "tournament-pairs" },
    pairs.map((pair) => {
      const [first, second] = pair.map((player) => players[player]);
      return second === undefined
        ? h("li", { class: "bye" }, t("tournament.bye", { name: first }))
        : h("li", {}, h("span", {}, first), h("span", { class: "against" }, "–"), h("span", {}, second));
    }),
  );
}

/**
 * The results of one round; a better score is the bolder one.
 * @param {TournamentView} view
 * @param {number} number From 1.
 */
export function buildResults({ players, results }, number) {
  const round = results[number - 1];
  return [
    h(
      "ul",
      { class: "tournament-results" },
      round.pairs.map((pair, place) => buildPairResult(pair, round.points[place], round, players)),
    ),
    round.strangers.length > 0 &&
      h("p", { class: "wrong" }, t("tournament.strangers", { names: formatList(round.strangers) })),
    round.corrected.length > 0 && h("p", { class: "tournament-note" }, `* ${t("tournament.corrected")}`),
    round.game &&
      h(
        "a",
        { class: "quiet", href: `/review/${encodeURIComponent(round.game)}`, "data-act": "review" },
        t("tournament.review"),
      ),
  ];
}

/**
 * @param {TournamentPair} pair
 * @param {number[]} points
 * @param {TournamentRound} round
 * @param {string[]} players
 */
function buildPairResult(pair, points, { totals, corrected }, players) {
  if (pair.length === 1) return h("li", { class: "bye" }, t("tournament.bye", { name: players[pair[0]] }));
  const best = Math.max(...points);
  return h(
    "li",
    {},
    pair.map((player, place) =>
      h(
        "span",
        { class: points[place] === best && best > 0 ? "side best" : "side" },
        h("span", { class: "name" }, players[player]),
        h("span", { class: "number" }, totals[player] ?? t("tournament.no_score"), corrected.includes(player) && " *"),
      ),
    ),
  );
}
