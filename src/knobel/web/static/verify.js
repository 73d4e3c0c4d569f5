/* Checks a record as docs/fair-dice.md tells it: chain, seals, seeds, every roll and the digest.
   It knows the rules of no game: whether a move was allowed is for `knobel verify`. */

import { concatBytes, toHex, hmac, encodeFields, sha256, encodeUint32, fromHex } from "./sha256.js";

const MAX_BYTES = 4 * 1024 * 1024;
const LINE_FEED = 10;

// What the lines of a record must look like; `may` stand there, or be `none`, only where it is said.
const int = (most) => (value) => Number.isInteger(value) && value >= 0 && value <= most;
const text = (most) => (value) => typeof value === "string" && [...value].length <= most;
const list = (kind) => (value) => Array.isArray(value) && value.every(kind);
const optional = (kind) => (value) => value === undefined || kind(value);
const nullable = (kind) => (value) => value === null || kind(value);
const map = (kind, key) => (value) => object(value) && Object.entries(value).every(([name, one]) => key(name) && kind(one));
const shape = (fields) => (value) => object(value) && Object.keys(value).every((name) => Object.keys(fields).includes(name))
  && Object.entries(fields).every(([name, kind]) => kind(value[name]));
const object = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const bool = (value) => typeof value === "boolean";
const seed = (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
const seatKey = (name) => /^(0|[1-9]\d*)$/.test(name) && small(Number(name));
const small = int(255), counter = int(1_000_000), word = text(80), longText = text(131_072);
const seeds = shape({ server: seed, clients: optional(list(seed)) });
const buildHeaderShape = (seat) => shape({
  knobel: Number.isInteger, game: word, text: word, switches: map(word, word), fingerprint: word, first: nullable(small), practice: bool,
  edition: shape({ id: longText, title: longText, publisher: longText, base: optional(nullable(longText)), names: optional(map(map(longText, word), word)) }),
  seats: (value) => list(shape({ name: optional(word), bot: optional(nullable(word)), beginner: optional(bool), ...seat }))(value) && value.length > 0 && value.length < 100,
  dice: shape({ scheme: word, commitment: word, seed: optional(nullable(longText)), seals: optional(map(seed, seatKey)), secret: optional(nullable(seeds)) }),
  evening: shape({ games: counter, number: counter, totals: optional(list(list(counter))), first: optional(nullable(small)) }),
  rules: object, free: optional(bool), quoted: optional(shape({ game: word, first: nullable(small), actions: (value) => list(word)(value) && value.length <= 5000 })),
});
const TURN = { turn: counter, actions: (value) => list(word)(value) && value.length > 0 && value.length < 4 };
const buildEvents = (landed) => ({
  acted: { seat: small, action: word }, undone: { number: counter }, corrected: { seat: small, ...TURN, other: optional(shape(TURN)) }, revealed: { seat: small, seed }, without: { seat: small },
  landed: { seat: small, turn: counter, faces: small, positions: list(small), dice: list(small), ...landed },
  away: { seat: small }, stand_in: { seat: small, bot: word }, back: { seat: small }, assisted: { seat: small },
  closed: { seeds, why: optional((value) => ["over", "stopped", "expired"].includes(value)) },
});
const buildEventShape = (events) => (value) => object(value) && Object.keys(events).includes(value.event) && shape({ event: word, ...events[value.event] })(value);

// Until format 2 a roll was called a throw and real dice were called one's own; since format 2 lines are chained.
const OLD_HEADER = buildHeaderShape({ own_dice: optional(bool) });
const OLD_EVENT = buildEventShape(buildEvents({ throw: small, own: optional(bool) }));
const EVENT = buildEventShape(buildEvents({ roll: small, real: optional(bool) }));
const FORMATS = {
  1: { header: OLD_HEADER, event: OLD_EVENT, isChained: false },
  2: { header: OLD_HEADER, event: OLD_EVENT, isChained: true },
  3: { header: buildHeaderShape({ real_dice: optional(bool) }), event: EVENT, isChained: true },
};
const NAMES = shape({ names: list(word) });
const DIGEST = shape({ sha256: (value) => typeof value === "string" });

class VerificationError extends Error {}

// Gives what a record proves, with its figures; or why it does not, and the first line that is wrong where one is.
export function verifyRecord(bytes) {
  const found = { verified: false, why: null, line: null, events: 0, rolls: 0, dice: 0, realRolls: 0, entriesWithoutDice: 0, againstRules: 0, correctedTurns: 0, shown: new Map(), without: [], assisted: [], landings: [] };
  try {
    checkRecord(bytes, found);
    found.verified = true;
  } catch (wrong) {
    if (!(wrong instanceof VerificationError)) throw wrong;
    found.why = wrong.message;
    if (["large", "torn", "version", "scheme", "unfinished"].includes(found.why)) found.line = null;
  }
  return found;
}

function checkRecord(bytes, found) {
  ensure(bytes.length <= MAX_BYTES, "large");
  const lines = splitLines(bytes);
  const last = lines.pop();
  const digest = readLine(last, DIGEST, "torn").sha256;
  found.line = 1;
  const header = checkHeader(lines[0], found);
  const format = FORMATS[header.knobel], before = format.isChained ? 2 : 1;
  found.names = header.seats.map((seat) => seat.name ?? "");
  if (format.isChained) {
    found.line = 2;
    found.names = readLine(lines[1], NAMES, "line").names;
    ensure(found.names.length === header.seats.length, "line");
  }
  const ahead = lines.slice(before).map((line) => tryOrNull(() => readEvent(line, format)[1]));
  const log = new EventChecker(found, header, ahead.find((one) => one?.event === "closed"));
  found.head = toHex(sha256(lines[0]));
  for (const line of lines.slice(before)) {
    found.line = before + found.events + 1;
    const [after, one] = readEvent(line, format);
    ensure(!format.isChained || after === found.head, "chain");
    ensure(!found.closed, "over");
    log[one.event]?.(one);
    found.head = toHex(sha256(line));
    found.events += 1;
  }
  found.line = lines.length + 1;
  ensure(toHex(sha256(bytes.subarray(0, bytes.length - last.length - 1))) === digest, "digest");
  ensure(found.closed, "unfinished");
  found.line = null;
}

// The header: a format and a scheme we know, rules with their fingerprint, and the name of a game that was seeded.
function checkHeader(line, found) {
  const format = readLine(line, object, "line").knobel;
  ensure(Number.isInteger(format), "line");
  ensure(format in FORMATS, "version");
  const header = found.header = readLine(line, FORMATS[format].header, "line");
  const { dice, evening, seats } = header;
  ensure(dice.scheme === "knobel-dice-1", "scheme");
  const totals = evening.totals ?? [];
  ensure(totals.length === evening.number - 1 && evening.number <= evening.games && (evening.first ?? 0) < seats.length, "line");
  ensure(totals.every((row) => row.length === seats.length), "line");
  ensure(tryOrNull(() => toHex(sha256(encodeUtf8(toCanonicalJson(header.rules))))) === header.fingerprint, "rules");
  ensure(Object.keys(dice.seals ?? {}).every((seat) => Number(seat) < seats.length), "seal");
  found.isSeeded = (dice.seed ?? null) !== null;
  const rules = header.knobel > 1 ? fromHex(header.fingerprint) : [];
  ensure(!found.isSeeded || header.game === toHex(sha256(concatBytes(hashTypedSeed(header), rules))).slice(0, 16), "seeded");
  return header;
}

// The log, event by event; what is not named here says nothing about dice.
class EventChecker {
  constructor(found, header, ending) {
    Object.assign(this, { found, header, ending, rules: fromHex(header.fingerprint), trays: new Map() });
    this.isPromiseKept = ending && this.keepsPromise(ending);
    this.pendingSeals = new Map(Object.entries(header.dice.seals ?? {}).map(([seat, seal]) => [Number(seat), seal]));
  }

  revealed({ seat, seed: shown }) {
    ensure(this.pendingSeals.has(seat), "late");
    ensure(toHex(sha256(encodeFields("yz-cs-v1", this.header.game, encodeUint32(seat), fromHex(shown)))) === this.pendingSeals.get(seat), "seed");
    this.pendingSeals.delete(seat);
    this.found.shown.set(seat, shown);
  }

  without({ seat }) {
    ensure(this.pendingSeals.delete(seat), "late");
    this.found.without.push(seat);
  }

  assisted({ seat }) {
    this.found.assisted.push(seat);
  }

  acted({ seat, action }) {
    const real = this.checkSeat(seat);
    ensure(real || !/=|^~/.test(action), "noted");
    this.found.realRolls += action.startsWith("=");
    this.found.entriesWithoutDice += action.includes("=", 1);
    this.found.againstRules += action.startsWith("~");
    const tray = this.trayOf(seat);
    tray.air = null;
    if (!action.includes(".")) return;
    const places = [...action];
    tray.air = places.flatMap((die, place) => (die === "." ? [place] : []));
    ensure(places.length === this.header.rules.dice, "kept");
    if (!tray.known) tray.dice = places.map((die) => parseInt(die, 36));
    ensure(places.every((die, place) => die === "." || parseInt(die, 36) === tray.dice[place]), "kept");
  }

  // What people entered they may correct, and then undo as well: such a turn may begin again.
  corrected({ seat, other }) {
    ensure(this.checkSeat(seat), "noted");
    this.trayOf(seat).isCorrected = true;
    this.found.correctedTurns += other ? 2 : 1;
  }

  // Dice land where they were rolled, at the next address of their seat: none is used twice, and none left out.
  landed({ seat, turn, faces, positions, dice, ...event }) {
    const nth = event.roll ?? event.throw, real = event.real ?? event.own ?? false;
    const { found, header } = this;
    ensure(this.checkSeat(seat) === real, "own");
    const tray = this.trayOf(seat);
    const again = tray.isCorrected && turn <= tray.turn && nth === 0;
    const next = again || (turn === tray.turn ? nth === tray.nth + 1 : nth === 0 && (real ? turn > tray.turn : turn === tray.turn + 1));
    ensure((next || !tray.known) && faces === header.rules.faces && String(positions) === String(tray.air) && dice.length === positions.length, "address");
    ensure(dice.every((die) => die >= 1 && die <= faces), "dice");
    if (!real && this.isPromiseKept) {
      this.key ??= hmac(fromHex(this.ending.seeds.server), encodeFields("yz-key-v1", header.game, this.rules, ...this.clientSeeds().map(fromHex)));
      const values = deriveDice(this.key, [seat, turn, nth, faces], header.rules.dice);
      ensure(positions.every((place, at) => values[place] === dice[at]), "dice");
    }
    Object.assign(tray, { turn, nth, air: null, known: true, isCorrected: false });
    positions.forEach((place, at) => { tray.dice[place] = dice[at]; });
    found[real ? "realRolls" : "rolls"] += 1;
    found.dice += real ? 0 : dice.length;
    found.landings.push({ line: found.line, seat, turn, roll: nth, positions, dice, real, faces, tray: [...tray.dice] });
  }

  closed(one) {
    const { found, header } = this;
    const clients = one.seeds.clients ?? [];
    ensure(header.knobel === 1 || String(clients) === String(this.clientSeeds()), "seed");
    ensure(this.keepsPromise(one), "promise");
    ensure(!found.isSeeded || one.seeds.server === toHex(hashTypedSeed(header)), "seeded");
    found.closed = one;
  }

  checkSeat(seat) {
    ensure(seat < this.header.seats.length, "seat");
    ensure(this.pendingSeals.size === 0, "pending");
    return this.header.seats[seat].real_dice ?? this.header.seats[seat].own_dice ?? false;
  }

  // What lies before a seat; where a game went on from a position of another one, that is seen at the first roll.
  trayOf(seat) {
    if (!this.trays.has(seat)) this.trays.set(seat, { turn: -1, nth: 0, air: null, dice: [], known: !this.header.quoted });
    return this.trays.get(seat);
  }

  clientSeeds() {
    if (this.header.knobel === 1) return this.ending.seeds.clients ?? [];
    return [...this.found.shown].sort(([one], [other]) => one - other).map(([, shown]) => shown);
  }

  keepsPromise({ seeds: { server } }) {
    return toHex(sha256(encodeFields("yz-commit-v1", this.header.game, this.rules, fromHex(server)))) === this.header.dice.commitment;
  }
}

// Draws all dice of an address; bytes that would favour a face are passed over.
export function deriveDice(key, address, count) {
  const faces = address.at(-1), dice = [];
  for (let block = 0; dice.length < count; block++) {
    const stream = hmac(key, concatBytes(encodeUtf8("yz-roll-v1"), ...[...address, block].map(encodeUint32)));
    for (const byte of stream) if (byte < 256 - (256 % faces)) dice.push((byte % faces) + 1);
  }
  return dice.slice(0, count);
}

function hashTypedSeed({ dice, evening }) {
  return sha256(encodeUtf8(`${dice.seed}/${evening.number}`));
}

function readEvent(line, { event, isChained }) {
  if (!isChained) return [null, readLine(line, event, "line")];
  const link = readLine(line, shape({ after: seed, event }), "line");
  return [link.after, link.event];
}

// Reads a line; no number in a record has a fraction, and no text half a character.
function readLine(line, kind, why) {
  const found = tryOrNull(() => {
    const content = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(line);
    ensure(!/\d[.eE]/.test(content.replace(/"(?:[^"\\]|\\.)*"/g, "")), why);
    return JSON.parse(content, (name, value) => {
      ensure(!/\p{Surrogate}/u.test(name) && !(typeof value === "string" && /\p{Surrogate}/u.test(value)), why);
      return value;
    });
  });
  ensure(found !== null && tryOrNull(() => kind(found)), why);
  return found;
}

function toCanonicalJson(value) {
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join()}]`;
  if (!object(value)) return JSON.stringify(value);
  return `{${Object.keys(value).sort().map((name) => `${JSON.stringify(name)}:${toCanonicalJson(value[name])}`).join()}}`;
}

function splitLines(bytes) {
  const lines = [];
  let start = 0;
  for (let end; (end = bytes.indexOf(LINE_FEED, start)) >= 0; start = end + 1) lines.push(bytes.subarray(start, end));
  ensure(start === bytes.length && lines.length > 1, "torn");
  return lines;
}

function tryOrNull(act) {
  try {
    return act();
  } catch {
    return null;
  }
}

function ensure(right, why) {
  if (!right) throw new VerificationError(why);
}

function encodeUtf8(content) {
  return new TextEncoder().encode(content);
}
