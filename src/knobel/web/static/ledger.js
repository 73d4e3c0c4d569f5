/* The running ledger: par, luck and what was given away so far, under one's own total, for whoever wants it. */

import { h, write } from "./dom.js";
import { figure, signedFigure } from "./figures.js";
import { house } from "./house.js";
import { isOver } from "./model.js";
import { isScreen } from "./app.js";
import { mayHelp } from "./consent.js";
import { prefs } from "./prefs.js";
import { t } from "./words.js";

// The line of one table; it asks the house after each of one's own turns, and nobody who has not agreed.
export class Ledger {
  constructor(board) {
    this.element = h("p", { class: "ledger", role: "status", hidden: true });
    this.found = new Map();
    this.declined = new Set();
    this.busy = false;
    this.seat = null;
    board.append(this.element);
  }

  draw(model) {
    this.model = model;
    const { view, mine, seat } = model;
    const own = view.seats.flatMap((one, place) => (one.yours && one.bot === null && !one.left ? [place] : []));
    if (mine) this.seat = seat;
    else if (!own.includes(this.seat)) this.seat = own[0] ?? null;
    const known = this.found.get(this.seat);
    this.element.hidden = !prefs.get("ledger") || isScreen() || this.seat === null || !known?.unit;
    if (!this.element.hidden) write(this.element, t(`hint.ledger_${known.unit}`, { par: figure(known.par), luck: signedFigure(known.luck), lost: figure(known.lost) }));
    if (prefs.get("ledger") && !isScreen() && this.seat !== null) this.ask();
  }

  // Asks for new figures where a turn of one's own was finished or taken back since.
  async ask() {
    const { view, mine } = this.model;
    const seat = this.seat, when = turnOf(view, seat);
    const { assisted } = view.seats[seat];
    if (this.busy || this.declined.has(seat) || this.found.get(seat)?.when === when || view.closed || view.waiting.length) return;
    if (!assisted && (!mine || isOver(view))) return;
    this.busy = true;
    try {
      if (!await mayHelp(view, seat, "ledger")) this.declined.add(seat);
      else this.found.set(seat, { ...await house.command({ do: "ledger", room: house.roomId, seat }), when });
    } catch {
      this.found.set(seat, { ...this.found.get(seat), when });
    } finally {
      this.busy = false;
    }
    if (this.element.isConnected) this.draw(this.model);
  }
}

// Changes whenever a turn of a seat is over: a box more on its sheet, or a total more in its round.
function turnOf(view, seat) {
  const { entries, total } = view.seats[seat];
  return entries ? String(entries) : `${view.round} ${total !== null}`;
}
