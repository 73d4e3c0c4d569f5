/* SHA-256 and HMAC of our own: phones on a plain LAN address have no WebCrypto. */

const PRIMES = (() => {
  /** @type {number[]} */
  const found = [];
  for (let n = 2; found.length < 64; n++) if (found.every((p) => n % p)) found.push(n);
  return found;
})();
/** @type {(x: number) => number} */
const fractionBits = (x) => ((x - Math.floor(x)) * 0x100000000) | 0;
const INITIAL_STATE = PRIMES.slice(0, 8).map((p) => fractionBits(Math.sqrt(p)));
const ROUND_CONSTANTS = PRIMES.map((p) => fractionBits(Math.cbrt(p)));
/** @type {(x: number, n: number) => number} */
const rotateRight = (x, n) => (x >>> n) | (x << (32 - n));

/**
 * Gives the 32 bytes of SHA-256.
 * @param {Uint8Array} bytes
 */
export function sha256(bytes) {
  const padded = new Uint8Array(((bytes.length + 8) >> 6) * 64 + 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 0x20000000));
  view.setUint32(padded.length - 4, bytes.length << 3);
  const state = [...INITIAL_STATE];
  for (let at = 0; at < padded.length; at += 64) compressBlock(view, at, state);
  const out = new DataView(new ArrayBuffer(32));
  for (const [place, word] of state.entries()) out.setInt32(place * 4, word);
  return new Uint8Array(out.buffer);
}

/**
 * @param {DataView} view
 * @param {number} at
 * @param {number[]} state
 */
function compressBlock(view, at, state) {
  const w = new Int32Array(64);
  for (let i = 0; i < 16; i++) w[i] = view.getInt32(at + i * 4);
  for (let i = 16; i < 64; i++) {
    const a = w[i - 15],
      b = w[i - 2];
    w[i] =
      (w[i - 16] +
        w[i - 7] +
        (rotateRight(a, 7) ^ rotateRight(a, 18) ^ (a >>> 3)) +
        (rotateRight(b, 17) ^ rotateRight(b, 19) ^ (b >>> 10))) |
      0;
  }
  let [a, b, c, d, e, f, g, hh] = state;
  for (let i = 0; i < 64; i++) {
    const one =
      (hh +
        (rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25)) +
        ((e & f) ^ (~e & g)) +
        ROUND_CONSTANTS[i] +
        w[i]) |
      0;
    const two = ((rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [hh, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, hh].forEach((word, place) => {
    state[place] = (state[place] + word) | 0;
  });
}

/**
 * Gives the 32 bytes of HMAC-SHA-256; no key of ours is longer than a block.
 * @param {Uint8Array} key
 * @param {Uint8Array} message
 */
export function hmac(key, message) {
  /** @type {(mask: number) => Uint8Array} */
  const pad = (mask) => Uint8Array.from({ length: 64 }, (_, at) => key[at] ^ mask);
  return sha256(concatBytes(pad(0x5c), sha256(concatBytes(pad(0x36), message))));
}

/**
 * Joins fields so that none can be mistaken for another: their count, then each with its length.
 * @param {...string | Uint8Array} fields
 */
export function encodeFields(...fields) {
  const parts = fields.map((field) => (typeof field === "string" ? new TextEncoder().encode(field) : field));
  return concatBytes(encodeUint32(parts.length), ...parts.flatMap((part) => [encodeUint32(part.length), part]));
}

/**
 * Writes a number as four bytes, the largest first.
 * @param {number} n
 */
export function encodeUint32(n) {
  return new Uint8Array([n >>> 24, n >>> 16, n >>> 8, n]);
}

/**
 * Writes bytes as hex.
 * @param {Uint8Array} bytes
 */
export function toHex(bytes) {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Reads bytes from hex.
 * @param {string} text
 */
export function fromHex(text) {
  return new Uint8Array((text.match(/../g) ?? []).map((pair) => parseInt(pair, 16)));
}

/**
 * Puts bytes one after another.
 * @param {...Uint8Array | number[]} parts
 */
export function concatBytes(...parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/**
 * Draws random bytes, as hexadecimal text.
 * @param {number} count
 */
export function randomHex(count) {
  return toHex(crypto.getRandomValues(new Uint8Array(count)));
}
