/* After ten seconds, tells the host which players have not revealed their seed. */

const LATE_AFTER = 10_000;

// Tracks which seeds a table waits for; redraw is called once one is late.
export class LateSeedWatcher {
  /** @type {number | undefined} */
  timer;
  /** @type {number | null} */
  waitingSince;
  /** @type {TableModel["late"]} */
  latePlayers;

  /** @param {() => void} redraw */
  constructor(redraw) {
    this.redraw = redraw;
    this.latePlayers = [];
    this.waitingSince = null;
  }

  /**
   * Looks at a position, for the host of the room.
   * @param {GameView} view
   * @param {boolean | undefined} host
   */
  watch(view, host) {
    const others = view.waiting.filter((seat) => !view.seats[seat].yours);
    this.waitingSince = others.length ? (this.waitingSince ?? Date.now()) : null;
    this.stop();
    const left = (this.waitingSince ?? 0) + LATE_AFTER - Date.now();
    this.latePlayers =
      others.length && host && left <= 0 ? others.map((seat) => ({ seat, name: view.seats[seat].name })) : [];
    if (others.length && host && left > 0)
      this.timer = setTimeout(() => {
        this.watch(view, host);
        this.redraw();
      }, left);
  }

  stop() {
    clearTimeout(this.timer);
  }
}
