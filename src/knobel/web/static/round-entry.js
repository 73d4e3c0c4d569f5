/* Real dice in a game of rounds: a total is tapped to correct it. */

import { canCorrect } from "./table-model.js";

// What the totals of one board do where dice are real.
export class RoundEntry {
  /** @param {RealDicePad} pad */
  constructor(pad) {
    this.pad = pad;
  }

  /**
   * @param {HTMLElement} _button
   * @param {number} seat
   * @param {string} round
   * @returns {boolean}
   */
  press(_button, seat, round) {
    const { view } = this.pad.table.model;
    return canCorrect(view, view.seats[seat]) && this.pad.openCorrection(seat, round);
  }

  scoreZero() {
    return false;
  }

  /** @returns {MenuItem[]} */
  listMenuItems() {
    return [];
  }

  describe() {
    return null;
  }
}
