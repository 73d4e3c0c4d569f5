/* The running ledger: par, luck and points lost so far, under the player's total; optional. */

import { h, setText } from "./dom.js";
import { formatNumber, formatSigned } from "./number-format.js";
import { connection } from "./connection.js";
import { isGameOver, isOwnPlayer } from "./table-model.js";
import { isBigScreen } from "./router.js";
import { confirmAssistance } from "./consent.js";
import { prefs } from "./prefs.js";
import { t } from "./translations.js";

// The line of one table; it asks the server after each of one's own turns, and nobody who has not agreed.
export class LedgerLine {
  constructor(board) {
    this.element = h("p", { class: "ledger", role: "status", hidden: true });
    this.figures = new Map();
    this.declined = new Set();
    this.isBusy = false;
    this.seat = null;
    board.append(this.element);
  }

  draw(model) {
    this.model = model;
    const { view, mine, seat } = model;
    const own = view.seats.flatMap((one, place) => (isOwnPlayer(one) && !one.left ? [place] : []));
    if (mine) this.seat = seat;
    else if (!own.includes(this.seat)) this.seat = own[0] ?? null;
    const known = this.figures.get(this.seat);
    this.element.hidden = !prefs.get("ledger") || isBigScreen() || this.seat === null || !known?.unit;
    if (!this.element.hidden) setText(this.element, t(`hint.ledger_${known.unit}`, { par: formatNumber(known.par), luck: formatSigned(known.luck), lost: formatNumber(known.lost) }));
    if (prefs.get("ledger") && !isBigScreen() && this.seat !== null) this.fetchFigures();
  }

  // Asks for new figures where a turn of one's own was finished or undone since.
  async fetchFigures() {
    const { view, mine } = this.model;
    const seat = this.seat, when = this.model.family.turnKey(view, seat);
    const { assisted } = view.seats[seat];
    if (this.isBusy || this.declined.has(seat) || this.figures.get(seat)?.when === when || view.closed || view.waiting.length) return;
    if (!assisted && (!mine || isGameOver(view))) return;
    this.isBusy = true;
    try {
      if (!await confirmAssistance(view, seat, "ledger")) this.declined.add(seat);
      else this.figures.set(seat, { ...await connection.sendCommand({ do: "ledger", seat }), when });
    } catch {
      this.figures.set(seat, { ...this.figures.get(seat), when });
    } finally {
      this.isBusy = false;
    }
    if (this.element.isConnected) this.draw(this.model);
  }
}
