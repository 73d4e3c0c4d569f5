/* The correction of a turn in a round: its dice, in how many rolls an opener rolled them, and how everybody stood. */

import { CorrectionDialog, openCorrection } from "./correction-dialog.js";
import { h, setChildren } from "./dom.js";
import { drawFaces } from "./keypad.js";
import { writeEnterDice } from "./notation.js";
import { describeStand } from "./rounds-words.js";
import { t } from "./translations.js";

/** @extends {CorrectionDialog<Wire.RoundTurnView>} */
class RoundCorrection extends CorrectionDialog {
  /** @type {number} */
  rollCount;

  start() {
    const { dice, rolled, opens } = this.turn;
    this.values = [...dice];
    this.rollCount = opens ? rolled : 0;
    setChildren(this.body, this.dieSlots, this.keypad.element, this.choices);
    this.drawDice(this.rollCount);
    this.showOptions(this.turn, this.values);
  }

  get isEnteringDice() {
    return true;
  }

  describeEntry() {
    const { dice, round } = this.turn;
    return [
      t("rounds.round"),
      " ",
      String(round),
      ": ",
      h("b", {}, String(sumOf(dice))),
      drawFaces(dice, this.gameInfo.faces),
    ];
  }

  buildTabs() {
    return null;
  }

  updateDice() {
    this.showRefusal(null);
    this.drawDice(this.rollCount);
    this.fetchOptions(this.rollCount);
  }

  /** @param {number} n */
  setRollCount(n) {
    this.rollCount = n;
    this.updateDice();
  }

  /**
   * @param {Wire.RoundTurnView} turn
   * @param {number[]} values
   */
  showOptions({ dice, stands }, values) {
    /** @type {(way: Wire.StandView) => boolean} */
    const same = (way) => this.turn.aim === way.aim && String(this.turn.dice) === String(dice);
    /** @type {(way: Wire.StandView) => string[]} */
    const actions = (way) => [writeEnterDice(values, this.rollCount), way.action];
    setChildren(
      this.choices,
      h(
        "div",
        { class: "rows" },
        stands.map((way) =>
          h(
            "button",
            {
              class: `correction-row stay${same(way) ? " current" : ""}`,
              type: "button",
              "data-stand": way.aim ?? "here",
              onclick: () => this.sendIntent({ want: "correct", actions: actions(way) }),
            },
            describeStand(way, sumOf(dice)),
          ),
        ),
      ),
    );
  }
}

/** @param {number[]} dice */
function sumOf(dice) {
  return dice.reduce((sum, die) => sum + die, 0);
}

/**
 * @param {RealDicePad} pad
 * @param {number} seat
 * @param {string} entry
 */
export function openRoundCorrection(pad, seat, entry) {
  return openCorrection(RoundCorrection, pad, seat, entry);
}
