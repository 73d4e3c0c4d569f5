/* The coach at the table: hints on demand, the running ledger and the win bar. */

import { showToast } from "./dialogs.js";
import { findMissing } from "./extras.js";
import { prefs } from "./prefs.js";
import { t } from "./translations.js";
import { isWinBarOn } from "./win-bar-switch.js";

// What the coach shows at one table.
export class TableCoach {
  /** @type {Promise<LedgerLine> | null} */
  ledger;
  /** @type {Promise<WinBar> | null} */
  winBar = null;
  /** @type {Promise<void> | null} */
  request;
  /** @type {HintPanel | null} */
  panel;

  /** @param {TablePage} table */
  constructor(table) {
    this.table = table;
    this.reset();
  }

  reset() {
    this.winBar?.then((bar) => bar.stop()).catch(() => {});
    this.panel = this.request = this.ledger = this.winBar = null;
  }

  // Whether there is anything to advise on here.
  get canAsk() {
    const { tray } = this.table.model ?? {};
    if (!tray || !this.table.canAct || this.table.model.view.duplicate) return false;
    return (tray.dice.length > 0 || tray.phase === "announce") && tray.phase !== "land";
  }

  // Asks what is best; the page says first that this is noted.
  ask() {
    if (!this.canAsk || this.table.gate.isBusy || this.request || this.panel) return false;
    const reason = findMissing("solver");
    if (reason) {
      showToast(reason);
      return true;
    }
    this.request = import("./hint.js")
      .then(({ requestHint }) => requestHint(this.table))
      .then((panel) => {
        this.panel = panel;
        if (panel) this.table.draw();
      })
      .catch(() => showToast(t("table.no_hint")))
      .finally(() => {
        this.request = null;
      });
    return true;
  }

  close() {
    const { panel } = this;
    panel?.close();
    return Boolean(panel);
  }

  /** @param {TableModel} model */
  draw(model) {
    if (model.view.duplicate) return;
    this.panel?.draw(model);
    if (!findMissing("solver") && (this.ledger || prefs.get("ledger"))) this.drawLedger(model);
    if (this.winBar || isWinBarOn()) this.drawWinBar(model);
  }

  /**
   * Shows who will win below the dice, if that is switched on.
   * @param {TableModel} model
   */
  drawWinBar(model) {
    this.winBar ??= import("./win-bar.js").then(({ WinBar }) => new WinBar(this.table.tray.notes));
    this.winBar
      .then((bar) => bar.draw(model))
      .catch(() => {
        this.winBar = null;
      });
  }

  /**
   * Shows the running ledger under the totals, if it is switched on.
   * @param {TableModel} model
   */
  drawLedger(model) {
    this.ledger ??= import("./ledger.js").then(({ LedgerLine }) => new LedgerLine(this.table.board.element));
    this.ledger
      .then((ledger) => ledger.draw(model))
      .catch(() => {
        this.ledger = null;
      });
  }
}
