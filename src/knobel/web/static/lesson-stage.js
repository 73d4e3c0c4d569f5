/* One step of a lesson: a sentence, the position, choices, and what each of them is worth. */

import { h, setChildren } from "./dom.js";
import { readAloud } from "./live-region.js";
import { isRoll, readKept } from "./notation.js";
import { formatLoss, formatNumber } from "./number-format.js";
import { PracticeTable } from "./practice-table.js";
import { t } from "./translations.js";

// The table stands still; whoever presses a choice has answered.
export class LessonStage {
  /**
   * @param {LessonStep} step
   * @param {boolean} simple
   * @param {() => unknown} answered
   */
  static async open(step, simple, answered) {
    const table = await PracticeTable.open(
      { ...step, kind: "lesson", edition: "", title: "", theme: "", theme_name: "", themes: [] },
      () => {},
    );
    return new LessonStage(step, table, simple, answered);
  }

  /**
   * @param {LessonStep} step
   * @param {PracticeTable} table
   * @param {boolean} simple
   * @param {() => unknown} answered
   */
  constructor(step, table, simple, answered) {
    this.step = step;
    this.table = table;
    this.simple = simple;
    this.answered = answered;
    table.answered = true;
    table.draw();
    table.tray.showStatus("");
    this.next = h("button", { class: "button", type: "button", "data-act": "next" });
    this.choices = h("ul", { class: "lesson-choices" });
    setChildren(
      table.note,
      step.text && h("p", { class: "lesson-text" }, step.text),
      h("p", { class: "practice-question" }, step.question),
      this.choices,
    );
    this.drawChoices(null);
    this.element = table.element;
    this.element.classList.add("lesson-stage");
    this.element.classList.toggle("simple", simple);
  }

  /**
   * @param {string} text
   * @param {() => unknown} act
   */
  setNext(text, act) {
    setChildren(this.next, text);
    this.next.onclick = act;
  }

  /** @param {LessonChoice | null} chosen */
  drawChoices(chosen) {
    const { choices, position } = this.step;
    const dice = position.view.trays[0]?.dice ?? [];
    setChildren(
      this.choices,
      choices.map((one) =>
        h(
          "li",
          {},
          h(
            "button",
            {
              class: `lesson-choice${chosen && !one.loss ? " best" : ""}${chosen === one ? " chosen" : ""}`,
              type: "button",
              "data-choice": one.action,
              "aria-disabled": chosen ? "true" : null,
              onclick: () => !chosen && this.choose(one),
            },
            this.simple && drawDice(isRoll(one.action) ? pictureKept(one.action, dice) : one.picture),
            h("span", { class: "choice-text" }, one.text),
            chosen && this.drawWorth(one),
          ),
        ),
      ),
    );
  }

  /** @param {LessonChoice} one */
  drawWorth(one) {
    if (this.simple) return h("span", { class: "choice-worth", "aria-hidden": "true" }, one.loss ? "" : "★");
    return h(
      "span",
      { class: "choice-worth", title: t(`practice.worth_${this.step.unit}`) },
      formatNumber(one.value),
      one.loss > 0 && h("small", {}, formatLoss(one.loss)),
    );
  }

  /**
   * What an answer was worth; children hear what was best.
   * @param {LessonChoice} one
   */
  describeVerdict(one) {
    const { unit, choices } = this.step;
    if (one.loss === 0) return t("practice.right");
    if (!this.simple) return t(`review.cost_${unit}`, { n: formatLoss(one.loss) });
    return `★ ${choices.find((other) => other.loss === 0)?.text}`;
  }

  /** @param {LessonChoice} one */
  choose(one) {
    const { unit } = this.step;
    this.drawChoices(one);
    const right = one.loss === 0;
    const verdict = h(
      "p",
      { class: right ? "grade fine" : "grade", "data-right": right ? "" : null, "data-verdict": "" },
      h("b", {}, this.describeVerdict(one)),
    );
    const why = one.why || this.step.choices.find((other) => other.loss > 0)?.why;
    setChildren(
      this.table.note,
      this.step.text && h("p", { class: "lesson-text" }, this.step.text),
      this.choices,
      !this.simple && h("p", { class: "lesson-unit" }, t(`practice.worth_${unit}`)),
      verdict,
      !this.simple && !right && why && h("p", { class: "why" }, why),
      this.next,
    );
    readAloud(verdict.innerText);
    this.next.focus({ preventScroll: true });
    this.answered();
  }
}

/**
 * The dice that a move keeps where they lie.
 * @param {string} action
 * @param {number[]} dice
 * @returns {PicturedDice}
 */
function pictureKept(action, dice) {
  const kept = new Set(readKept(action));
  return { dice: dice.map((face, place) => (kept.has(place) ? face : 0)), fits: true };
}

/**
 * Dice that are there are white; others, and those that may show anything, are only outlined.
 * @param {PicturedDice} picture
 */
function drawDice({ dice, fits }) {
  return h(
    "span",
    { class: "choice-dice", "aria-hidden": "true", hidden: !dice.length },
    dice.map((face) => h("span", { class: face && fits ? "die digits" : "die blank" }, face > 0 && h("b", {}, face))),
  );
}
