/* A finished game: where it stood after each of its events, fetched once, the neighbours before they are asked for. */

import { getJson } from "./api.js";
import { getLanguage } from "./translations.js";

const MAX_CACHED = 400;

// The positions of one game; they never change, so what was fetched stays.
export class ReviewClient {
  /** @type {Map<number, Promise<Position>>} */
  requests;
  /** @type {Map<number, Position>} */
  positions;

  /** @param {string} game */
  constructor(game) {
    this.baseUrl = `/api/games/${encodeURIComponent(game)}`;
    this.positions = new Map();
    this.requests = new Map();
  }

  /**
   * The review of a seat; without one, of the first person's.
   * @param {number | null} seat
   * @returns {Promise<ReviewData>}
   */
  fetchReview(seat) {
    return getJson(`${this.baseUrl}/review?lang=${getLanguage()}${seat === null ? "" : `&seat=${seat}`}`);
  }

  /**
   * Everybody's chance to win through the game, or how far the server is with it.
   * @param {number} seat
   * @param {boolean} levels
   * @returns {Promise<{ progress: number, chart: WinChartData | null }>}
   */
  fetchWinChart(seat, levels) {
    return getJson(`${this.baseUrl}/wins?lang=${getLanguage()}&seat=${seat}${levels ? "&levels=1" : ""}`);
  }

  /**
   * What could be chosen at a decision.
   * @param {number} event
   * @param {number} seat
   * @returns {Promise<RetryData>}
   */
  fetchDecision(event, seat) {
    return getJson(`${this.baseUrl}/decisions/${event}?lang=${getLanguage()}&seat=${seat}`);
  }

  /**
   * What a choice would have cost there.
   * @param {number} event
   * @param {number} seat
   * @param {string} action
   * @returns {Promise<RetryAnswer>}
   */
  judgeChoice(event, seat, action) {
    const chosen = `action=${encodeURIComponent(action)}`;
    return getJson(`${this.baseUrl}/decisions/${event}?lang=${getLanguage()}&seat=${seat}&${chosen}`);
  }

  /**
   * What is known of a position already, or nothing.
   * @param {number} event
   */
  cachedPosition(event) {
    return this.positions.get(event);
  }

  /**
   * Where the game stood after an event.
   * @param {number} event
   * @returns {Promise<Position>}
   */
  fetchPosition(event) {
    const known = this.positions.get(event);
    if (known) return Promise.resolve(known);
    const asked = this.requests.get(event);
    if (asked) return asked;
    const request = getJson(`${this.baseUrl}/positions/${event}?lang=${getLanguage()}`)
      .then(({ position }) => this.cachePosition(event, position))
      .finally(() => this.requests.delete(event));
    this.requests.set(event, request);
    return request;
  }

  /**
   * Fetches positions nobody has asked for yet, one after the other, as long as nobody asks for another.
   * @param {number[]} events
   * @param {() => boolean} wanted
   */
  async prefetch(events, wanted) {
    for (const event of events) {
      if (!wanted()) return;
      await this.fetchPosition(event).catch(() => {});
    }
  }

  /**
   * @param {number} event
   * @param {Position} position
   */
  cachePosition(event, position) {
    this.positions.set(event, position);
    if (this.positions.size > MAX_CACHED) this.positions.delete([...this.positions.keys()][0]);
    return position;
  }
}
