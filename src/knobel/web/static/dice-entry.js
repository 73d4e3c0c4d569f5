/* Real dice that are entered face by face. */

import { writeEnterDice, writeLand } from "./notation.js";
import { isWaiting } from "./predicted-view.js";
import { required } from "./required.js";
import { canAct } from "./table-model.js";

// The dice that are being entered, for every seat of this device.
export class DiceEntry {
  /** @type {Map<number, { key: string, dice: Map<number, number>, rolls: number | null }>} */
  entered;

  /** @param {RealDicePad} pad */
  constructor(pad) {
    this.pad = pad;
    this.table = pad.table;
    this.entered = new Map();
  }

  /**
   * Which dice must be entered now, by place, and what was entered so far; null where none must be.
   * @param {GameView} view
   * @param {Tray | null} tray
   */
  findSlots(view, tray) {
    if (!tray || !canAct(view, tray) || !view.seats[tray.seat].real_dice) return null;
    const all = this.pad.entersFinalDice(view, tray) && ["roll", "rolloff"].includes(tray.phase);
    if (!all && tray.phase !== "land") return null;
    const places = all ? Array.from({ length: this.pad.gameInfo.dice }, (_, place) => place) : tray.rolling;
    const key = rollKey(view, tray);
    const known = this.entered.get(tray.seat);
    if (known?.key === key) return known.dice;
    const dice = new Map(places.map((place) => [place, 0]));
    this.entered.set(tray.seat, { key, dice, rolls: null });
    return dice;
  }

  /**
   * Dice that were half entered go with the roll they belonged to, however it ended: here, elsewhere, or undone.
   * @param {GameView} view
   */
  forgetStale(view) {
    for (const [seat, { key }] of this.entered) {
      const tray = view.trays.find((one) => one.seat === seat);
      if (!tray || rollKey(view, tray) !== key) this.forget(seat);
    }
  }

  /** @param {number} seat */
  forget(seat) {
    this.entered.delete(seat);
  }

  /**
   * A face was tapped or typed for the next die; 0 clears the last one. Says whether that was for us.
   * @param {number} value
   * @returns {boolean}
   */
  enterFace(value) {
    const { slots } = this.table.model;
    if (!slots) return value === 0 && this.pickUp();
    const places = [...slots.keys()];
    const place = value ? places.find((one) => !slots.get(one)) : places.findLast((one) => slots.get(one));
    if (place === undefined || value > this.pad.gameInfo.faces) return false;
    this.table.shownSeat.stopLingering();
    slots.set(place, value);
    if ([...slots.values()].every(Boolean)) this.submit([...slots.values()]);
    else this.table.draw();
    return true;
  }

  /** @param {number[]} values */
  submit(values) {
    const tray = required(this.table.model.tray, "tray");
    const rolls = tray.asks_rolls ? this.rollCount(tray) : 0;
    this.forget(tray.seat);
    this.table.shownSeat.viewed = null;
    this.pad.act(tray.phase === "land" ? writeLand(values) : writeEnterDice(values, rolls));
  }

  /**
   * How many rolls were used; all of them by default.
   * @param {Tray} tray
   */
  rollCount(tray) {
    return this.entered.get(tray.seat)?.rolls ?? tray.rolls;
  }

  /** @param {number} n */
  setRollCount(n) {
    const { seat } = required(this.table.model.tray, "tray");
    required(this.entered.get(seat), "dice").rolls = n;
    this.table.draw();
  }

  /**
   * Takes entered dice up again: all of them but the one at a place stay entered. Says whether that can be.
   * @param {number | null} [place]
   * @returns {boolean}
   */
  pickUp(place = null) {
    const { tray, view, finalDice, family } = this.table.model;
    if (!finalDice || !tray?.dice.length || isWaiting(tray) || !family.canPickUp(tray)) return false;
    const cleared = place ?? tray.dice.length - 1;
    this.pad.enqueue({ want: "undo", seat: tray.seat });
    const key = rollKey(view, { ...tray, phase: "roll", rolled: 0 });
    this.entered.set(tray.seat, {
      key,
      dice: new Map(tray.dice.map((value, at) => [at, at === cleared ? 0 : value])),
      rolls: tray.asks_rolls ? tray.rolled : null,
    });
    this.table.draw();
    return true;
  }

  /**
   * A die on the tray was tapped; says whether that was for us.
   * @param {number} place
   * @returns {boolean}
   */
  tapDie(place) {
    const { slots } = this.table.model;
    if (!slots) return this.pickUp(place);
    if (slots.has(place)) slots.set(place, 0);
    this.table.draw();
    return slots.has(place);
  }

  /** @param {TableModel} model */
  canErase({ tray, slots }) {
    if (slots) return [...slots.values()].some(Boolean);
    return tray !== null && tray.dice.length > 0 && tray.phase === "fill";
  }
}

/**
 * Names the roll a tray waits for: which turn of its seat, how far it is.
 * @param {GameView} view
 * @param {Pick<Tray, "turn" | "phase" | "rolled">} tray
 */
function rollKey(view, { turn, phase, rolled }) {
  return [view.game, turn, phase, rolled].join(" ");
}
