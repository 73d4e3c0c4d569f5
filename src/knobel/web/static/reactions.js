/* Remarks in one tap, while another person plays. */

import { connection } from "./connection.js";
import { h } from "./dom.js";
import { isOwnPlayer } from "./table-model.js";
import { t } from "./translations.js";

/**
 * What can be said, the most usual first.
 * @type {Wire.SayRemark["remark"][]}
 */
export const REMARKS = ["well_played", "lucky", "ouch", "thanks", "your_turn", "moment", "hello", "again", "bye"];

/**
 * Whether somebody on another device could hear a remark.
 * @param {GameView} view
 */
export function hasListeners({ seats }) {
  return seats.some((seat) => seat.bot === null && !seat.yours && !seat.left);
}

// The row of remarks; folded away behind a word where something else comes first.
export class Reactions {
  /** @type {number} */
  seat = -1;

  /** @param {{ folded?: boolean }} [how] */
  constructor({ folded = false } = {}) {
    const row = h(
      "div",
      { class: "reactions", role: "group", "aria-label": t("player.say"), hidden: !folded },
      REMARKS.map((remark) =>
        h(
          "button",
          { class: "reaction", type: "button", "data-remark": remark, onclick: () => this.say(remark) },
          t(`remark.${remark}`),
        ),
      ),
    );
    this.element = folded
      ? h("details", { class: "fold", hidden: true }, h("summary", { "data-act": "say" }, t("player.say")), row)
      : row;
  }

  /** @param {Wire.SayRemark["remark"]} remark */
  say(remark) {
    connection.sendRemark(this.seat, remark);
  }

  /** @param {TableModel} model */
  draw({ view, mine, help, over }) {
    this.seat = view.seats.findIndex(isOwnPlayer);
    const playing = !over && (mine || help !== null || view.waiting.length > 0);
    this.element.hidden = this.seat < 0 || !hasListeners(view) || playing;
  }
}
