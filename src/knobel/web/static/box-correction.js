/* The correction of an entry on a score sheet: other points, another box, other dice, or two boxes swapped. */

import { CorrectionDialog, openCorrection } from "./correction-dialog.js";
import { find, h, setChildren } from "./dom.js";
import { drawFaces } from "./keypad.js";
import { readAction, writeAnnounce, writeEnterDice, writeEnterPoints, writeScore } from "./notation.js";
import { buildPointKeys, confirmAnyway, describePoints } from "./points-picker.js";
import { required } from "./required.js";
import { t } from "./translations.js";

/** @extends {CorrectionDialog<Wire.TurnView>} */
class BoxCorrection extends CorrectionDialog {
  /** @type {string} */
  tab;
  /** @type {string} */
  selectedBox;
  /** @type {HTMLInputElement[]} */
  tabs;

  start() {
    this.selectedBox = this.entry;
    this.showTab("points");
  }

  describeEntry() {
    const dice = this.turn.actions
      .map(readAction)
      .find((action) => action && ["enter_dice", "land"].includes(action.kind))?.dice;
    return [
      this.findBox(this.entry).name,
      ": ",
      h("b", {}, this.currentPoints()),
      dice && drawFaces(dice, this.gameInfo.faces),
    ];
  }

  // What stands there now.
  currentPoints() {
    const { view, gameInfo } = /** @type {TableModel<SheetKind>} */ (this.pad.table.model);
    return String(view.seats[this.seat].entries[gameInfo.boxes.findIndex((one) => one.box === this.entry)]);
  }

  /**
   * @param {string} id
   * @returns {Wire.BoxInfo}
   */
  findBox(id) {
    return required(
      this.gameInfo.boxes?.find((one) => one.box === id),
      id,
    );
  }

  buildTabs() {
    this.tabs = ["points", "box", "dice"].map((tab) =>
      h("input", { type: "radio", name: "correct-tab", value: tab, onchange: () => this.showTab(tab) }),
    );
    return h(
      "div",
      { class: "picks correction-tabs", role: "radiogroup", "aria-label": t("pad.correct_how") },
      this.tabs.map((input) =>
        h("label", { class: "pick", "data-tab": input.value }, input, h("span", {}, t(`pad.correct_${input.value}`))),
      ),
    );
  }

  get isEnteringDice() {
    return this.tab === "dice";
  }

  /** @param {string} tab */
  showTab(tab) {
    this.tab = tab;
    for (const input of this.tabs) input.checked = input.value === tab;
    this.showRefusal(null);
    if (tab === "points") this.showPoints(this.selectedBox);
    if (tab === "box") this.showOtherBoxes();
    if (tab !== "dice") return;
    this.values = [];
    setChildren(this.body, this.dieSlots, this.keypad.element, this.choices);
    this.updateDice();
  }

  /**
   * The points of a box, as they could have been entered then.
   * @param {string} id
   */
  showPoints(id) {
    const box = this.findBox(id);
    const option = required(
      this.turn.options.find((one) => one.box === id),
      id,
    );
    const now = id === this.entry ? (readAction(this.turn.actions.at(-1) ?? "")?.points ?? this.currentPoints()) : null;
    /** @type {(points: string, anyway: boolean) => void} */
    const send = (points, anyway) => this.sendTurn(id, anyway, [writeEnterPoints(id, points, { anyway })]);
    setChildren(
      this.body,
      h("h3", {}, box.name),
      buildPointKeys(
        { box, faces: this.gameInfo.faces, option, now },
        (text) => send(text, false),
        async (text) => {
          if (await confirmAnyway({ box, why: option.why ?? option.refusal, text })) send(text, true);
        },
      ),
    );
  }

  // The boxes it could go to: those that were open and still are, and those it may be mixed up with.
  showOtherBoxes() {
    const free = this.turn.options.filter(
      (option) => option.box !== this.entry && (option.scores.length || option.anyway.length),
    );
    const { swaps } = this.turn;
    setChildren(
      this.body,
      free.length > 0 && [
        h("h3", {}, t("pad.move_to")),
        this.buildBoxButtons(free, (option) => {
          this.selectedBox = option.box;
          this.showTab("points");
          this.focusCurrent();
        }),
      ],
      swaps.length > 0 && [
        h("h3", {}, t("pad.swap_with")),
        h(
          "div",
          { class: "rows" },
          swaps.map((swap) => this.buildSwap(swap)),
        ),
      ],
      !free.length && !swaps.length && h("p", { class: "why" }, t("pad.no_other_box")),
    );
  }

  /**
   * A box to swap with, and what both would say then; where a later entry is against it, that is said.
   * @param {Wire.SwapView} swap
   */
  buildSwap({ box, here, there, refusal }) {
    const [mine, other] = [this.entry, box].map((one) => this.findBox(one).name);
    return h(
      "button",
      {
        class: `correction-row swap${refusal ? " dim" : ""}`,
        type: "button",
        "data-swap": box,
        onclick: () =>
          refusal !== null ? this.showRefusal({ text: refusal }) : this.sendIntent({ want: "swap_boxes", other: box }),
      },
      h("span", {}, other),
      !refusal &&
        h(
          "small",
          {},
          h("span", {}, `${mine} `, h("b", {}, String(here))),
          h("span", {}, `${other} `, h("b", {}, String(there))),
        ),
    );
  }

  /**
   * @param {BoxOption[]} options
   * @param {(option: BoxOption) => void} pick
   */
  buildBoxButtons(options, pick) {
    /** @type {(option: BoxOption) => string | undefined} */
    const points = (option) =>
      option.refusal ? option.anyway[0] : `${option.points}${option.extra ? `+${option.extra}` : ""}`;
    const dice = this.isEnteringDice;
    return h(
      "div",
      { class: "rows" },
      options.map((option) => {
        const never = dice && option.refusal !== null && !option.anyway.length;
        return h(
          "button",
          {
            class: `correction-row${dice && option.refusal ? " dim" : ""}`,
            type: "button",
            "data-row": option.box,
            "aria-disabled": never ? "true" : null,
            onclick: () => (never ? this.showRefusal({ text: option.refusal ?? undefined }) : pick(option)),
          },
          h("span", {}, this.findBox(option.box).name),
          dice && h("b", {}, describeOrDash(points(option))),
        );
      }),
    );
  }

  updateDice() {
    this.drawDice();
    this.fetchOptions();
  }

  /**
   * @param {Wire.TurnView} turn
   * @param {number[]} dice
   */
  showOptions({ options }, dice) {
    if (!this.isEnteringDice) return;
    setChildren(
      this.choices,
      this.buildBoxButtons(options, (option) => this.chooseBox(option, dice)),
    );
    find(this.choices, "button:not([aria-disabled])")?.focus({ preventScroll: true });
  }

  /**
   * @param {BoxOption} option
   * @param {number[]} dice
   */
  async chooseBox(option, dice) {
    const anyway = Boolean(option.refusal);
    if (
      anyway &&
      !(await confirmAnyway({ box: this.findBox(option.box), why: option.refusal, text: option.anyway[0] }))
    )
      return;
    this.sendTurn(option.box, false, [writeEnterDice(dice), writeScore(option.box, { anyway })]);
  }

  /**
   * Sends the turn as it should have been; where boxes are announced, the box it is for was announced.
   * @param {string} box
   * @param {boolean} silent
   * @param {string[]} actions
   */
  sendTurn(box, silent, actions) {
    const announced = this.turn.announces && !silent ? [writeAnnounce(box)] : [];
    this.sendIntent({ want: "correct", actions: [...announced, ...actions] });
  }
}

/** @param {string | undefined} points */
function describeOrDash(points) {
  return points ? describePoints(points) : "–";
}

/**
 * @param {RealDicePad} pad
 * @param {number} seat
 * @param {string} entry
 */
export function openBoxCorrection(pad, seat, entry) {
  return openCorrection(BoxCorrection, pad, seat, entry);
}
