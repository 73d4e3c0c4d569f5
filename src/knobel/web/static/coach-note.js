/* The coach's note on a position of a review, and the way to try a decision again. */

import { h, setChildren } from "./dom.js";
import { formatLoss, formatSigned } from "./number-format.js";
import { t } from "./translations.js";
import { describeWinChange } from "./win-change.js";

const FINE = "fine";
const PLAIN = "plain";

// The note of one review; `retrying` is called when a decision begins or ends to be tried again, `pause` before it.
export class CoachNote {
  /** @type {Decision | undefined} */
  decision;
  /** @type {LuckEvent[]} */
  rolls = [];
  /**
   * The event of the decision that is tried again.
   * @type {number | null}
   */
  retriedEvent = null;

  /**
   * @param {ReviewData} found
   * @param {ReviewClient} client
   * @param {() => void} retrying
   * @param {() => void} pause
   */
  constructor({ seat, review, names }, client, retrying, pause) {
    this.client = client;
    this.seat = seat;
    this.unit = review.unit;
    this.names = names;
    this.retrying = retrying;
    this.pause = pause;
    this.element = h("div", { class: "coach-note" });
  }

  // What was best, unless it is not to be told.
  get bestAction() {
    const { decision, retriedEvent } = this;
    return decision && decision.grade !== FINE && retriedEvent === null ? decision.best_action : null;
  }

  /**
   * @param {Decision | undefined} decision
   * @param {LuckEvent[]} rolls
   */
  show(decision, rolls) {
    this.decision = decision;
    this.rolls = rolls;
    this.redraw();
  }

  // What is known of the chances to win may come later than the rest.
  redraw() {
    const { decision, rolls } = this;
    if (this.retriedEvent !== null && this.retriedEvent === decision?.event) return;
    this.retriedEvent = null;
    setChildren(
      this.element,
      this.buildNote(decision, rolls),
      decision &&
        decision.grade !== FINE &&
        h(
          "p",
          { class: "note-actions" },
          h(
            "button",
            { class: "button", type: "button", "data-act": "retry", onclick: () => this.retry(decision) },
            t("review.retry"),
          ),
          h("a", { class: "button", href: "/practice?kind=mistake" }, t("review.practise")),
        ),
    );
  }

  /**
   * Lets somebody choose again; what was best is not shown meanwhile.
   * @param {Decision} decision
   */
  async retry(decision) {
    this.pause();
    const { RetryPanel } = await import("./retry-panel.js");
    const { client, seat, unit, names } = this;
    const panel = new RetryPanel(
      { client, seat, unit, names, event: decision.event },
      {
        close: () => {
          this.retriedEvent = null;
          this.redraw();
          this.retrying();
          this.element.querySelector("button")?.focus({ preventScroll: true });
        },
      },
    );
    this.retriedEvent = decision.event;
    setChildren(this.element, panel.element);
    this.retrying();
  }

  /**
   * The coach's note on this position: how lucky the dice were, what was played, what was best, what it cost and why.
   * @param {Decision | undefined} decision
   * @param {LuckEvent[]} rolls
   */
  buildNote(decision, rolls) {
    /** @type {(n: number) => string} */
    const unit = (n) => t(`review.cost_${this.unit}`, { n: formatLoss(n) });
    const toWin = decision && describeWinChange(decision.win);
    return [
      decision &&
        h(
          "p",
          { class: decision.grade === FINE ? "grade fine" : "grade" },
          h("b", {}, this.names[decision.grade]),
          decision.loss >= 0.05 && [" ", unit(decision.loss)],
          toWin && [", ", h("span", { "data-to-win": "" }, toWin)],
        ),
      decision &&
        h(
          "dl",
          {},
          h("dt", {}, t("review.played")),
          h("dd", { "data-played": "" }, decision.played),
          decision.loss > 0 && [h("dt", {}, t("review.was_best")), h("dd", { "data-best": "" }, decision.best)],
        ),
      decision?.why && h("p", { class: "why" }, decision.why),
      rolls.map(({ kind, luck, grade }) =>
        h(
          "p",
          { class: "rolled" },
          t(`review.from.${kind}`, {
            luck:
              grade === PLAIN
                ? formatSigned(luck)
                : t("review.graded", { luck: formatSigned(luck), grade: this.names[grade] }),
          }),
        ),
      ),
    ];
  }
}
