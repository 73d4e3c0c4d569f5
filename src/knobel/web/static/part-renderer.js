/* Parts of a page that are filled anew only where what they show has changed. */

import { findAll, getFocused, getPart, setChildren } from "./dom.js";

// Fields whose input is not sent at once and must survive a redraw; everything else shows the room.
const UNSENT_FIELDS = ["name", "bot"];

// Fills the parts of one page; elements are by name.
export class PartRenderer {
  /** @type {Map<string, string>} */
  keys;

  /** @param {Record<string, HTMLElement>} elements */
  constructor(elements) {
    this.elements = elements;
    this.keys = new Map();
  }

  /**
   * Fills a part with what build() gives, if what it depends on has changed; without an element, build() does it all.
   * @param {string} name
   * @param {unknown} value
   * @param {() => Child | object} build
   */
  draw(name, value, build) {
    const key = JSON.stringify(value);
    if (this.keys.get(name) === key) return;
    this.keys.set(name, key);
    const children = build();
    if (this.elements[name]) refill(this.elements[name], /** @type {Child} */ (children));
  }

  /**
   * What a part was last drawn for, or null.
   * @param {string} name
   * @returns {unknown}
   */
  lastValue(name) {
    return JSON.parse(this.keys.get(name) ?? "null");
  }

  /** @param {string} name */
  forget(name) {
    this.keys.delete(name);
  }
}

/**
 * Fills a part anew; what was typed or chosen in it stays, and the focus stays on the same thing or goes to the next.
 * @param {HTMLElement} part
 * @param {Child} children
 */
function refill(part, children) {
  const active = part.contains(document.activeElement) ? getFocused() : null;
  const held = active && { ...active.dataset };
  const unsent = UNSENT_FIELDS.map((field) => ({ field, value: findField(part, `[data-field=${field}]`)?.value }));
  setChildren(part, children);
  for (const { field, value } of unsent) {
    if (!value) continue;
    const same = `input[data-field=${field}], [data-field=${field}]:has([value=${JSON.stringify(value)}])`;
    const now = findField(part, same);
    if (now) now.value = value;
  }
  if (!held) return;
  const all = findAll(part, "button:not(:disabled), input, select");
  const same = all.find(
    (one) => Object.keys(held).length > 0 && Object.entries(held).every(([key, value]) => one.dataset[key] === value),
  );
  (same ?? all[0] ?? getPart("page")).focus({ preventScroll: true });
}

/**
 * @param {HTMLElement} part
 * @param {string} selector
 */
function findField(part, selector) {
  const found = part.querySelector(selector);
  return found instanceof HTMLInputElement || found instanceof HTMLSelectElement ? found : null;
}
