/* Real dice on a score sheet: a box is tapped to score dice, to enter points, or to correct what stands there. */

import { connection } from "./connection.js";
import { writeEnterPoints, writeScore } from "./notation.js";
import { confirmAnyway, pickPoints } from "./points-picker.js";
import { required } from "./required.js";
import { canCorrect, isOwnPlayer } from "./table-model.js";
import { showTooltip } from "./tooltip.js";
import { t } from "./translations.js";

const PICK_WAIT = 1500;

// What the boxes of one sheet do where dice are real.
export class BoxEntry {
  /** @param {RealDicePad} pad */
  constructor(pad) {
    this.pad = pad;
    this.table = pad.table;
    this.boxes = pad.gameInfo.boxes ?? [];
  }

  // The model of the table; only sheets have boxes.
  get model() {
    return /** @type {TableModel<SheetKind>} */ (this.table.model);
  }

  /**
   * A box of one of our columns was tapped; says whether that was for us.
   * @param {HTMLElement} button
   * @param {number} seat
   * @param {string} box
   * @returns {boolean}
   */
  press(button, seat, box) {
    const { model } = this;
    const { view } = model;
    const one = view.seats[seat];
    const entry = one.entries[this.findIndex(box)];
    if (view.closed || !isOwnPlayer(one)) return false;
    if (one.waits && box in one.waits) return showReason(button, t("pad.on_its_way"));
    if (entry !== null) return canCorrect(view, one) && this.pad.openCorrection(seat, box);
    if (model.over || (seat !== model.seat && !this.pad.activeSeat.activate(seat))) return false;
    if (!one.real_dice || !this.table.canAct) return false;
    return this.fill(button, box);
  }

  /**
   * Fills an open box of the active column in whichever way it can be filled now.
   * @param {HTMLElement} button
   * @param {string} box
   * @returns {boolean}
   */
  fill(button, box) {
    const tray = required(this.model.tray, "tray");
    const option = this.table.board.findOption(box);
    if (!option)
      return showReason(
        button,
        tray.announced ? t("pad.other_announced", { box: this.findBox(tray.announced).name }) : t("pad.dice_first"),
      );
    if (tray.dice.length) return this.scoreDice(button, option);
    if (tray.phase === "announce" && !option.refusal) this.pad.act(required(option.announce_action, "action"));
    else this.choosePoints(option);
    return true;
  }

  /**
   * The dice lie there: scores them, or asks whether to play it although the rules say no.
   * @param {HTMLElement} button
   * @param {BoxOption} option
   */
  scoreDice(button, option) {
    if (!option.refusal) this.table.actions.chooseBox(option);
    else if (option.anyway.length) this.scoreAnyway(option);
    else showReason(button, option.refusal);
    return true;
  }

  /** @param {BoxOption} option */
  async scoreAnyway(option) {
    const [text] = option.anyway;
    if (await confirmAnyway({ box: this.findBox(option.box), why: option.refusal, text }))
      this.pad.act(writeScore(option.box, { anyway: true }), { box: option.box, shown: text });
  }

  /**
   * Opens the points a box can take; what is on its way just now may change them, so that arrives first if the line is good.
   * @param {BoxOption} option
   */
  async choosePoints({ box }) {
    const { seat } = required(this.model.tray, "tray");
    if (connection.state === "open")
      await Promise.race([this.pad.queue.whenIdle(), new Promise((soon) => setTimeout(soon, PICK_WAIT))]);
    const { tray, view } = this.model;
    const option =
      tray?.seat === seat &&
      !tray.dice.length &&
      !document.querySelector("dialog[open]") &&
      this.table.board.findOption(box);
    if (!option) return;
    const picked = await pickPoints({
      box: this.findBox(box),
      name: view.seats[seat].name,
      faces: this.pad.gameInfo.faces,
      option,
    });
    if (!picked || this.model.tray?.seat !== seat) return;
    this.pad.diceEntry.forget(seat);
    this.pad.act(writeEnterPoints(box, picked.text, picked), { box, shown: picked.text });
  }

  /**
   * A zero of dice nobody entered, by one key; says whether that can be now.
   * @param {BoxOption | null | undefined} option
   * @returns {boolean}
   */
  scoreZero(option) {
    const { finalDice, tray } = this.model;
    if (!tray || !finalDice || tray.dice.length || !option?.scores.includes("0")) return false;
    this.pad.diceEntry.forget(tray.seat);
    this.pad.act(writeEnterPoints(option.box, "0"), { box: option.box, shown: "0" });
    return true;
  }

  /**
   * What the menu of a box offers besides: its points, or another entry in place of the one that stands there.
   * @param {string} box
   * @returns {MenuItem[]}
   */
  listMenuItems(box) {
    const { model } = this;
    const seat = model.shown;
    const one = model.view.seats[seat];
    if (!one || !canCorrect(model.view, one)) return [];
    if (one.entries[this.findIndex(box)] !== null)
      return [{ label: t("table.correct"), act: () => this.pad.openCorrection(seat, box), hook: "correct" }];
    const option =
      seat === model.seat && model.mine && !model.tray?.dice.length ? this.table.board.findOption(box) : null;
    const any = option && (option.scores.length || option.anyway.length);
    return any
      ? [
          {
            label: t(option.scores.length ? "pad.points" : "pad.points_anyway"),
            act: () => this.choosePoints(option),
            hook: "points",
          },
        ]
      : [];
  }

  /**
   * Names an entry for a sentence.
   * @param {string} box
   */
  describe(box) {
    return this.findBox(box)?.name;
  }

  /** @param {string} box */
  findIndex(box) {
    return this.boxes.findIndex((one) => one.box === box);
  }

  /**
   * @param {string} box
   * @returns {Wire.BoxInfo}
   */
  findBox(box) {
    return this.boxes[this.findIndex(box)];
  }
}

/**
 * @param {HTMLElement} button
 * @param {string} text
 */
function showReason(button, text) {
  showTooltip(button, text);
  return true;
}
