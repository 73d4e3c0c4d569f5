/* The table of a puzzle: the sheet and the dice of the game, and instead of a roll an answer. */

import { h, setChildren } from "./dom.js";
import { loadFamily } from "./families.js";
import { readAloud } from "./live-region.js";
import { isRoll, readKept, writeAnnounce, writeRoll, writeScore } from "./notation.js";
import { formatLoss } from "./number-format.js";
import { asSpectator, buildTableModel } from "./table-model.js";
import { t } from "./translations.js";
import { DiceTray } from "./tray.js";

// One puzzle on the table; whoever chooses dice or a box has answered.
export class PracticeTable {
  /**
   * Fetches how such a table looks, and lays the puzzle out.
   * @param {ShownPuzzle} puzzle
   * @param {(action: string) => unknown} answer
   */
  static async open(puzzle, answer) {
    return new PracticeTable(puzzle, await loadFamily(puzzle.family), answer);
  }

  /**
   * @param {ShownPuzzle} puzzle
   * @param {TableFamily} family
   * @param {(action: string) => unknown} answer
   */
  constructor(puzzle, family, answer) {
    this.puzzle = puzzle;
    this.family = family;
    this.answer = answer;
    this.answered = false;
    this.view = this.readView(puzzle.position);
    this.trayView = this.view.trays.find((one) => one.seat === puzzle.seat) ?? null;
    /** @type {Set<number>} */
    this.kept = new Set(this.trayView?.locked ?? []);
    const nothing = () => {};
    this.board = family.createBoard(puzzle.setup, this.view.seats, {
      player: nothing,
      follow: nothing,
      choose: (option) => this.give(this.trayView?.dice.length ? writeScore(option.box) : writeAnnounce(option.box)),
    });
    for (const button of this.board.headButtons) button.disabled = true;
    this.tray = new DiceTray(puzzle.setup, {
      tap: (place) => this.toggle(place),
      act: () => this.act(),
      stand: (way) => this.give(way.action),
    });
    this.note = h("div", { class: "paper coach-note practice-note", "aria-live": "polite" });
    setChildren(this.note, h("p", { class: "practice-question" }, puzzle.question));
    this.element = h(
      "div",
      { class: `practice-stage of-${family.name}`, "data-theme": puzzle.theme, "data-kind": puzzle.kind },
      this.board.element,
      h("div", { class: "side" }, this.note, this.tray.element),
    );
    this.element.style.setProperty("--seats", String(this.view.seats.length));
    this.draw();
    this.tray.showStatus(this.trayView?.own_prompt ?? "");
  }

  /**
   * The position as the one who is asked sees it; players have no names here.
   * @param {Position} position
   */
  readView(position) {
    const { view } = asSpectator(position);
    const name = t("player.player");
    const seats = view.seats.map((seat, place) => ({
      ...seat,
      yours: place === this.puzzle.seat,
      name: view.seats.length > 1 ? `${name} ${place + 1}` : name,
    }));
    return /** @type {GameView} */ ({ ...view, seats });
  }

  /**
   * Lays another position of the same game out; it can be answered again.
   * @param {Position} position
   * @param {number[]} kept
   */
  setPosition(position, kept) {
    this.answered = false;
    this.view = this.readView(position);
    this.trayView = this.view.trays.find((one) => one.seat === this.puzzle.seat) ?? null;
    this.kept = new Set([...kept, ...(this.trayView?.locked ?? [])]);
    this.draw();
  }

  draw() {
    const model = buildTableModel({
      room: null,
      gameInfo: this.puzzle.setup,
      family: this.family,
      view: this.view,
      tray: this.trayView,
      shown: this.puzzle.seat,
      kept: this.kept,
    });
    const shown = this.answered ? { ...model, mine: false, choosing: false, help: null } : model;
    this.board.draw(shown);
    this.tray.draw(shown);
    this.tray.element.classList.toggle("answered", this.answered);
  }

  /** @param {number} place */
  toggle(place) {
    if (this.answered || this.trayView?.phase !== "choose" || place >= this.trayView.dice.length) return false;
    if (this.trayView.locked?.includes(place)) return false;
    if (!this.kept.delete(place)) this.kept.add(place);
    this.draw();
    return true;
  }

  // The main button: roll the dice that are not kept, or stand where there is one way to.
  act() {
    const { trayView: tray, puzzle } = this;
    if (!tray || this.answered) return false;
    const stands = this.family.listStands(tray);
    if (tray.phase === "stand" && stands.length === 1) return this.give(stands[0].action);
    if (tray.phase === "roll") return this.give(writeRoll(puzzle.setup.dice, [], new Set()));
    if (tray.phase === "choose" && this.kept.size < puzzle.setup.dice)
      return this.give(writeRoll(puzzle.setup.dice, tray.dice, this.kept));
    return false;
  }

  /**
   * Stops by keyboard: over, under, or the only way there is.
   * @param {string | null} aim
   */
  standByKey(aim) {
    const ways = this.trayView ? this.family.listStands(this.trayView) : [];
    const way = ways.find((one) => one.aim === aim) ?? (ways.length === 1 ? ways[0] : null);
    return way !== null && this.give(way.action);
  }

  // An answer stands; only games can be undone.
  undo() {
    return false;
  }

  /** @param {string} action */
  give(action) {
    if (this.answered) return false;
    this.answered = true;
    this.draw();
    this.answer(action);
    return true;
  }

  /**
   * An answer that was not understood can be given again.
   * @param {string} text
   */
  showProblem(text) {
    this.answered = false;
    this.draw();
    setChildren(
      this.note,
      h("p", { class: "practice-question" }, this.puzzle.question),
      h("p", { role: "alert" }, text),
    );
  }

  /**
   * Shows what an answer costs, what was best and why, and the dice that the best move keeps.
   * @param {GradedAnswer} answer
   * @param {string} unit
   * @param {(() => unknown) | null} next
   */
  showAnswer(answer, unit, next) {
    const { played, best, best_action: action, loss, grade_name: grade, why, streak = 0 } = answer;
    const right = loss === 0;
    this.answered = true;
    if (isRoll(action)) this.kept = new Set(readKept(action));
    this.draw();
    this.tray.showStatus("");
    const nextButton = next && h("button", { class: "button", "data-act": "next", onclick: next }, t("practice.next"));
    setChildren(
      this.note,
      h(
        "p",
        { class: right ? "grade fine" : "grade", "data-grade": answer.grade },
        h("b", {}, right ? t("practice.right") : grade),
        !right && [" ", t(`review.cost_${unit}`, { n: formatLoss(loss) })],
      ),
      h(
        "dl",
        {},
        h("dt", {}, t("review.played")),
        h("dd", { "data-played": "" }, played),
        !right && [h("dt", {}, t("review.was_best")), h("dd", { "data-best": "" }, best)],
      ),
      why && h("p", { class: "why" }, why),
      streak > 0 && h("p", { "data-streak": streak }, t("practice.streak", { n: streak })),
      nextButton,
    );
    readAloud(this.note.innerText);
    nextButton?.focus({ preventScroll: true });
  }
}
