/* The running ledger: par, luck and points lost so far, under the player's total; optional. */

import { connection } from "./connection.js";
import { confirmAssistance } from "./consent.js";
import { h, setText } from "./dom.js";
import { formatNumber, formatSigned } from "./number-format.js";
import { prefs } from "./prefs.js";
import { isBigScreen } from "./router.js";
import { isGameOver, isOwnPlayer } from "./table-model.js";
import { showTooltip } from "./tooltip.js";
import { hasText, loadParts, t } from "./translations.js";

// The line of one table; it asks the server after each of one's own turns, and nobody who has not agreed.
export class LedgerLine {
  /** @type {TableModel} */
  model;
  /** @type {number | null} */
  seat;
  /** @type {Set<number>} */
  declined;
  /** @type {Map<number, { ledger?: Wire.LedgerMessage, when: string }>} */
  figures;

  /** @param {HTMLElement} board */
  constructor(board) {
    this.figuresButton = h("button", {
      class: "explained",
      type: "button",
      "data-act": "explain-ledger",
      onclick: () => this.explain(),
    });
    this.element = h("p", { class: "ledger", role: "status", hidden: true }, this.figuresButton);
    this.figures = new Map();
    this.declined = new Set();
    this.isBusy = false;
    this.seat = null;
    board.append(this.element);
  }

  /** @param {TableModel} model */
  draw(model) {
    this.model = model;
    const { view, mine, seat } = model;
    const own = view.seats.flatMap((one, place) => (isOwnPlayer(one) && !one.left ? [place] : []));
    if (mine) this.seat = seat;
    else if (this.seat === null || !own.includes(this.seat)) this.seat = own[0] ?? null;
    const known = this.seat === null ? undefined : this.figures.get(this.seat)?.ledger;
    this.element.hidden = !prefs.get("ledger") || isBigScreen() || !known;
    if (known) setText(this.figuresButton, describeLedger(known));
    if (prefs.get("ledger") && !isBigScreen() && this.seat !== null) this.fetchFigures(this.seat);
  }

  // Says what the figures mean, in the words of the review.
  async explain() {
    const unit = this.seat === null ? undefined : this.figures.get(this.seat)?.ledger?.unit;
    await loadParts("review");
    showTooltip(
      this.figuresButton,
      t(hasText(`review.means_${unit}`) ? `review.means_${unit}` : "review.means_percent"),
    );
  }

  /**
   * Asks for new figures where a turn of one's own was finished or undone since.
   * @param {number} seat
   */
  async fetchFigures(seat) {
    const { view, mine } = this.model;
    const when = this.model.family.turnKey(view, seat);
    const { assisted } = view.seats[seat];
    if (
      this.isBusy ||
      this.declined.has(seat) ||
      this.figures.get(seat)?.when === when ||
      view.closed ||
      view.waiting.length
    )
      return;
    if (!assisted && (!mine || isGameOver(view))) return;
    this.isBusy = true;
    try {
      if (!(await confirmAssistance(view, seat, "ledger"))) this.declined.add(seat);
      else this.figures.set(seat, { ledger: await connection.sendCommand({ do: "ledger", seat }), when });
    } catch {
      this.figures.set(seat, { ...this.figures.get(seat), when });
    } finally {
      this.isBusy = false;
    }
    if (this.element.isConnected) this.draw(this.model);
  }
}

/**
 * Says how a seat is doing: in points, and where it is known in chances to win.
 * @param {Wire.LedgerMessage} known
 */
function describeLedger({ unit, par, luck, lost, win_luck: winLuck, win_lost: winLost }) {
  const ledger = t(`hint.ledger_${unit}`, {
    par: formatNumber(par),
    luck: formatSigned(luck),
    lost: formatNumber(lost),
  });
  if (winLuck === null || winLost === null) return ledger;
  return t("hint.ledger_win", { ledger, luck: formatSigned(100 * winLuck), choices: formatSigned(100 * winLost) });
}
