/* How long the player everybody waits for may still think, where the host has set a limit. */

import { h, setText } from "./dom.js";
import { readAloud } from "./live-region.js";
import { t } from "./translations.js";

const TICK = 250;
const WARNING_SECONDS = 10;

export class MoveClock {
  /** @type {number | undefined} */
  timer;
  /** @type {number} */
  deadline = 0;
  /** @type {boolean} */
  isWarned = false;

  constructor() {
    this.element = h("span", { class: "move-clock", role: "timer", "aria-live": "off", hidden: true });
  }

  /**
   * Counts down from what the server says is left; nothing to count is hidden.
   * @param {number | null} seconds
   * @param {boolean} mine
   */
  start(seconds, mine) {
    this.stop();
    if (seconds === null) return;
    this.deadline = performance.now() + seconds * 1000;
    this.isWarned = !mine || seconds <= WARNING_SECONDS;
    this.element.hidden = false;
    this.timer = setInterval(() => this.draw(), TICK);
    this.draw();
  }

  stop() {
    clearInterval(this.timer);
    this.element.hidden = true;
  }

  draw() {
    const left = Math.max(0, Math.ceil((this.deadline - performance.now()) / 1000));
    setText(this.element, t("tray.seconds", { n: left }));
    this.element.classList.toggle("soon", left <= WARNING_SECONDS);
    if (left > WARNING_SECONDS || this.isWarned) return;
    this.isWarned = true;
    readAloud(t("tray.seconds_left", { n: left }));
  }
}
