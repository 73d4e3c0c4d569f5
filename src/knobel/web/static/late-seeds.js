/* Whoever keeps the table waiting for a seed is named to the host after ten seconds. */

const LATE_AFTER = 10_000;

// Watches for whom a table waits; redraw is called once somebody is late.
export class LateSeedWatcher {
  constructor(redraw) {
    this.redraw = redraw;
    this.latePlayers = [];
    this.waitingSince = null;
  }

  // Looks at a position, for the host of the room.
  watch(view, host) {
    const others = view.waiting.filter((seat) => !view.seats[seat].yours);
    this.waitingSince = others.length ? this.waitingSince ?? Date.now() : null;
    this.stop();
    const left = this.waitingSince + LATE_AFTER - Date.now();
    this.latePlayers = others.length && host && left <= 0 ? others.map((seat) => ({ seat, name: view.seats[seat].name })) : [];
    if (others.length && host && left > 0) this.timer = setTimeout(() => { this.watch(view, host); this.redraw(); }, left);
  }

  stop() {
    clearTimeout(this.timer);
  }
}
