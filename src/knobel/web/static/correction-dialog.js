/* Another entry in place of one that was wrong; what came after it is played again. */

import { connection } from "./connection.js";
import { openModal, showToast } from "./dialogs.js";
import { h, setChildren } from "./dom.js";
import { Keypad, drawFace } from "./keypad.js";
import { describeDice } from "./notation.js";
import { enableArrowKeys } from "./points-picker.js";
import { t } from "./translations.js";

// Asks the server what the turn behind an entry was, and what it could be with other dice.
async function fetchTurn(seat, entry, dice = "") {
  return (await connection.sendCommand({ do: "turn", seat, box: entry, dice })).view;
}

/* What all corrections have: a sheet of paper, keys for dice, and what the server says against them. Each kind adds
   start(), describeEntry(), buildTabs(), updateDice(), showOptions(turn, dice) and isEnteringDice. */
export class CorrectionDialog {
  // Opens the correction of an entry of a seat.
  static async open(pad, seat, entry) {
    await pad.queue.whenIdle();
    try {
      new this(pad, seat, entry, await fetchTurn(seat, entry)).open();
    } catch (refused) {
      showToast(refused.text ?? t("pad.no_server"));
    }
  }

  constructor(pad, seat, entry, turn) {
    Object.assign(this, { pad, seat, entry, turn, values: [], requests: 0 });
    this.gameInfo = pad.gameInfo;
    this.errorLine = h("p", { class: "wrong", role: "alert", hidden: true });
    this.body = enableArrowKeys(h("div", { class: "mending" }));
    this.dieSlots = h("div", { class: "slots", role: "status" });
    this.choices = h("div", {});
    this.keypad = new Keypad(this.gameInfo, { face: (value) => this.enterFace(value), erase: () => this.enterFace(0), rolls: (n) => this.setRollCount(n) });
  }

  open() {
    const { name } = this.pad.table.model.view.seats[this.seat];
    this.dialog = h("dialog", { class: "paper picker correct", "aria-labelledby": "correct-title" },
      h("div", { class: "dialog-head" }, h("h2", { id: "correct-title" }, t("table.correct"), " ", h("small", {}, name)),
        h("button", { class: "quiet", type: "button", "data-act": "close", onclick: () => this.dialog.close() }, t("pad.close"))),
      h("p", { class: "entered" }, this.describeEntry()), this.errorLine, this.buildTabs(), this.body);
    this.dialog.addEventListener("keydown", (event) => this.handleKey(event));
    openModal(this.dialog);
    this.start();
    this.focusCurrent();
  }

  // The focus goes to what stands there, or to the first that can be pressed.
  focusCurrent() {
    (this.body.querySelector(".stands") ?? this.body.querySelector("button:not(:disabled)") ?? this.dialog).focus({ preventScroll: true });
  }

  drawFaces(values) {
    return h("span", { class: "showed" }, values.map((value) => drawFace(value, this.gameInfo.faces)));
  }

  drawDice(rolls = 0) {
    const empty = Array.from({ length: this.gameInfo.dice - this.values.length }, () => h("i", { class: "slot" }));
    setChildren(this.dieSlots, h("span", { class: "unseen" }, this.values.join(" ")), this.values.map((value) => drawFace(value, this.gameInfo.faces)), empty);
    this.keypad.draw({ prompt: t("pad.correct_dice_ask"), canEnter: this.values.length < this.gameInfo.dice, canErase: this.values.length > 0, rolls });
  }

  enterFace(value) {
    if (value > this.gameInfo.faces || (value && this.values.length >= this.gameInfo.dice)) return;
    this.values = value ? [...this.values, value] : this.values.slice(0, -1);
    this.updateDice();
  }

  // Once all dice are entered, the server says what they score; only the last question counts.
  async fetchOptions(rolls = 0) {
    const request = this.requests += 1;
    setChildren(this.choices);
    if (!this.dialog.contains(document.activeElement)) this.focusCurrent();
    if (this.values.length < this.gameInfo.dice) return;
    const { values } = this;
    try {
      const turn = await fetchTurn(this.seat, this.entry, describeDice(values, rolls));
      if (request === this.requests) this.showOptions(turn, values);
    } catch (refused) {
      this.showRefusal(refused);
    }
  }

  handleKey(event) {
    if (!this.isEnteringDice || event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^[1-9]$/.test(event.key)) this.enterFace(Number(event.key));
    else if (event.key === "Backspace") this.enterFace(0);
    else return;
    event.preventDefault();
  }

  setRollCount() {}

  // Sends what should have been; the sheet stays open with the reason if that cannot be.
  async sendIntent(intent) {
    if (this.isSending) return;
    const { ply } = this.pad.table.position.view.seats[this.seat];
    this.showRefusal(null);
    this.isSending = true;
    try {
      await connection.sendIntent({ ...intent, seat: this.seat, ply, box: this.entry });
      this.dialog.close();
    } catch (refused) {
      this.showRefusal(refused);
    }
    this.isSending = false;
  }

  showRefusal(refused) {
    this.errorLine.hidden = !refused;
    setChildren(this.errorLine, refused && [h("b", {}, t("pad.stays")), " ", refused.text ?? String(refused)]);
    if (refused) this.errorLine.scrollIntoView({ block: "nearest" });
  }
}
