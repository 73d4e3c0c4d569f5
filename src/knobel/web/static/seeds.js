/* This device's part in the dice: a seed for each game, committed to before it begins and revealed when the table asks. */

import { encodeFields, encodeUint32, fromHex, randomHex, sha256, toHex } from "./sha256.js";

/** @type {Map<string, string>} */
const cache = new Map();

// Promises and reveals the seeds of this device.
export class SeedKeeper {
  /** @type {Set<string>} */
  inFlight;

  /** @param {(intent: Wire.Intent) => Promise<unknown>} sendIntent */
  constructor(sendIntent) {
    this.sendIntent = sendIntent;
    this.inFlight = new Set();
  }

  // Forgets what was on its way: after a new connection it is sent again.
  reset() {
    this.inFlight.clear();
  }

  /**
   * Promises the seed for the next game, under this device's lowest seat.
   * @param {Wire.RoomView} room
   */
  seal(room) {
    const seat = room.seats.findIndex((one) => one.yours);
    if (room.sealed || seat < 0) return;
    const seed = fromHex(loadSeed(room.next_game) ?? createSeed(room.next_game, room.commitment));
    const seal = toHex(sha256(encodeFields("yz-cs-v1", room.next_game, encodeUint32(seat), seed)));
    this.sendOnce(`${room.next_game}/${seat}`, { want: "seal", game: room.next_game, seal });
  }

  /**
   * Shows the seed once the table waits for it.
   * @param {GameView} view
   */
  reveal(view) {
    const seat = view.seats.findIndex((one) => one.yours);
    const seed = loadSeed(view.game);
    if (view.waiting.includes(seat) && seed) this.sendOnce(`${view.game}!`, { want: "reveal", seed });
  }

  /**
   * @param {string} key
   * @param {Wire.Intent} intent
   */
  sendOnce(key, intent) {
    if (this.inFlight.has(key)) return;
    this.inFlight.add(key);
    this.sendIntent(intent)
      .catch(() => {})
      .finally(() => this.inFlight.delete(key));
  }
}

/**
 * The seed of this device for a game, or null.
 * @param {string} game
 * @returns {string | null}
 */
export function loadSeed(game) {
  return cache.get(game) ?? readStorage(`knobel.seed.${game}`);
}

/**
 * What the server had promised for a game before this device drew its seed, or null.
 * @param {string} game
 */
export function loadPromise(game) {
  return readStorage(`knobel.promise.${game}`);
}

/**
 * @param {string} game
 * @param {string} promise
 */
function createSeed(game, promise) {
  const seed = randomHex(32);
  cache.set(game, seed);
  try {
    localStorage.setItem(`knobel.seed.${game}`, seed);
    localStorage.setItem(`knobel.promise.${game}`, promise);
  } catch {
    /* then it lives as long as this page */
  }
  return seed;
}

/** @param {string} key */
function readStorage(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
