/* Below the dice, where there is room: how the bonus goes, and the last moves. */

import { h, setChildren, setText } from "./dom.js";
import { hidesTurns } from "./table-model.js";
import { t } from "./translations.js";

const MOVES_SHOWN = 2;

export class TrayFacts {
  /** @type {string[]} */
  moves = [];

  constructor() {
    this.bonus = h("dt");
    this.pace = h("dd");
    this.last = h("dd");
    this.paceLine = h("div", {}, this.bonus, this.pace);
    this.lastLine = h("div", { hidden: true }, h("dt", {}, t("tray.last")), this.last);
    this.element = h("dl", { class: "facts" }, this.paceLine, this.lastLine);
  }

  /**
   * Remembers what a player has done.
   * @param {string} text
   */
  addMove(text) {
    if (!text) return;
    this.moves = [text, ...this.moves].slice(0, MOVES_SHOWN);
    this.lastLine.hidden = false;
    setChildren(
      this.last,
      this.moves.map((one) => h("p", {}, one)),
    );
  }

  /** @param {TableModel} model */
  draw({ view, seat, tray, family, gameInfo }) {
    // Nobody has a turn while all roll to see who starts, nor for those who watch turns that are hidden.
    const isWatched = hidesTurns(view) && !view.seats.some((one) => one.yours);
    const hasTurn = tray?.phase !== "rolloff" && !isWatched;
    const pace = hasTurn && view.seats[seat] ? family.describePace(view.seats[seat], gameInfo) : null;
    this.paceLine.hidden = !pace;
    const isShared = view.seats.length > 1;
    setText(this.bonus, pace ? (isShared ? `${pace.name}: ${view.seats[seat].name}` : pace.name) : "");
    setText(this.pace, pace ? `${pace.label} · ${pace.title}` : "");
    this.element.hidden = isWatched || (this.paceLine.hidden && this.lastLine.hidden);
  }
}
