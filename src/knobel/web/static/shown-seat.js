/* Whose sheet is shown, and who holds the device. */

import { tumbleDuration } from "./dice.js";

// The seat a table shows: the one a player has opened, for a moment the one that just scored, else whose turn it is.
export class ShownSeat {
  /** @type {number | undefined} */
  timer;
  /** @type {number | null} */
  viewed;
  /** @type {number | null} */
  lingering;
  /** @type {number | null} */
  lastOwn;

  /** @param {() => void} redraw */
  constructor(redraw) {
    this.redraw = redraw;
    this.isHandedOver = true;
    this.reset();
  }

  reset() {
    this.viewed = this.lingering = this.lastOwn = null;
  }

  /**
   * Shows another seat.
   * @param {number | null} seat
   */
  view(seat) {
    this.viewed = seat;
    this.redraw();
  }

  // Follows the turn again; says whether that changes anything.
  follow() {
    if (this.viewed === null) return false;
    this.view(null);
    return true;
  }

  /**
   * The sheet that was just scored on stays visible for a moment before the next one.
   * @param {number} seat
   */
  lingerOn(seat) {
    clearTimeout(this.timer);
    const time = tumbleDuration() * 1.5;
    this.lingering = time ? seat : null;
    if (time) this.timer = setTimeout(() => this.stopLingering(), time);
  }

  stopLingering() {
    if (this.lingering === null) return;
    clearTimeout(this.timer);
    this.lingering = null;
    this.redraw();
  }

  /**
   * Notices when the turn goes to another person at this screen; own says whether the seat is one of ours.
   * @param {GameView} view
   * @param {number | null} seatBefore
   * @param {Tray | null} tray
   * @param {boolean} own
   */
  updateTurn(view, seatBefore, tray, own) {
    if (seatBefore !== null && seatBefore !== tray?.seat) this.lingerOn(seatBefore);
    if (!own || !tray) return;
    if (seatBefore !== tray.seat) this.viewed = null;
    if (
      this.lastOwn !== null &&
      this.lastOwn !== tray.seat &&
      view.trays.length === 1 &&
      !view.seats[tray.seat].real_dice
    )
      this.isHandedOver = false;
    this.lastOwn = tray.seat;
  }

  // Confirms that the next player has the screen.
  confirmHandover() {
    if (this.isHandedOver) return;
    this.isHandedOver = true;
    this.redraw();
  }

  stop() {
    clearTimeout(this.timer);
  }
}
