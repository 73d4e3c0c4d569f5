/* Dice: their faces, how they tumble, and what they are called. */

import { h, setAttribute, setText } from "./dom.js";
import { prefs } from "./prefs.js";
import { t } from "./translations.js";

const MOST_PIPS = 6;
const PIP_PLACES = 7;
const TUMBLE_MS = { full: 600, short: 200, off: 0 };
const MOST_TILT = 7;

// How long dice tumble here, in milliseconds.
export function tumbleDuration() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : (TUMBLE_MS[prefs.get("motion")] ?? 0);
}

// One die on the tray: a button that is made once and redrawn in place.
export class Die {
  /** @type {Animation | undefined} */
  animation;
  /** @type {DieState} */
  state;

  /**
   * @param {number} place
   * @param {(place: number) => void} tapped
   */
  constructor(place, tapped) {
    this.place = place;
    const pips = Array.from({ length: PIP_PLACES }, () => h("i"));
    this.digit = h("b");
    this.label = h("em");
    this.element = h(
      "button",
      { class: "die", type: "button", "data-die": place, onclick: () => tapped(place) },
      pips,
      this.digit,
      this.label,
    );
  }

  /**
   * Draws what the die shows; lying is what it showed last, until it is rolled again.
   * @param {DieState} state
   */
  draw(state) {
    this.state = state;
    const { value, kept, locked, off, entering, lying } = state;
    this.showFace(value || (entering ? 0 : (lying ?? 0)));
    this.element.classList.toggle("blank", !value);
    const list = this.element.classList;
    list.toggle("kept", kept);
    list.toggle("locked", locked);
    list.toggle("entering", Boolean(entering));
    list.toggle("lying", !value && Boolean(lying) && !entering);
    setText(this.label, locked ? t("tray.stays") : kept ? t("tray.kept") : "");
    setAttribute(this.element, "aria-pressed", value && !entering ? String(kept) : null);
    setAttribute(this.element, "aria-disabled", off || locked ? "true" : null);
    setAttribute(this.element, "tabindex", value || entering ? "0" : "-1");
    setAttribute(this.element, "aria-label", this.describe(value, kept, locked));
  }

  /**
   * @param {number} value
   * @param {boolean} kept
   * @param {boolean} locked
   */
  describe(value, kept, locked) {
    const n = this.place + 1;
    if (!value) return t("die.blank", { place: n });
    return t(locked ? "die.stays" : kept ? "die.kept" : "die.shows", { place: n, value });
  }

  /**
   * Shows a face, as pips or as a digit; by classes of the die alone, as it is done many times while it tumbles.
   * @param {number} value
   */
  showFace(value) {
    const digits = prefs.get("faces") === "digits" || prefs.get("view") === "children" || this.state.faces > MOST_PIPS;
    const list = this.element.classList;
    for (let face = 1; face <= MOST_PIPS; face++) list.toggle(`f${face}`, !digits && face === value);
    list.toggle("blank", !value);
    list.toggle("digits", digits);
    setText(this.digit, digits && value ? String(value) : "");
  }

  // Comes to rest at a small angle of its own and, where there is room, a little higher or lower than the others.
  land() {
    const { style } = this.element;
    style.setProperty("--tilt", `${((Math.random() * 2 - 1) * MOST_TILT).toFixed(1)}deg`);
    style.setProperty("--drop", (Math.random() * 2 - 1).toFixed(2));
  }

  /**
   * Tumbles in with any face upwards; redrawn in mid-air, it lands on its own. Tells whether it did, or was rolled again.
   * @param {number} long
   * @param {number} [side] How large a die is; measured once for all that are thrown together.
   * @returns {Promise<boolean>}
   */
  tumble(long, side = this.element.offsetWidth) {
    this.land();
    const spin = (Math.random() < 0.5 ? -1 : 1) * (260 + Math.random() * 200);
    // Each lands at its own moment, but all animations end in one frame.
    const pace = 0.85 + Math.random() * 0.14;
    const across = -side * (1.6 + Math.random()) + (Math.random() - 0.5) * side;
    // A finished animation that is still attached would keep the next one from the compositor.
    this.animation?.cancel();
    this.animation = this.element.animate(
      [
        { transform: `translate(${across}px, ${side * 2.2}px) rotate(${spin}deg) scale(1.25)`, opacity: 0 },
        {
          transform: `translate(${across * 0.4}px, ${-side * 0.35}px) rotate(${spin * 0.45}deg) scale(1.12)`,
          opacity: 1,
          offset: 0.42 * pace,
        },
        { transform: `translate(${across * 0.12}px, ${side * 0.06}px) rotate(${spin * 0.1}deg)`, offset: 0.72 * pace },
        { transform: `translate(0, ${-side * 0.03}px) rotate(${-spin * 0.015}deg)`, offset: 0.87 * pace },
        { transform: "none", offset: pace },
        { transform: "none" },
      ],
      { duration: long, easing: "cubic-bezier(.2,.7,.4,1)" },
    );
    if (this.state.value) this.showFace(1 + Math.floor(Math.random() * this.state.faces));
    return this.animation.finished.then(
      () => true,
      () => false,
    );
  }
}
