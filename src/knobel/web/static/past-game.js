/* A game that is over, as one line of a list; opened, it shows the ranking and everything that can be done with it. */

import { showToast } from "./dialogs.js";
import { h } from "./dom.js";
import { buildUnavailable, findMissing } from "./extras.js";
import { getFamily } from "./families.js";
import { findLinkBase } from "./invitation.js";
import { drawLook } from "./known-people.js";
import { formatNumber, formatSigned } from "./number-format.js";
import { followLink } from "./router.js";
import { formatMoment } from "./times.js";
import { getLanguage, t } from "./translations.js";

/**
 * Says in a few words how a game ended, for whoever looks back at it.
 * @param {PastGame} game
 */
export function describeResult({ seats, family }) {
  const own = seats.filter((seat) => seat.you);
  const [seat] = own;
  if (seats.length > 1 && own.length !== 1) return describeWinners(seats);
  const points = getFamily(family).hasPoints && t("past.points", { n: (seat ?? seats[0]).total });
  if (seats.length === 1) return points || t("past.over");
  const result = seat.place === 1 ? t("past.won") : t("past.placed", { place: seat.place, of: seats.length });
  return [result, points].filter(Boolean).join(" · ");
}

/** @param {PastSeat[]} seats */
function describeWinners(seats) {
  const winners = seats.filter((seat) => seat.place === 1);
  return winners.length ? t("past.winner", { name: winners.map((seat) => seat.name).join(", ") }) : t("past.over");
}

/**
 * Builds the line of a game.
 * @param {PastGame} game
 */
export function buildPastGame(game) {
  const { id, title, ended, seats } = game;
  return h(
    "details",
    { class: "paper past-game", "data-game": id },
    h(
      "summary",
      {},
      h(
        "span",
        { class: "past-words" },
        h("b", {}, title),
        h("small", {}, formatMoment(ended), " · ", seats.map((seat) => seat.name).join(", ")),
      ),
      h("span", { class: "past-result" }, describeResult(game)),
    ),
    buildRanking(game),
    h("p", { class: "past-luck" }, describeLuck(game)),
    game.has_moves && buildActions(game),
  );
}

/** @param {PastGame} game */
function describeLuck({ luck, lost, reviewed, imported, family }) {
  if (imported) return t("past.imported");
  if (luck === null || lost === null) return t(reviewed ? "past.unreviewed" : "past.pending");
  return t(getFamily(family).hasPoints ? "past.luck" : "past.luck_percent", {
    luck: formatSigned(luck),
    lost: formatNumber(lost),
  });
}

/** @param {PastGame} game */
function buildRanking({ seats, family }) {
  const sorted = [...seats].sort((one, other) => one.place - other.place);
  return h(
    "ol",
    { class: "past-ranking" },
    sorted.map((seat) =>
      h(
        "li",
        {},
        h("span", { class: "place" }, `${seat.place}.`),
        drawLook(seat),
        h("span", { class: "name" }, seat.name),
        getFamily(family).hasPoints && h("b", {}, String(seat.total)),
      ),
    ),
  );
}

/** @param {PastGame} game */
function buildActions({ id, title }) {
  const game = encodeURIComponent(id);
  const unprintable = findMissing("paper");
  const review = `/review/${game}`;
  /** @type {(hook: string, href: string) => HTMLElement} */
  const download = (hook, href) => h("a", { class: "button", "data-act": hook, href, download: "" }, t(`past.${hook}`));
  /** @type {(hook: string, href: string, kind?: string) => HTMLElement} */
  const link = (hook, href, kind = "button") =>
    h("a", { class: kind, "data-act": hook, href, onclick: (event) => followLink(event, href) }, t(`past.${hook}`));
  return h(
    "div",
    { class: "past-actions", role: "group", "aria-label": title },
    link("review", review, "button act"),
    link("check", `/check/${game}`),
    unprintable
      ? buildUnavailable("button", "print", t("past.print"), unprintable)
      : download("print", `/games/${game}.pdf?lang=${getLanguage()}`),
    download("record", `/games/${game}.knobel`),
    h(
      "button",
      { class: "button", "data-act": "copy-link", onclick: () => copyLink(`${findLinkBase()}${review}`) },
      t("past.copy"),
    ),
  );
}

/** @param {string} link */
async function copyLink(link) {
  try {
    await navigator.clipboard.writeText(link);
    showToast(t("past.copied"));
  } catch {
    showToast(link);
  }
}
