/* Checks a record as docs/fair-dice.md tells it: chain, seals, seeds, every roll and the digest.
   It knows the rules of no game: whether a move was allowed is for `knobel verify`. */

import { EventChecker, hashTypedSeed, SCHEMES } from "./event-checker.js";
import {
  encodeUtf8,
  ensure,
  readEvent,
  readLine,
  splitLines,
  toCanonicalJson,
  tryOrNull,
  VerificationError,
} from "./record-lines.js";
import { DIGEST, FORMATS, NAMES, object } from "./record-shapes.js";
import { concatBytes, fromHex, sha256, toHex } from "./sha256.js";

const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Gives what a record proves, with its figures; or why it does not, and the first line that is wrong where one is.
 * @param {Uint8Array} bytes
 * @returns {Findings}
 */
export function verifyRecord(bytes) {
  /** @type {Findings} */
  const found = {
    verified: false,
    why: "",
    line: null,
    events: 0,
    rolls: 0,
    dice: 0,
    realRolls: 0,
    entriesWithoutDice: 0,
    againstRules: 0,
    correctedTurns: 0,
    drawn: null,
    shown: new Map(),
    without: [],
    assisted: [],
    landings: [],
    names: [],
    head: "",
  };
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

/**
 * @param {Uint8Array} bytes
 * @param {Findings} found
 */
function checkRecord(bytes, found) {
  ensure(bytes.length <= MAX_BYTES, "large");
  const lines = splitLines(bytes);
  const last = lines[lines.length - 1];
  lines.pop();
  /** @type {{ sha256: string }} */
  const { sha256: digest } = readLine(last, DIGEST, "torn");
  found.line = 1;
  const header = checkHeader(lines[0], found);
  const format = FORMATS[header.knobel];
  const before = format.isChained ? 2 : 1;
  found.names = header.seats.map((seat) => seat.name ?? "");
  if (format.isChained) {
    found.line = 2;
    /** @type {{ names: string[] }} */
    const { names } = readLine(lines[1], NAMES, "line");
    found.names = names;
    ensure(found.names.length === header.seats.length, "line");
  }
  const ahead = lines.slice(before).map((line) => tryOrNull(() => readEvent(line, format)[1]));
  const log = new EventChecker(found, header, ahead.find((one) => one?.event === "closed") ?? undefined);
  found.head = toHex(sha256(lines[0]));
  for (const line of lines.slice(before)) {
    found.line = before + found.events + 1;
    const [after, one] = readEvent(line, format);
    ensure(!format.isChained || after === found.head, "chain");
    ensure(!found.closed, "over");
    log.check(one);
    found.head = toHex(sha256(line));
    found.events += 1;
  }
  found.line = lines.length + 1;
  ensure(toHex(sha256(bytes.subarray(0, bytes.length - last.length - 1))) === digest, "digest");
  ensure(found.closed, "unfinished");
  found.line = null;
}

/**
 * The header: a format and a scheme we know, rules with their fingerprint, and the name of a game that was seeded.
 * @param {Uint8Array} line
 * @param {Findings} found
 * @returns {RecordHeader}
 */
function checkHeader(line, found) {
  /** @type {{ knobel: number }} */
  const { knobel: format } = readLine(line, object, "line");
  ensure(Number.isInteger(format), "line");
  ensure(format in FORMATS, "version");
  /** @type {RecordHeader} */
  const header = readLine(line, FORMATS[format].header, "line");
  found.header = header;
  const { dice, evening, seats } = header;
  ensure(SCHEMES.includes(dice.scheme), "scheme");
  const totals = evening.totals ?? [];
  ensure(
    totals.length === evening.number - 1 && evening.number <= evening.games && (evening.first ?? 0) < seats.length,
    "line",
  );
  ensure(
    totals.every((row) => row.length === seats.length),
    "line",
  );
  ensure(tryOrNull(() => toHex(sha256(encodeUtf8(toCanonicalJson(header.rules))))) === header.fingerprint, "rules");
  ensure(
    Object.keys(dice.seals ?? {}).every((seat) => Number(seat) < seats.length),
    "seal",
  );
  found.isSeeded = (dice.seed ?? null) !== null;
  const rules = header.knobel > 1 ? fromHex(header.fingerprint) : [];
  ensure(
    !found.isSeeded || header.game === toHex(sha256(concatBytes(hashTypedSeed(header), rules))).slice(0, 16),
    "seeded",
  );
  return header;
}
