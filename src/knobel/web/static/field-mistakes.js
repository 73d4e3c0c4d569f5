/* Fields of a form and their mistakes: each is said beside its field, all at once; what was right stays as it is. */

import { findAll, h, setAttribute, setText } from "./dom.js";

/**
 * The place beside a field where its mistake is said.
 * @param {string} hook
 */
export function buildMistakePlace(hook) {
  return h("p", { class: "field-wrong", id: `wrong-${hook}`, "data-wrong": hook, role: "status" });
}

/**
 * Says these mistakes, by the names of their fields, and marks the fields; all others are right.
 * @param {HTMLElement} form
 * @param {Map<string, string>} mistakes
 */
export function showMistakes(form, mistakes) {
  for (const place of findAll(form, "[data-wrong]")) setText(place, mistakes.get(place.dataset.wrong ?? "") ?? "");
  for (const field of findAll(form, "[data-field]")) {
    const hook = field.dataset.field ?? "";
    setAttribute(field, "aria-invalid", mistakes.has(hook) ? "true" : null);
    setAttribute(field, "aria-describedby", mistakes.has(hook) ? `wrong-${hook}` : null);
  }
}

/**
 * Leads to the first mistake.
 * @param {HTMLElement} form
 */
export function focusMistake(form) {
  const place = findAll(form, "[data-wrong]").find((one) => one.textContent);
  const field = findAll(form, "[data-field]").find((one) => one.dataset.field === place?.dataset.wrong);
  (field ?? place?.parentElement?.querySelector("input"))?.focus();
}

/**
 * A field with its label, and the place for its mistake.
 * @param {string} label
 * @param {string} value
 * @param {(value: string) => void} typed
 * @param {string} hook
 * @param {Record<string, unknown>} [more]
 */
export function buildInput(label, value, typed, hook, more = {}) {
  return h(
    "div",
    { class: "make-field" },
    h(
      "label",
      { class: "choice" },
      h("span", {}, label),
      h("input", { value, "data-field": hook, oninput: (event) => typed(event.target.value), ...more }),
    ),
    buildMistakePlace(hook),
  );
}

/**
 * @param {string} label
 * @param {number} value
 * @param {(value: number) => void} typed
 * @param {string} hook
 */
export function buildNumber(label, value, typed, hook) {
  return buildInput(label, String(value), (text) => typed(Number.parseInt(text, 10) || 0), hook, {
    inputmode: "numeric",
    maxlength: 5,
  });
}
