/* The dice a player keeps, from roll to roll. */

import { isRoll, readKept } from "./notation.js";

// The places of the dice that stay.
export class KeptDice {
  /** @type {number[] | null} */
  rolloffDice;
  /** @type {Set<number>} */
  places;

  constructor() {
    this.places = new Set();
    this.rolloffDice = null;
  }

  /**
   * Takes over what the last roll kept, and what must stay.
   * @param {Tray | null} trayBefore
   * @param {Tray | null} tray
   * @param {GameEvent[]} last
   * @param {Wire.Landed | null} landed
   */
  update(trayBefore, tray, last, landed) {
    const same =
      trayBefore &&
      tray &&
      trayBefore.seat === tray.seat &&
      tray.dice.length &&
      tray.rolled >= trayBefore.rolled &&
      trayBefore.dice.length;
    const acted = last.findLast((event) => event.event === "acted");
    if (!same) this.places = new Set();
    if (tray && acted && acted.seat === tray.seat && isRoll(acted.action))
      this.places = new Set(readKept(acted.action));
    for (const place of tray?.locked ?? []) this.places.add(place);
    this.rolloffDice =
      landed && !tray?.dice.length
        ? landed.dice
        : tray?.phase === "rolloff" && trayBefore !== null
          ? this.rolloffDice
          : null;
  }

  /**
   * Keeps a die or lets it go.
   * @param {number} place
   */
  toggle(place) {
    if (!this.places.delete(place)) this.places.add(place);
  }
}
