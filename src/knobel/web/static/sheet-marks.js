/* The marks of entries: played against the rules, or corrected; and what they mean. */

import { h, setChildren } from "./dom.js";
import { t } from "./translations.js";

/** @type {("against_rules" | "corrected")[]} */
export const MARKS = ["against_rules", "corrected"];

/**
 * Says what the marks in the columns mean, where there are some.
 * @param {HTMLElement} legend
 * @param {SheetSeat[]} seats
 */
export function drawLegend(legend, seats) {
  const found = MARKS.filter((kind) => seats.some((seat) => seat[kind]?.length));
  legend.hidden = !found.length;
  const key = found.join();
  if (legend.dataset.kinds === key) return;
  legend.dataset.kinds = key;
  setChildren(
    legend,
    found.map((kind) =>
      h("span", {}, h("i", { class: markClass(kind), "aria-hidden": "true" }, "12"), " ", t(`table.note.${kind}`)),
    ),
  );
}

/** @param {string} mark */
export function markClass(mark) {
  return mark.replace("_", "-");
}
