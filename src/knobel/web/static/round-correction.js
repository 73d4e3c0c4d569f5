/* The correction of a turn in a round: its dice, in how many rolls an opener rolled them, and how everybody stood. */

import { CorrectionDialog } from "./correction-dialog.js";
import { h, setChildren } from "./dom.js";
import { writeEnterDice } from "./notation.js";
import { describeStand } from "./rounds-words.js";
import { t } from "./translations.js";

export class RoundCorrection extends CorrectionDialog {
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
    return [t("rounds.round"), " ", String(round), ": ", h("b", {}, String(sumOf(dice))), this.drawFaces(dice)];
  }

  buildTabs() {
    return null;
  }

  updateDice() {
    this.showRefusal(null);
    this.drawDice(this.rollCount);
    this.fetchOptions(this.rollCount);
  }

  setRollCount(n) {
    this.rollCount = n;
    this.updateDice();
  }

  showOptions({ dice, stands }, values) {
    const same = (way) => this.turn.aim === way.aim && String(this.turn.dice) === String(dice);
    const actions = (way) => [writeEnterDice(values, this.rollCount), way.action];
    setChildren(this.choices, h("div", { class: "rows" }, stands.map((way) => h("button", { class: `mend-row stay${same(way) ? " stands" : ""}`, type: "button", "data-stand": way.aim ?? "here",
      onclick: () => this.sendIntent({ want: "correct", actions: actions(way) }) }, describeStand(way, sumOf(dice))))));
  }
}

function sumOf(dice) {
  return dice.reduce((sum, die) => sum + die, 0);
}
