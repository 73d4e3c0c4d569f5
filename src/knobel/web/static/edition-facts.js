/* What is special about an edition, and what house rules change. */

import { h } from "./dom.js";
import { getFamily } from "./families.js";
import { formatDecimal, formatList, t } from "./translations.js";

const MAX_LISTED_LANGUAGES = 4;

/**
 * Says what is special about an edition, and in which languages it is printed.
 * @param {EditionCard} card
 */
export function describeEdition(card) {
  const names = card.texts.map((one) => one.name);
  const few = names.length <= MAX_LISTED_LANGUAGES;
  return h(
    "div",
    { class: "about" },
    h(
      "ul",
      {},
      [getFamily(card.family).describeFacts(card), card.players, ...card.special].map((one) => h("li", {}, one)),
    ),
    describeDifferences(card),
    !card.house_rules &&
      (few
        ? h("p", {}, t("home.printed", { languages: formatList(names) }))
        : h(
            "details",
            { class: "languages" },
            h("summary", {}, t("home.languages", { n: names.length })),
            h("p", {}, names.join(", ")),
          )),
  );
}

/**
 * Says of house rules what they play differently from the edition they build on, and what perfect play expects.
 * @param {Pick<EditionCard, "base" | "differences" | "notes" | "par">} card
 */
export function describeDifferences({ base, differences = [], notes = [], par = null }) {
  return [
    differences.length > 0 &&
      h(
        "details",
        { class: "differs", "data-differs": "" },
        h("summary", {}, t("home.differs", { title: base })),
        h(
          "dl",
          {},
          differences.map(({ topic, printed, here }) => [
            h("dt", {}, topic),
            h("dd", { class: "printed" }, printed),
            h("dd", {}, here),
          ]),
        ),
      ),
    notes.map((note) => h("p", { class: "note" }, note)),
    par !== null && h("p", {}, t("home.par", { par: formatDecimal(par) })),
  ];
}
