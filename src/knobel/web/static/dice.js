/* Dice: their faces, how they tumble, and what they are called. */

import { h, setAttribute, setText } from "./dom.js";
import { prefs } from "./prefs.js";
import { t } from "./translations.js";

const MOST_PIPS = 6;
const TUMBLE_MS = { full: 600, short: 200, off: 0 };

// How long dice tumble here, in milliseconds.
export function tumbleDuration() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : TUMBLE_MS[prefs.get("motion")] ?? 0;
}

// One die on the tray: a button that is made once and redrawn in place.
export class Die {
  constructor(place, tapped) {
    this.place = place;
    this.pips = Array.from({ length: MOST_PIPS }, () => h("i"));
    this.digit = h("b");
    this.label = h("em");
    this.element = h("button", { class: "die", type: "button", "data-die": place, onclick: () => tapped(place) }, this.pips, this.digit, this.label);
  }

  // Draws what the die shows; state is {value, faces, kept, locked, off, entering}.
  draw(state) {
    this.state = state;
    const { value, kept, locked, off, entering } = state;
    this.showFace(value);
    const list = this.element.classList;
    list.toggle("kept", kept);
    list.toggle("locked", locked);
    list.toggle("entering", Boolean(entering));
    setText(this.label, locked ? t("tray.stays") : kept ? t("tray.kept") : "");
    setAttribute(this.element, "aria-pressed", value && !entering ? String(kept) : null);
    setAttribute(this.element, "aria-disabled", off || locked ? "true" : null);
    setAttribute(this.element, "tabindex", value || entering ? "0" : "-1");
    setAttribute(this.element, "aria-label", this.describe(value, kept, locked));
  }

  describe(value, kept, locked) {
    const n = this.place + 1;
    if (!value) return t("die.blank", { place: n });
    return t(locked ? "die.stays" : kept ? "die.kept" : "die.shows", { place: n, value });
  }

  // Shows a face, as pips or as a digit.
  showFace(value) {
    const digits = prefs.get("faces") === "digits" || prefs.get("view") === "children" || this.state.faces > MOST_PIPS;
    const list = this.element.classList;
    for (let face = 1; face <= MOST_PIPS; face++) list.toggle(`f${face}`, !digits && face === value);
    list.toggle("blank", !value);
    list.toggle("digits", digits);
    this.pips.forEach((pip, place) => { pip.hidden = digits || !value || place >= value; });
    this.digit.hidden = !digits || !value;
    setText(this.digit, digits && value ? String(value) : "");
  }

  // Tumbles and settles on the face it shows.
  tumble(long) {
    const spin = (Math.random() < 0.5 ? -1 : 1) * (260 + Math.random() * 200);
    const drift = (Math.random() - 0.5) * 26;
    this.element.animate([
      { transform: `translate(${drift * 2}px, 46px) rotate(${spin}deg) scale(.86)` },
      { transform: `translate(${drift}px, -20px) rotate(${spin * 0.35}deg) scale(1.06)`, offset: 0.45 },
      { transform: `translate(${drift / 3}px, 3px) rotate(${-spin * 0.04}deg)`, offset: 0.8 },
      { transform: "none" },
    ], { duration: long * (0.85 + Math.random() * 0.15), easing: "ease-out" });
    clearInterval(this.flickerTimer);
    const until = performance.now() + long * 0.55;
    this.flickerTimer = setInterval(() => {
      if (performance.now() < until) return this.showFace(1 + Math.floor(Math.random() * this.state.faces));
      clearInterval(this.flickerTimer);
      this.showFace(this.state.value);
    }, 70);
  }
}
