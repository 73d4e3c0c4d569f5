/* Another entry in place of one that was wrong; what came after it is played again. */

import { connection } from "./connection.js";
import { openModal, showToast } from "./dialogs.js";
import { find, h, setChildren } from "./dom.js";
import { drawFace, Keypad } from "./keypad.js";
import { describeDice } from "./notation.js";
import { enableArrowKeys } from "./points-picker.js";
import { asRefusal } from "./required.js";
import { t } from "./translations.js";

/**
 * Asks the server what the turn behind an entry was, and what it could be with other dice.
 * @param {number} seat
 * @param {string} entry
 * @param {string} [dice]
 * @returns {Promise<TurnMessage["view"]>}
 */
async function fetchTurn(seat, entry, dice = "") {
  return (await connection.sendCommand({ do: "turn", seat, box: entry, dice })).view;
}

/* What all corrections have: a sheet of paper, keys for dice, and what the server says against them. Each kind
   says what its entry was, and what it could be instead. */
/** @template {TurnMessage["view"]} Turn */
export class CorrectionDialog {
  /** @type {HTMLDialogElement} */
  dialog;
  /** @type {boolean} */
  isSending;
  /** @type {number[]} */
  values;

  /**
   * @param {RealDicePad} pad
   * @param {number} seat
   * @param {string} entry
   * @param {Turn} turn
   */
  constructor(pad, seat, entry, turn) {
    this.pad = pad;
    this.seat = seat;
    this.entry = entry;
    this.turn = turn;
    this.values = [];
    this.requests = 0;
    this.gameInfo = pad.gameInfo;
    this.errorLine = h("p", { class: "wrong", role: "alert", hidden: true });
    this.body = enableArrowKeys(h("div", { class: "correction" }));
    this.dieSlots = h("div", { class: "slots", role: "status" });
    this.choices = h("div", {});
    this.keypad = new Keypad(this.gameInfo, {
      face: (value) => this.enterFace(value),
      erase: () => this.enterFace(0),
      rolls: (n) => this.setRollCount(n),
    });
  }

  open() {
    const { name } = this.pad.table.model.view.seats[this.seat];
    this.dialog = h(
      "dialog",
      { class: "paper picker correct", "aria-labelledby": "correct-title" },
      h(
        "div",
        { class: "dialog-head" },
        h("h2", { id: "correct-title" }, t("table.correct"), " ", h("small", {}, name)),
        h(
          "button",
          { class: "quiet", type: "button", "data-act": "close", onclick: () => this.dialog.close() },
          t("pad.close"),
        ),
      ),
      h("p", { class: "current-entry" }, this.describeEntry()),
      this.errorLine,
      this.buildTabs(),
      this.body,
    );
    this.dialog.addEventListener("keydown", (event) => handleKey(this, event));
    openModal(this.dialog);
    this.start();
    this.focusCurrent();
  }

  // The focus goes to what stands there, or to the first that can be pressed.
  focusCurrent() {
    (find(this.body, ".current") ?? find(this.body, "button:not(:disabled)") ?? this.dialog).focus({
      preventScroll: true,
    });
  }

  /** @param {number} [rolls] */
  drawDice(rolls = 0) {
    const empty = Array.from({ length: this.gameInfo.dice - this.values.length }, () => h("i", { class: "slot" }));
    setChildren(
      this.dieSlots,
      h("span", { class: "unseen" }, this.values.join(" ")),
      this.values.map((value) => drawFace(value, this.gameInfo.faces)),
      empty,
    );
    this.keypad.draw({
      prompt: t("pad.correct_dice_ask"),
      canEnter: this.values.length < this.gameInfo.dice,
      canErase: this.values.length > 0,
      rolls,
    });
  }

  /** @param {number} value */
  enterFace(value) {
    if (value > this.gameInfo.faces || (value && this.values.length >= this.gameInfo.dice)) return;
    this.values = value ? [...this.values, value] : this.values.slice(0, -1);
    this.updateDice();
  }

  /**
   * Once all dice are entered, the server says what they score; only the last question counts.
   * @param {number} [rolls]
   */
  async fetchOptions(rolls = 0) {
    this.requests += 1;
    const request = this.requests;
    setChildren(this.choices);
    if (!this.dialog.contains(document.activeElement)) this.focusCurrent();
    if (this.values.length < this.gameInfo.dice) return;
    const { values } = this;
    try {
      const turn = await fetchTurn(this.seat, this.entry, describeDice(values, rolls));
      if (request === this.requests) this.showOptions(/** @type {Turn} */ (turn), values);
    } catch (refused) {
      this.showRefusal(asRefusal(refused));
    }
  }

  // What each kind of correction says and does.
  start() {}

  /** @returns {Child} */
  describeEntry() {
    return null;
  }

  /** @returns {Child} */
  buildTabs() {
    return null;
  }

  updateDice() {}

  get isEnteringDice() {
    return false;
  }

  /** @param {number} _n */
  setRollCount(_n) {}

  /**
   * @param {Turn} _turn
   * @param {number[]} _dice
   */
  showOptions(_turn, _dice) {}

  /**
   * Sends what should have been; the sheet stays open with the reason if that cannot be.
   * @param {CorrectionIntent} intent
   */
  async sendIntent(intent) {
    if (this.isSending) return;
    const { ply } = this.pad.table.position.view.seats[this.seat];
    this.showRefusal(null);
    this.isSending = true;
    try {
      const { seat, entry: box } = this;
      await connection.sendIntent({ ...intent, seat, ply, box });
      this.dialog.close();
    } catch (refused) {
      this.showRefusal(asRefusal(refused));
    }
    this.isSending = false;
  }

  /** @param {Refusal | null} refused */
  showRefusal(refused) {
    this.errorLine.hidden = !refused;
    setChildren(this.errorLine, refused && [h("b", {}, t("pad.stays")), " ", refused.text ?? String(refused)]);
    if (refused) this.errorLine.scrollIntoView({ block: "nearest" });
  }
}

/**
 * Opens a kind of correction for an entry of a seat.
 * @template {TurnMessage["view"]} Turn
 * @param {new (pad: RealDicePad, seat: number, entry: string, turn: Turn) => CorrectionDialog<Turn>} Correction
 * @param {RealDicePad} pad
 * @param {number} seat
 * @param {string} entry
 * @returns {Promise<void>}
 */
export async function openCorrection(Correction, pad, seat, entry) {
  await pad.queue.whenIdle();
  try {
    const turn = /** @type {Turn} */ (await fetchTurn(seat, entry));
    new Correction(pad, seat, entry, turn).open();
  } catch (refused) {
    showToast(asRefusal(refused).text ?? t("pad.no_server"));
  }
}

/**
 * Digits enter dice.
 * @template {TurnMessage["view"]} Turn
 * @param {CorrectionDialog<Turn>} correction
 * @param {KeyboardEvent} event
 */
function handleKey(correction, event) {
  if (!correction.isEnteringDice || event.ctrlKey || event.metaKey || event.altKey) return;
  if (/^[1-9]$/.test(event.key)) correction.enterFace(Number(event.key));
  else if (event.key === "Backspace") correction.enterFace(0);
  else return;
  event.preventDefault();
}
