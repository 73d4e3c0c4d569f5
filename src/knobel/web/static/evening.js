/* An evening: how its games are counted, what they brought everybody, and what can be printed of it. */

import { h } from "./dom.js";
import { buildUnavailable, findMissing } from "./extras.js";
import { formatList, getLanguage, t } from "./translations.js";

// With more games the table would be wider than a phone.
const MAX_NAMED_GAMES = 3;

/** @typedef {{ name: string, handicap?: number }} EveningSeat */

/**
 * Names how games are counted; nothing is agreed: as the rules say.
 * @param {Wire.SeriesView["standing"]} standing
 */
export function nameStanding(standing) {
  if (standing === "sum") return t("evening.by_sum");
  if (standing === "places") return t("evening.by_places");
  return standing === "wins" ? t("evening.by_wins") : t("evening.by_rules");
}

/**
 * Whether a table of the games says something: several were agreed on, and one is over.
 * @param {Wire.SeriesView} series
 */
export function hasGames({ games, totals }) {
  return games > 1 && totals.length > 0;
}

/**
 * Says who won the evening, once its last game is over.
 * @param {readonly EveningSeat[]} seats
 * @param {Wire.SeriesView} series
 */
export function describeWinners(seats, { games, next, places }) {
  if (games < 2 || next || !places?.length) return null;
  const names = formatList(places[0].map((seat) => seats[seat].name));
  return h("p", { class: "evening-won" }, t("end.evening_won", { names }));
}

/**
 * The games of an evening so far, and what they add up to where they are counted together; the server has it all.
 * @param {readonly EveningSeat[]} seats
 * @param {Wire.SeriesView} series
 */
export function buildSeriesTable(seats, series) {
  const { games, totals, played, scores, places, standing } = series;
  const order = places?.flat() ?? [...seats.keys()];
  const unknown = totals.length - played.length;
  const mixed = new Set(played.map((one) => one.edition)).size > 1;
  const handicaps = scores !== null && seats.some((one) => one.handicap);
  return h(
    "table",
    { class: "series", tabindex: "0" },
    h("caption", {}, t("end.evening", { number: totals.length, games })),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col" }, h("span", { class: "unseen" }, t("player.player"))),
        totals.map((_, game) =>
          h(
            "th",
            { scope: "col" },
            buildGameHead(game + 1, totals.length),
            mixed && h("small", {}, played[game - unknown]?.title ?? ""),
          ),
        ),
        handicaps && h("th", { scope: "col" }, t("evening.handicap")),
        scores && h("th", { scope: "col" }, standing === "sum" ? t("end.sum") : nameStanding(standing)),
      ),
    ),
    h(
      "tbody",
      {},
      order.map((seat) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, seats[seat].name),
          totals.map((game, number) => h("td", {}, describeResult(game[seat], played[number - unknown], seat))),
          handicaps && h("td", {}, seats[seat].handicap ? `+${seats[seat].handicap}` : ""),
          scores && h("td", { class: "sum" }, String(scores[seat])),
        ),
      ),
    ),
  );
}

/**
 * What a game brought a seat: points, or the place where there are no points.
 * @param {number | undefined} total
 * @param {Wire.EveningGameView | undefined} game
 * @param {number} seat
 */
function describeResult(total, game, seat) {
  if (game && !game.places[seat]) return "–";
  if (game && !game.has_points) return `${game.places[seat]}.`;
  return String(total ?? "");
}

/**
 * The head of a game's column: where there are many, its number alone is to be seen.
 * @param {number} number
 * @param {number} count
 */
function buildGameHead(number, count) {
  const name = t("end.game", { number });
  if (count <= MAX_NAMED_GAMES) return name;
  return [h("span", { "aria-hidden": "true" }, String(number)), h("span", { class: "unseen" }, name)];
}

/**
 * Opens all games on one sheet; nothing where games have no sheet.
 * @param {Wire.RoomView} room
 * @param {string} style
 */
export function buildSheetButton({ id, series }, style) {
  if (!hasGames(series) || !series.played.at(-1)?.has_points) return null;
  return h(
    "button",
    {
      class: style,
      "data-act": "evening-sheet",
      onclick: () => import("./evening-sheet.js").then((sheet) => sheet.openEveningSheet(id)),
    },
    t("evening.sheet"),
  );
}

/**
 * The certificate, once the evening is over.
 * @param {Wire.RoomView} room
 * @param {string} style
 */
export function buildCertificateLink({ id, series }, style) {
  if (!hasGames(series) || series.next) return null;
  const missing = findMissing("paper");
  if (missing) return buildUnavailable(style, "certificate", t("evening.certificate"), missing);
  const href = `/rooms/${encodeURIComponent(id)}/certificate.pdf?lang=${getLanguage()}`;
  return h("a", { class: style, "data-act": "certificate", href, download: "" }, t("evening.certificate"));
}
