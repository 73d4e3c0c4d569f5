/* Whoever keeps the table waiting for a seed is named to the host after ten seconds. */

const SEEDS_LATE = 10_000;

// Watches for whom a table waits; redraw is called once somebody is late.
export class Lateness {
  constructor(redraw) {
    this.redraw = redraw;
    this.ones = [];
    this.since = null;
  }

  // Looks at a position, for the host of the room.
  watch(view, host) {
    const others = view.waiting.filter((seat) => !view.seats[seat].yours);
    this.since = others.length ? this.since ?? Date.now() : null;
    this.stop();
    const left = this.since + SEEDS_LATE - Date.now();
    this.ones = others.length && host && left <= 0 ? others.map((seat) => ({ seat, name: view.seats[seat].name })) : [];
    if (others.length && host && left > 0) this.timer = setTimeout(() => { this.watch(view, host); this.redraw(); }, left);
  }

  stop() {
    clearTimeout(this.timer);
  }
}
