/* What would have been better: the costliest choices first in sight, all of them on request. */

import { h, setAttribute, setText } from "./dom.js";
import { formatLoss } from "./number-format.js";
import { t } from "./translations.js";

/** How many are shown at once; more would bury the rest of a page on a phone. */
const MOST_SHOWN = 4;

/**
 * Lists every choice that was worse than fine, in the order of the game; each leads to its position.
 * @param {Decision[]} mistakes
 * @param {(one: Decision) => string} describeWhen
 * @param {(one: Decision) => void} jump
 * @param {string} unit What the figures count.
 */
export function buildMistakeList(mistakes, describeWhen, jump, unit) {
  const costliest = new Set([...mistakes].sort((one, other) => other.loss - one.loss).slice(0, MOST_SHOWN));
  const lines = mistakes.map((one) => buildMistake(one, describeWhen(one), jump, unit));
  const others = lines.filter((_, place) => !costliest.has(mistakes[place]));
  return h(
    "section",
    { class: "paper mistakes", "aria-labelledby": "mistakes" },
    h("h2", { id: "mistakes" }, t("review.better")),
    !mistakes.length && h("p", {}, t("review.nothing_better")),
    h("ol", {}, lines),
    others.length > 0 && buildFold(others, mistakes.length),
  );
}

/**
 * Shows or hides the others.
 * @param {HTMLElement[]} others
 * @param {number} all
 */
function buildFold(others, all) {
  /** @type {HTMLButtonElement} */
  const button = h("button", {
    class: "button",
    type: "button",
    "data-act": "all-mistakes",
    onclick: () => fold(!others[0].hidden),
  });
  /** @type {(isFolded: boolean) => void} */
  const fold = (isFolded) => {
    for (const one of others) one.hidden = isFolded;
    setAttribute(button, "aria-expanded", String(!isFolded));
    setText(button, isFolded ? t("review.all", { n: all }) : t("review.costliest", { n: MOST_SHOWN }));
  };
  fold(true);
  return button;
}

/**
 * @param {Decision} one
 * @param {string} when
 * @param {(one: Decision) => void} jump
 * @param {string} unit
 */
function buildMistake(one, when, jump, unit) {
  return h(
    "li",
    {},
    h(
      "button",
      { class: "mistake", type: "button", "data-event": one.event, onclick: () => jump(one) },
      h("b", {}, t(`review.cost_${unit}`, { n: formatLoss(one.loss) })),
      h(
        "span",
        { class: "what" },
        h("span", { class: "to-win", "data-win-of": one.event }),
        h("span", { class: "when" }, when),
        h("span", { class: "moves" }, t("review.moves", { played: one.played, best: one.best })),
        one.why && h("q", {}, one.why),
      ),
    ),
  );
}
