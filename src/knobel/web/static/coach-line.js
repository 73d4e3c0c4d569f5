/* One sentence of the coach at the end of a game, where its book is solved. */

import { fetchSummary } from "./api.js";
import { h, setText } from "./dom.js";
import { findOnlyYou } from "./table-model.js";
import { getLanguage } from "./translations.js";

export class CoachLine {
  /** @type {string | null} */
  asked = null;

  constructor() {
    this.element = h("p", { class: "coach-line", role: "status" });
  }

  /**
   * Asks once a game is over, for the only player on this device.
   * @param {TableModel} model
   */
  async draw({ view }) {
    const seat = findOnlyYou(view);
    const key = view.closed === "over" && seat >= 0 ? `${view.game}/${seat}` : null;
    this.element.hidden = key === null;
    if (key === this.asked) return;
    this.asked = key;
    setText(this.element, "");
    if (key === null) return;
    const text = await fetchSummary(view.game, seat, getLanguage()).catch(() => null);
    if (this.asked === key) setText(this.element, text ?? "");
  }
}
