/* Checks a record as docs/fair-dice.md tells it: chain, seals, seeds, every throw and the digest.
   It knows the rules of no game: whether a move was allowed is for `knobel verify`. */

import { glue, hex, hmac, joined, sha256, u32, unhex } from "./sha256.js";

const MOST_BYTES = 4 * 1024 * 1024;
const LINE_FEED = 10;

// What the lines of a record must look like; `may` stand there, or be `none`, only where it is said.
const whole = (most) => (value) => Number.isInteger(value) && value >= 0 && value <= most;
const text = (most) => (value) => typeof value === "string" && [...value].length <= most;
const list = (kind) => (value) => Array.isArray(value) && value.every(kind);
const may = (kind) => (value) => value === undefined || kind(value);
const none = (kind) => (value) => value === null || kind(value);
const table = (kind, key) => (value) => plain(value) && Object.entries(value).every(([name, one]) => key(name) && kind(one));
const shape = (fields) => (value) => plain(value) && Object.keys(value).every((name) => Object.keys(fields).includes(name))
  && Object.entries(fields).every(([name, kind]) => kind(value[name]));
const plain = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const flag = (value) => typeof value === "boolean";
const seed = (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
const seatName = (name) => /^(0|[1-9]\d*)$/.test(name) && small(Number(name));
const small = whole(255), number = whole(1_000_000), word = text(80), said = text(131_072);
const seeds = shape({ server: seed, clients: may(list(seed)) });
const HEADER = shape({
  knobel: Number.isInteger, game: word, text: word, switches: table(word, word), fingerprint: word, first: none(small), practice: flag,
  edition: shape({ id: said, title: said, publisher: said, base: may(none(said)), names: may(table(table(said, word), word)) }),
  seats: (value) => list(shape({ name: may(word), bot: may(none(word)), beginner: may(flag), own_dice: may(flag) }))(value) && value.length > 0 && value.length < 100,
  dice: shape({ scheme: word, commitment: word, seed: may(none(said)), seals: may(table(seed, seatName)), secret: may(none(seeds)) }),
  evening: shape({ games: number, number, totals: may(list(list(number))), first: may(none(small)) }),
  rules: plain, free: may(flag), quoted: may(shape({ game: word, first: none(small), actions: (value) => list(word)(value) && value.length <= 5000 })),
});
const TURN = { turn: number, actions: (value) => list(word)(value) && value.length > 0 && value.length < 4 };
const EVENTS = {
  acted: { seat: small, action: word }, undone: { number }, corrected: { seat: small, ...TURN, other: may(shape(TURN)) }, revealed: { seat: small, seed }, without: { seat: small },
  landed: { seat: small, turn: number, throw: small, faces: small, positions: list(small), dice: list(small), own: may(flag) },
  away: { seat: small }, stand_in: { seat: small, bot: word }, back: { seat: small }, assisted: { seat: small },
  closed: { seeds, why: may((value) => ["over", "stopped", "expired"].includes(value)) },
};
const EVENT = (value) => plain(value) && Object.keys(EVENTS).includes(value.event) && shape({ event: word, ...EVENTS[value.event] })(value);
const LINK = shape({ after: seed, event: EVENT });
const NAMES = shape({ names: list(word) });
const DIGEST = shape({ sha256: (value) => typeof value === "string" });

class Wrong extends Error {}

// Gives what a record proves, with its figures; or why it does not, and the first line that is wrong where one is.
export function verify(bytes) {
  const found = { verified: false, why: null, line: null, events: 0, throws: 0, dice: 0, real: 0, noted: 0, anyway: 0, corrected: 0, shown: new Map(), without: [], assisted: [], landings: [] };
  try {
    walk(bytes, found);
    found.verified = true;
  } catch (wrong) {
    if (!(wrong instanceof Wrong)) throw wrong;
    found.why = wrong.message;
    if (["large", "torn", "version", "scheme", "unfinished"].includes(found.why)) found.line = null;
  }
  return found;
}

function walk(bytes, found) {
  insist(bytes.length <= MOST_BYTES, "large");
  const lines = split(bytes);
  const last = lines.pop();
  const digest = read(last, DIGEST, "torn").sha256;
  found.line = 1;
  const header = open(lines[0], found);
  const chained = header.knobel > 1, before = chained ? 2 : 1;
  found.names = header.seats.map((seat) => seat.name ?? "");
  if (chained) {
    found.line = 2;
    found.names = read(lines[1], NAMES, "line").names;
    insist(found.names.length === header.seats.length, "line");
  }
  const ahead = lines.slice(before).map((line) => attempt(() => event(line, chained)[1]));
  const log = new Log(found, header, ahead.find((one) => one?.event === "closed"));
  found.head = hex(sha256(lines[0]));
  for (const line of lines.slice(before)) {
    found.line = before + found.events + 1;
    const [after, one] = event(line, chained);
    insist(!chained || after === found.head, "chain");
    insist(!found.closed, "over");
    log[one.event]?.(one);
    found.head = hex(sha256(line));
    found.events += 1;
  }
  found.line = lines.length + 1;
  insist(hex(sha256(bytes.subarray(0, bytes.length - last.length - 1))) === digest, "digest");
  insist(found.closed, "unfinished");
  found.line = null;
}

// The header: a format and a scheme we know, rules with their fingerprint, and the name of a game that was seeded.
function open(line, found) {
  const format = read(line, plain, "line").knobel;
  insist(Number.isInteger(format), "line");
  insist(format === 1 || format === 2, "version");
  const header = found.header = read(line, HEADER, "line");
  const { dice, evening, seats } = header;
  insist(dice.scheme === "knobel-dice-1", "scheme");
  const totals = evening.totals ?? [];
  insist(totals.length === evening.number - 1 && evening.number <= evening.games && (evening.first ?? 0) < seats.length, "line");
  insist(totals.every((row) => row.length === seats.length), "line");
  insist(attempt(() => hex(sha256(utf8(canonical(header.rules))))) === header.fingerprint, "rules");
  insist(Object.keys(dice.seals ?? {}).every((seat) => Number(seat) < seats.length), "seal");
  found.seeded = (dice.seed ?? null) !== null;
  const rules = header.knobel > 1 ? unhex(header.fingerprint) : [];
  insist(!found.seeded || header.game === hex(sha256(glue(typed(header), rules))).slice(0, 16), "seeded");
  return header;
}

// The log, event by event; what is not named here says nothing about dice.
class Log {
  constructor(found, header, ending) {
    Object.assign(this, { found, header, ending, rules: unhex(header.fingerprint), trays: new Map() });
    this.kept = ending && this.promised(ending);
    this.pending = new Map(Object.entries(header.dice.seals ?? {}).map(([seat, seal]) => [Number(seat), seal]));
  }

  revealed({ seat, seed: shown }) {
    insist(this.pending.has(seat), "late");
    insist(hex(sha256(joined("yz-cs-v1", this.header.game, u32(seat), unhex(shown)))) === this.pending.get(seat), "seed");
    this.pending.delete(seat);
    this.found.shown.set(seat, shown);
  }

  without({ seat }) {
    insist(this.pending.delete(seat), "late");
    this.found.without.push(seat);
  }

  assisted({ seat }) {
    this.found.assisted.push(seat);
  }

  acted({ seat, action }) {
    const own = this.seated(seat);
    insist(own || !/=|^~/.test(action), "noted");
    this.found.real += action.startsWith("=");
    this.found.noted += action.includes("=", 1);
    this.found.anyway += action.startsWith("~");
    const tray = this.tray(seat);
    tray.air = null;
    if (!action.includes(".")) return;
    const places = [...action];
    tray.air = places.flatMap((die, place) => (die === "." ? [place] : []));
    insist(places.length === this.header.rules.dice, "kept");
    if (!tray.known) tray.dice = places.map((die) => parseInt(die, 36));
    insist(places.every((die, place) => die === "." || parseInt(die, 36) === tray.dice[place]), "kept");
  }

  // What people entered they may correct, and then take back as well: such a turn may begin again.
  corrected({ seat, other }) {
    insist(this.seated(seat), "noted");
    this.tray(seat).mended = true;
    this.found.corrected += other ? 2 : 1;
  }

  // Dice fall where they were thrown, at the next address of their seat: none is used twice, and none left out.
  landed({ seat, turn, throw: nth, faces, positions, dice, own = false }) {
    const { found, header } = this;
    insist(this.seated(seat) === own, "own");
    const tray = this.tray(seat);
    const again = tray.mended && turn <= tray.turn && nth === 0;
    const next = again || (turn === tray.turn ? nth === tray.nth + 1 : nth === 0 && (own ? turn > tray.turn : turn === tray.turn + 1));
    insist((next || !tray.known) && faces === header.rules.faces && String(positions) === String(tray.air) && dice.length === positions.length, "address");
    insist(dice.every((die) => die >= 1 && die <= faces), "dice");
    if (!own && this.kept) {
      this.key ??= hmac(unhex(this.ending.seeds.server), joined("yz-key-v1", header.game, this.rules, ...this.clients().map(unhex)));
      const values = drawn(this.key, [seat, turn, nth, faces], header.rules.dice);
      insist(positions.every((place, at) => values[place] === dice[at]), "dice");
    }
    Object.assign(tray, { turn, nth, air: null, known: true, mended: false });
    positions.forEach((place, at) => { tray.dice[place] = dice[at]; });
    found[own ? "real" : "throws"] += 1;
    found.dice += own ? 0 : dice.length;
    found.landings.push({ line: found.line, seat, turn, throw: nth, positions, dice, own, faces, tray: [...tray.dice] });
  }

  closed(one) {
    const { found, header } = this;
    const clients = one.seeds.clients ?? [];
    insist(header.knobel === 1 || String(clients) === String(this.clients()), "seed");
    insist(this.promised(one), "promise");
    insist(!found.seeded || one.seeds.server === hex(typed(header)), "seeded");
    found.closed = one;
  }

  seated(seat) {
    insist(seat < this.header.seats.length, "seat");
    insist(this.pending.size === 0, "pending");
    return this.header.seats[seat].own_dice ?? false;
  }

  // What lies before a seat; where a game went on from a position of another one, that is seen at the first throw.
  tray(seat) {
    if (!this.trays.has(seat)) this.trays.set(seat, { turn: -1, nth: 0, air: null, dice: [], known: !this.header.quoted });
    return this.trays.get(seat);
  }

  clients() {
    if (this.header.knobel === 1) return this.ending.seeds.clients ?? [];
    return [...this.found.shown].sort(([one], [other]) => one - other).map(([, shown]) => shown);
  }

  promised({ seeds: { server } }) {
    return hex(sha256(joined("yz-commit-v1", this.header.game, this.rules, unhex(server)))) === this.header.dice.commitment;
  }
}

// Draws all dice of an address; bytes that would favour a face are passed over.
export function drawn(key, address, count) {
  const faces = address.at(-1), dice = [];
  for (let block = 0; dice.length < count; block++) {
    const stream = hmac(key, glue(utf8("yz-roll-v1"), ...[...address, block].map(u32)));
    for (const byte of stream) if (byte < 256 - (256 % faces)) dice.push((byte % faces) + 1);
  }
  return dice.slice(0, count);
}

function typed({ dice, evening }) {
  return sha256(utf8(`${dice.seed}/${evening.number}`));
}

function event(line, chained) {
  if (!chained) return [null, read(line, EVENT, "line")];
  const link = read(line, LINK, "line");
  return [link.after, link.event];
}

// Reads a line; no number in a record has a fraction, and no text half a character.
function read(line, kind, why) {
  const found = attempt(() => {
    const content = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(line);
    insist(!/\d[.eE]/.test(content.replace(/"(?:[^"\\]|\\.)*"/g, "")), why);
    return JSON.parse(content, (name, value) => {
      insist(!/\p{Surrogate}/u.test(name) && !(typeof value === "string" && /\p{Surrogate}/u.test(value)), why);
      return value;
    });
  });
  insist(found !== null && attempt(() => kind(found)), why);
  return found;
}

function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!plain(value)) return JSON.stringify(value);
  return `{${Object.keys(value).sort().map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join()}}`;
}

function split(bytes) {
  const lines = [];
  let start = 0;
  for (let end; (end = bytes.indexOf(LINE_FEED, start)) >= 0; start = end + 1) lines.push(bytes.subarray(start, end));
  insist(start === bytes.length && lines.length > 1, "torn");
  return lines;
}

function attempt(act) {
  try {
    return act();
  } catch {
    return null;
  }
}

function insist(right, why) {
  if (!right) throw new Wrong(why);
}

function utf8(content) {
  return new TextEncoder().encode(content);
}
