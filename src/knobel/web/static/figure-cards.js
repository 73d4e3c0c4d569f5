/* Figures as a list: what it is, how much it is, and what stands beside it, as perfect play does. */

import { h } from "./dom.js";
import { followLink } from "./router.js";
import { t } from "./translations.js";

/**
 * Builds a list of figures; those without a value are left out.
 * @param {string} title
 * @param {(Figure | null | undefined | false)[]} figures
 */
export function buildFigures(title, figures) {
  const shown = figures.filter((one) => one && one.value !== null);
  return (
    shown.length > 0 &&
    h(
      "dl",
      { class: "figures", "aria-label": title },
      shown.map((one) => one && buildFigure(one)),
    )
  );
}

/** @param {Figure} figure */
function buildFigure({ name, label, value, beside, perfect, game }) {
  return h(
    "div",
    { class: "paper figure", "data-figure": name },
    h("dt", {}, label),
    h("dd", { class: "figure-value" }, game ? buildGameLink(game, value ?? "") : value),
    beside && h("dd", { class: "figure-beside" }, beside),
    typeof perfect === "string" && h("dd", { class: "figure-perfect" }, t("stats.perfect_is", { value: perfect })),
  );
}

/**
 * A figure that was scored in one game leads there.
 * @param {string} game
 * @param {string} text
 */
export function buildGameLink(game, text) {
  const address = `/review/${encodeURIComponent(game)}`;
  return h(
    "a",
    { class: "figure-link", href: address, "data-game": game, onclick: (event) => followLink(event, address) },
    text,
  );
}
