/* The events of a record, one after the other: seals, seeds and every roll. */

import { encodeUtf8, ensure } from "./record-lines.js";
import { required } from "./required.js";
import { concatBytes, encodeFields, encodeUint32, fromHex, hmac, sha256, toHex } from "./sha256.js";

const DUPLICATE_SCHEME = "knobel-dice-2";
export const SCHEMES = ["knobel-dice-1", DUPLICATE_SCHEME];

// The log, event by event; what is not named here says nothing about dice.
export class EventChecker {
  /** @type {Uint8Array | undefined} */
  key;
  /** @type {Map<number, CheckedTray>} */
  trays;
  /** @type {RecordEnding | undefined} */
  ending;
  /** @type {RecordHeader} */
  header;
  /** @type {Findings} */
  found;

  /**
   * @param {Findings} found
   * @param {RecordHeader} header
   * @param {RecordEnding | undefined} ending
   */
  constructor(found, header, ending) {
    this.found = found;
    this.header = header;
    this.ending = ending;
    this.rules = fromHex(header.fingerprint);
    this.trays = new Map();
    this.isPromiseKept = ending && this.keepsPromise(ending);
    this.pendingSeals = new Map(Object.entries(header.dice.seals ?? {}).map(([seat, seal]) => [Number(seat), seal]));
  }

  /**
   * Checks one event; those that say nothing about dice are always right.
   * @param {RecordEvent} one
   */
  check(one) {
    switch (one.event) {
      case "revealed":
        return this.revealed(one);
      case "without":
        return this.without(one);
      case "drawn":
        return this.drawn(one);
      case "assisted":
        return this.assisted(one);
      case "acted":
        return this.acted(one);
      case "corrected":
        return this.corrected(one);
      case "landed":
        return this.landed(one);
      case "closed":
        return this.closed(one);
    }
  }

  /** @param {RecordEvent} event */
  revealed({ seat, seed: shown }) {
    ensure(this.pendingSeals.has(seat), "late");
    ensure(
      toHex(sha256(encodeFields("yz-cs-v1", this.header.game, encodeUint32(seat), fromHex(shown)))) ===
        this.pendingSeals.get(seat),
      "seed",
    );
    this.pendingSeals.delete(seat);
    this.found.shown.set(seat, shown);
  }

  /** @param {RecordEvent} event */
  without({ seat }) {
    ensure(this.pendingSeals.delete(seat), "late");
    this.found.without.push(seat);
  }

  /**
   * Lots for the start are drawn once, where that was agreed, before anything is played.
   * @param {RecordEvent} event
   */
  drawn({ seat }) {
    const { found, header } = this;
    ensure(awaitsLot(header, found) && seat < header.seats.length, "lots");
    ensure(this.pendingSeals.size === 0, "pending");
    ensure(!this.isPromiseKept || deriveLot(this.diceKey(), header.seats.length) === seat, "lot");
    found.drawn = seat;
  }

  diceKey() {
    this.key ??= hmac(
      fromHex(required(this.ending, "ending").seeds.server),
      encodeFields("yz-key-v1", this.header.game, this.rules, ...this.clientSeeds().map(fromHex)),
    );
    return this.key;
  }

  /** @param {RecordEvent} event */
  assisted({ seat }) {
    this.found.assisted.push(seat);
  }

  /** @param {RecordEvent} event */
  acted({ seat, action }) {
    const real = this.checkSeat(seat);
    ensure(real || !/=|^~/.test(action), "noted");
    this.found.realRolls += Number(action.startsWith("="));
    this.found.entriesWithoutDice += Number(action.includes("=", 1));
    this.found.againstRules += Number(action.startsWith("~"));
    const tray = this.trayOf(seat);
    tray.air = null;
    if (!action.includes(".")) return;
    const places = [...action];
    tray.air = places.flatMap((die, place) => (die === "." ? [place] : []));
    ensure(places.length === this.header.rules.dice, "kept");
    if (!tray.known) tray.dice = places.map((die) => parseInt(die, 36));
    ensure(
      places.every((die, place) => die === "." || parseInt(die, 36) === tray.dice[place]),
      "kept",
    );
  }

  /**
   * What people entered they may correct, and then undo as well: such a turn may begin again.
   * @param {RecordEvent} event
   */
  corrected({ seat, other }) {
    ensure(this.checkSeat(seat), "noted");
    this.trayOf(seat).isCorrected = true;
    this.found.correctedTurns += other ? 2 : 1;
  }

  /**
   * Dice land where they were rolled, at the next address of their seat: none is used twice, and none left out.
   * @param {RecordEvent} event
   */
  landed({ seat, turn, faces, positions, dice, ...event }) {
    const nth = event.roll ?? event.throw ?? 0;
    const real = event.real ?? event.own ?? false;
    const { found, header } = this;
    ensure(this.checkSeat(seat) === real, "own");
    const tray = this.trayOf(seat);
    const again = tray.isCorrected && turn <= tray.turn && nth === 0;
    const next =
      again ||
      (turn === tray.turn ? nth === tray.nth + 1 : nth === 0 && (real ? turn > tray.turn : turn === tray.turn + 1));
    ensure(
      (next || !tray.known) &&
        faces === header.rules.faces &&
        String(positions) === String(tray.air) &&
        dice.length === positions.length,
      "address",
    );
    ensure(
      dice.every((die) => die >= 1 && die <= faces),
      "dice",
    );
    if (!real && this.isPromiseKept) {
      const isShared = header.dice.scheme === DUPLICATE_SCHEME;
      const address = isShared ? [turn, nth, faces] : [seat, turn, nth, faces];
      const values = deriveDice(this.diceKey(), address, header.rules.dice);
      ensure(
        positions.every((place, at) => values[place] === dice[at]),
        "dice",
      );
    }
    Object.assign(tray, { turn, nth, air: null, known: true, isCorrected: false });
    positions.forEach((place, at) => {
      tray.dice[place] = dice[at];
    });
    found[real ? "realRolls" : "rolls"] += 1;
    found.dice += real ? 0 : dice.length;
    found.landings.push({
      line: found.line,
      seat,
      turn,
      roll: nth,
      positions,
      dice,
      real,
      faces,
      tray: [...tray.dice],
    });
  }

  /** @param {RecordEvent} one */
  closed(one) {
    const { found, header } = this;
    const clients = one.seeds.clients ?? [];
    ensure(header.knobel === 1 || String(clients) === String(this.clientSeeds()), "seed");
    ensure(this.keepsPromise(one), "promise");
    ensure(!found.isSeeded || one.seeds.server === toHex(hashTypedSeed(header)), "seeded");
    found.closed = one;
  }

  /** @param {number} seat */
  checkSeat(seat) {
    ensure(seat < this.header.seats.length, "seat");
    ensure(this.pendingSeals.size === 0, "pending");
    ensure(!awaitsLot(this.header, this.found), "lots");
    return this.header.seats[seat].real_dice ?? this.header.seats[seat].own_dice ?? false;
  }

  /**
   * What lies before a seat; where a game went on from a position of another one, that is seen at the first roll.
   * @param {number} seat
   * @returns {CheckedTray}
   */
  trayOf(seat) {
    const tray = this.trays.get(seat) ?? { turn: -1, nth: 0, air: null, dice: [], known: !this.header.quoted };
    this.trays.set(seat, tray);
    return tray;
  }

  clientSeeds() {
    if (this.header.knobel === 1) return this.ending?.seeds.clients ?? [];
    return [...this.found.shown].sort(([one], [other]) => one - other).map(([, shown]) => shown);
  }

  /** @param {RecordEnding} ending */
  keepsPromise({ seeds: { server } }) {
    return (
      toHex(sha256(encodeFields("yz-commit-v1", this.header.game, this.rules, fromHex(server)))) ===
      this.header.dice.commitment
    );
  }
}

/**
 * Whether lots must be drawn for the start before anything is played.
 * @param {RecordHeader} header
 * @param {Findings} found
 */
function awaitsLot({ start }, { drawn }) {
  return start === "random" && drawn === null;
}

/**
 * Draws all dice of an address, in which duplicate names no seat; bytes that would favour a face are passed over.
 * @param {Uint8Array} key
 * @param {number[]} address
 * @param {number} count
 */
export function deriveDice(key, address, count) {
  const faces = required(address.at(-1), "faces");
  const label = encodeUtf8(address.length > 3 ? "yz-roll-v1" : "yz-roll-v2");
  const dice = [];
  for (let block = 0; dice.length < count; block++) {
    const stream = hmac(key, concatBytes(label, ...[...address, block].map(encodeUint32)));
    for (const byte of stream) if (byte < 256 - (256 % faces)) dice.push((byte % faces) + 1);
  }
  return dice.slice(0, count);
}

/**
 * Draws the seat that starts; bytes that would favour a seat are passed over.
 * @param {Uint8Array} key
 * @param {number} seats
 */
export function deriveLot(key, seats) {
  for (let block = 0; ; block++) {
    const stream = hmac(key, concatBytes(encodeUtf8("yz-lot-v1"), ...[seats, block].map(encodeUint32)));
    for (const byte of stream) if (byte < 256 - (256 % seats)) return byte % seats;
  }
}

/** @param {RecordHeader} header */
export function hashTypedSeed({ dice, evening }) {
  return sha256(encodeUtf8(`${dice.seed}/${evening.number}`));
}
