/* A finished game: where it stood after each of its events, fetched once, the neighbours before they are asked for. */

import { getJson } from "./api.js";
import { getLanguage } from "./translations.js";

const MAX_CACHED = 400;

// The positions of one game; they never change, so what was fetched stays.
export class ReviewClient {
  constructor(game) {
    this.baseUrl = `/api/games/${encodeURIComponent(game)}`;
    this.positions = new Map();
    this.requests = new Map();
  }

  // The review of a seat; without one, of the first person's.
  fetchReview(seat) {
    return getJson(`${this.baseUrl}/review?lang=${getLanguage()}${seat === null ? "" : `&seat=${seat}`}`);
  }

  // What is known of a position already, or nothing.
  cachedPosition(event) {
    return this.positions.get(event);
  }

  // Where the game stood after an event.
  fetchPosition(event) {
    if (this.positions.has(event)) return Promise.resolve(this.positions.get(event));
    if (!this.requests.has(event)) {
      this.requests.set(event, getJson(`${this.baseUrl}/positions/${event}?lang=${getLanguage()}`)
        .then(({ position }) => this.cachePosition(event, position)).finally(() => this.requests.delete(event)));
    }
    return this.requests.get(event);
  }

  // Fetches positions nobody has asked for yet, one after the other, as long as nobody asks for another.
  async prefetch(events, wanted) {
    for (const event of events) {
      if (!wanted()) return;
      await this.fetchPosition(event).catch(() => {});
    }
  }

  cachePosition(event, position) {
    this.positions.set(event, position);
    if (this.positions.size > MAX_CACHED) this.positions.delete(this.positions.keys().next().value);
    return position;
  }
}
