/* The round of a tournament that is next or being played, and what its host does about it. */

import { askYesNo } from "./dialogs.js";
import { findAll, h, setText } from "./dom.js";
import { buildInvitation } from "./invitation.js";
import { buildNameField, isSameName } from "./player-list.js";
import { followLink } from "./router.js";
import { buildPairs } from "./tournament-view.js";
import { formatList, t } from "./translations.js";

const MAX_DIGITS = 6;

/**
 * The round that is next: who is there, who plays whom, and for the host the way to open it.
 * @param {TournamentView} view
 * @param {TournamentActs} acts
 * @returns {Child}
 */
export function buildNextRound(view, { change, enter }) {
  const { players, absent, next, is_host: isHost } = view;
  const number = view.played + 1;
  return [
    h("h2", {}, t("tournament.round", { n: number })),
    next.length > 0 ? buildPairs(players, next) : h("p", {}, t("tournament.nobody")),
    absent.length > 0 &&
      h("p", { class: "tournament-note" }, t("tournament.absent", { names: listNames(players, absent) })),
    isHost
      ? [buildAbsent(view, change), view.can_add && buildLatecomer(view, change)]
      : h("p", { class: "tournament-note" }, t("tournament.soon")),
    isHost &&
      h(
        "div",
        { class: "tournament-tools" },
        next.length > 0 &&
          h(
            "button",
            { class: "button act", "data-act": "open", onclick: () => change({ want: "open" }) },
            t("tournament.open", { n: number }),
          ),
        next.length > 0 && buildEnterButton(number, enter),
      ),
  ];
}

/**
 * The round that is being played: its room, and who is not there yet.
 * @param {TournamentView} view
 * @param {TournamentNow} current
 * @param {TournamentActs} acts
 * @returns {Child}
 */
export function buildCurrentRound(view, current, { change, enter }) {
  const { players, is_host: isHost } = view;
  const { room, code, missing, running } = current;
  const number = view.played + 1;
  const address = `/room/${encodeURIComponent(room ?? "")}`;
  return [
    h("h2", {}, t("tournament.round", { n: number })),
    buildPairs(players, current.pairs),
    room === null && h("p", { class: "wrong" }, t("tournament.room_gone")),
    room !== null && [
      h("p", {}, t(running ? "tournament.playing" : isHost ? "tournament.start_it" : "tournament.sit_down")),
      missing.length > 0 &&
        !running &&
        h("p", { class: "tournament-note" }, t("tournament.missing", { names: formatList(missing) })),
      h(
        "div",
        { class: "tournament-tools" },
        h(
          "a",
          { class: "button act", href: address, "data-act": "room", onclick: (event) => followLink(event, address) },
          t("tournament.to_room"),
        ),
      ),
      h("div", { class: "invite" }, buildInvitation({ id: room, code, host: isHost })),
    ],
    isHost &&
      h("div", { class: "tournament-tools" }, buildEnterButton(number, enter), buildCancelButton(number, change)),
  ];
}

/**
 * @param {string[]} players
 * @param {number[]} some
 */
function listNames(players, some) {
  return formatList(some.map((player) => players[player]));
}

/**
 * Lets the host say who is not there; the pairs follow at once.
 * @param {TournamentView} view
 * @param {TournamentActs["change"]} change
 */
function buildAbsent({ players, absent }, change) {
  /** @type {HTMLElement} */
  const box = h(
    "details",
    { class: "tournament-absent", "data-part": "absent" },
    h("summary", {}, t("tournament.who_absent")),
    h(
      "div",
      { class: "tournament-names" },
      players.map((name, player) =>
        h(
          "label",
          {},
          h("input", {
            type: "checkbox",
            checked: absent.includes(player),
            "data-field": `absent-${player}`,
            onchange: () => change({ want: "absent", players: listChecked(box) }),
          }),
          name,
        ),
      ),
    ),
  );
  return box;
}

/**
 * Lets the host add somebody who comes late.
 * @param {TournamentView} view
 * @param {TournamentActs["change"]} change
 */
function buildLatecomer({ players }, change) {
  const field = buildNameField(players, (name) => {
    const same = players.find((one) => isSameName(one, name));
    if (same) return t("family.taken", { name: same });
    return change({ want: "add", name });
  });
  return h("div", { class: "tournament-latecomer" }, h("p", {}, t("tournament.add_player")), field);
}

/** @param {HTMLElement} box */
function listChecked(box) {
  return findAll(box, "input").flatMap((input, player) =>
    input instanceof HTMLInputElement && input.checked ? [player] : [],
  );
}

/**
 * @param {number} number
 * @param {TournamentActs["enter"]} enter
 */
export function buildEnterButton(number, enter) {
  return h("button", { class: "quiet", "data-act": "enter", onclick: () => enter(number) }, t("tournament.by_hand"));
}

/**
 * @param {number} number
 * @param {TournamentActs["change"]} change
 */
function buildCancelButton(number, change) {
  const ask = async () => {
    const title = t("tournament.cancel_ask", { n: number });
    if (await askYesNo({ title, text: t("tournament.cancel_text"), harmful: true })) change({ want: "cancel" });
  };
  return h("button", { class: "quiet", "data-act": "cancel", onclick: ask }, t("tournament.cancel"));
}

/**
 * The form in which the host enters or corrects what everybody scored in a round.
 * @param {TournamentView} view
 * @param {number} number
 * @param {TournamentActs} acts
 */
export function buildTotalsForm(view, number, { change, close }) {
  const { players, results, current, next } = view;
  const round = results[number - 1];
  const all = round?.pairs ?? current?.pairs ?? next;
  // A bye needs no score.
  const met = all.filter((pair) => pair.length > 1);
  const pairs = met.length > 0 ? met : all;
  const paired = pairs.flat();
  const wrong = h("p", { class: "wrong", role: "alert" });
  /** @type {Map<number, HTMLInputElement>} */
  const fields = new Map(paired.map((player) => [player, buildTotal(player, round?.totals[player] ?? null)]));
  /** @type {(event: SubmitEvent) => unknown} */
  const save = (event) => {
    event.preventDefault();
    const typed = players.map((_, player) => fields.get(player)?.value.trim() ?? "");
    const odd = typed.findIndex((text) => !/^\d*$/.test(text));
    if (odd >= 0) return setText(wrong, t("tournament.no_number", { name: players[odd], text: typed[odd] }));
    if (!typed.some(Boolean)) return setText(wrong, t("tournament.no_totals"));
    setText(wrong, "");
    return change({ want: "totals", round: number, totals: typed.map((text) => (text ? Number(text) : null)) });
  };
  return h(
    "form",
    { class: "paper tournament-totals", "data-part": "totals", onsubmit: save },
    h("h2", {}, t("tournament.results_of", { n: number })),
    h("p", { class: "tournament-note" }, t("tournament.empty")),
    h(
      "div",
      { class: "tournament-names" },
      pairs.map((pair) =>
        h(
          "div",
          { class: "tournament-pair", role: "group", "aria-label": listNames(players, pair) },
          pair.map((player) => h("label", {}, players[player], fields.get(player))),
        ),
      ),
    ),
    wrong,
    h(
      "div",
      { class: "tournament-tools" },
      h("button", { class: "button act", "data-act": "save" }, t("tournament.save")),
      h("button", { class: "button", type: "button", "data-act": "close", onclick: close }, t("tournament.back")),
    ),
  );
}

/**
 * @param {number} player
 * @param {number | null} total
 */
function buildTotal(player, total) {
  return h("input", {
    type: "text",
    inputmode: "numeric",
    maxlength: MAX_DIGITS,
    value: total === null ? "" : String(total),
    "data-field": `total-${player}`,
  });
}
