/* The lines of a record: split, read, and compared with what they must look like. */

import { object, seed, shape } from "./record-shapes.js";

const LINE_FEED = 10;

export class VerificationError extends Error {}

/**
 * @param {Uint8Array} line
 * @param {{ event: Check, isChained: boolean }} format
 * @returns {[string | null, RecordEvent]}
 */
export function readEvent(line, { event, isChained }) {
  if (!isChained) return [null, readLine(line, event, "line")];
  /** @type {{ after: string, event: RecordEvent }} */
  const link = readLine(line, shape({ after: seed, event }), "line");
  return [link.after, link.event];
}

/**
 * Reads a line; no number in a record has a fraction, and no text half a character.
 * @template T
 * @param {Uint8Array} line
 * @param {Check} kind
 * @param {string} why
 * @returns {T}
 */
export function readLine(line, kind, why) {
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

/**
 * @param {unknown} value
 * @returns {string}
 */
export function toCanonicalJson(value) {
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join()}]`;
  if (!object(value)) return JSON.stringify(value);
  return `{${Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${toCanonicalJson(value[name])}`)
    .join()}}`;
}

/**
 * @param {Uint8Array} bytes
 * @returns {Uint8Array[]}
 */
export function splitLines(bytes) {
  const lines = [];
  let start = 0;
  let end = bytes.indexOf(LINE_FEED);
  while (end >= 0) {
    lines.push(bytes.subarray(start, end));
    start = end + 1;
    end = bytes.indexOf(LINE_FEED, start);
  }
  ensure(start === bytes.length && lines.length > 1, "torn");
  return lines;
}

/**
 * @template T
 * @param {() => T} act
 */
export function tryOrNull(act) {
  try {
    return act();
  } catch {
    return null;
  }
}

/**
 * @param {unknown} right
 * @param {string} why
 * @returns {asserts right}
 */
export function ensure(right, why) {
  if (!right) throw new VerificationError(why);
}

/** @param {string} content */
export function encodeUtf8(content) {
  return new TextEncoder().encode(content);
}
