/* A game that is over as a film: where it stood after each of its events, fetched once, the neighbours before they are asked for. */

import { language } from "./words.js";

const KEPT = 400;

// The film of one game; it never changes, so what was fetched stays.
export class Film {
  constructor(game) {
    this.address = `/api/games/${encodeURIComponent(game)}`;
    this.known = new Map();
    this.fetching = new Map();
  }

  // The review of a seat; without one, of the first person's.
  review(seat) {
    return asked(`${this.address}/review?lang=${language()}${seat === null ? "" : `&seat=${seat}`}`);
  }

  // What is known of a position already, or nothing.
  seen(event) {
    return this.known.get(event);
  }

  // Where the game stood after an event.
  at(event) {
    if (this.known.has(event)) return Promise.resolve(this.known.get(event));
    if (!this.fetching.has(event)) {
      this.fetching.set(event, asked(`${this.address}/at/${event}?lang=${language()}`)
        .then(({ position }) => this.keep(event, position)).finally(() => this.fetching.delete(event)));
    }
    return this.fetching.get(event);
  }

  // Fetches positions nobody has asked for yet, one after the other, as long as nobody asks for another.
  async ahead(events, wanted) {
    for (const event of events) {
      if (!wanted()) return;
      await this.at(event).catch(() => {});
    }
  }

  keep(event, position) {
    this.known.set(event, position);
    if (this.known.size > KEPT) this.known.delete(this.known.keys().next().value);
    return position;
  }
}

async function asked(address) {
  const answer = await fetch(address).catch(() => null);
  const said = await answer?.json().catch(() => null);
  if (!answer?.ok || !said) throw { code: said?.code, text: said?.text };
  return said;
}
