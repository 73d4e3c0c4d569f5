/* Parts of a page that are filled anew only where what they show has changed. */

import { setChildren } from "./dom.js";

// Fields whose input is not sent at once and must survive a redraw; everything else shows the room.
const UNSENT_FIELDS = ["name", "bot"];

// Fills the parts of one page; elements are by name.
export class PartRenderer {
  constructor(elements) {
    this.elements = elements;
    this.keys = new Map();
  }

  // Fills a part with what build() gives, if what it depends on has changed; without an element, build() does it all.
  draw(name, value, build) {
    const key = JSON.stringify(value);
    if (this.keys.get(name) === key) return;
    this.keys.set(name, key);
    const children = build();
    if (this.elements[name]) refill(this.elements[name], children);
  }

  // What a part was last drawn for, or null.
  lastValue(name) {
    return JSON.parse(this.keys.get(name) ?? "null");
  }

  forget(name) {
    this.keys.delete(name);
  }
}

// Fills a part anew; what was typed or chosen in it stays, and the focus stays on the same thing or goes to the next.
function refill(part, children) {
  const active = part.contains(document.activeElement) ? document.activeElement : null;
  const held = active && { ...active.dataset };
  const unsent = UNSENT_FIELDS.map((field) => [field, part.querySelector(`[data-field=${field}]`)?.value]);
  setChildren(part, children);
  for (const [field, value] of unsent) {
    const now = value && part.querySelector(`input[data-field=${field}], [data-field=${field}]:has([value=${JSON.stringify(value)}])`);
    if (now) now.value = value;
  }
  if (!held) return;
  const all = [...part.querySelectorAll("button:not(:disabled), input, select")];
  const same = all.find((one) => Object.keys(held).length > 0 && Object.entries(held).every(([key, value]) => one.dataset[key] === value));
  (same ?? all[0] ?? document.getElementById("page")).focus({ preventScroll: true });
}
