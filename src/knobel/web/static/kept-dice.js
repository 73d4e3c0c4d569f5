/* The dice a player keeps, from roll to roll. */

import { isRoll, readEntered, readKept } from "./notation.js";

// The places of the dice that stay.
export class KeptDice {
  /** @type {number[] | null} */
  rolloffDice;
  /** @type {Set<number>} */
  places;
  /**
   * What each seat kept when its dice were gone: an undone entry gives it back.
   * @type {Map<number, { dice: string, places: Set<number> }>}
   */
  before = new Map();

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
    if (!same && trayBefore?.dice.length)
      this.before.set(trayBefore.seat, { dice: describeDice(trayBefore), places: this.places });
    if (!same) this.places = this.recall(tray);
    if (tray && acted && acted.seat === tray.seat && isRoll(acted.action))
      this.places = new Set(readKept(acted.action));
    for (const place of tray?.locked ?? []) this.places.add(place);
    const rolled = landed?.dice ?? (acted && trayBefore?.phase === "rolloff" ? readEntered(acted.action) : null);
    this.rolloffDice =
      rolled && !tray?.dice.length
        ? rolled
        : tray?.phase === "rolloff" && trayBefore !== null
          ? this.rolloffDice
          : null;
  }

  /**
   * What was kept of these dice, if they lay here before.
   * @param {Tray | null} tray
   */
  recall(tray) {
    const found = tray?.dice.length && this.before.get(tray.seat);
    return found && found.dice === describeDice(tray) ? new Set(found.places) : new Set();
  }

  /**
   * Keeps a die or lets it go.
   * @param {number} place
   */
  toggle(place) {
    if (!this.places.delete(place)) this.places.add(place);
  }
}

/** @param {Tray} tray */
function describeDice({ rolled, dice }) {
  return `${rolled}: ${dice.join(" ")}`;
}
