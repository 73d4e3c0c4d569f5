/* Who scores next at a table where everybody plays at their own pace and several of us share this device. */

import { fillsBox } from "./notation.js";
import { isWaiting } from "./predicted-view.js";
import { canAct, isOwnPlayer } from "./table-model.js";

// The seat whose turn it is on this device; null where turns go round.
export class ActiveSeat {
  /** @type {number | null} */
  seat;

  /** @param {RealDicePad} pad */
  constructor(pad) {
    this.pad = pad;
    this.seat = null;
  }

  /**
   * On a new position, proposes the next player if the active one has scored or has nothing left to do.
   * @param {Position} position
   */
  update({ view, last }) {
    if (!view.free) return;
    const scored =
      last.some((event) => event.event === "acted" && event.seat === this.seat && fillsBox(event.action)) &&
      !this.pad.queuesSeat(this.seat);
    if (scored || !this.listTrays(this.pad.predicted.predict(view)).some((tray) => tray.seat === this.seat))
      this.propose(view);
  }

  /**
   * The trays of our people who can do something.
   * @param {GameView} view
   */
  listTrays(view) {
    return view.trays.filter((tray) => isOwnPlayer(view.seats[tray.seat]) && !isWaiting(tray));
  }

  /**
   * The player with the fewest turns is next; ties go in seat order.
   * @param {GameView} view
   */
  propose(view) {
    const trays = this.listTrays(this.pad.predicted.predict(view));
    const least = Math.min(...trays.map((tray) => tray.turn));
    this.seat = trays.find((tray) => tray.turn === least)?.seat ?? null;
  }

  /**
   * Makes another player on this device active; returns whether that player has something left to do.
   * @param {number} seat
   * @returns {boolean}
   */
  activate(seat) {
    const view = this.pad.predicted.predict(this.pad.table.position.view);
    if (!view.free || !this.listTrays(view).some((tray) => tray.seat === seat)) return false;
    this.switchTo(seat);
    return true;
  }

  /** @param {number} seat */
  switchTo(seat) {
    const { shownSeat } = this.pad.table;
    shownSeat.stopLingering();
    this.seat = seat;
    shownSeat.view(null);
  }

  /**
   * Whose sheet is shown where ours are full: still one of ours.
   * @param {GameView} view
   * @param {Tray | null} tray
   */
  findResting(view, tray) {
    return view.free && !canAct(view, tray) && view.seats.some(isOwnPlayer) ? view.seats.findIndex(isOwnPlayer) : null;
  }
}
