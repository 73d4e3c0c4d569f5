/* Retry a decision of a finished game: choose again, and hear what the choice would have cost. The server knows the rules. */

import { h, setAttribute, setChildren } from "./dom.js";
import { readAloud } from "./live-region.js";
import { writeRoll } from "./notation.js";
import { formatLoss } from "./number-format.js";
import { asRefusal } from "./required.js";
import { t } from "./translations.js";
import { describeWinChange } from "./win-change.js";

// The panel of one decision; `handlers` are {close()}.
export class RetryPanel {
  /** @type {RetryData | null} */
  position = null;

  /**
   * @param {{ client: ReviewClient, seat: number, unit: string, names: Record<string, string>, event: number }} about
   * @param {{ close(): void }} handlers
   */
  constructor({ client, seat, unit, names, event }, handlers) {
    this.client = client;
    this.seat = seat;
    this.unit = unit;
    this.names = names;
    this.event = event;
    this.handlers = handlers;
    /** @type {Set<number>} */
    this.kept = new Set();
    this.choices = h("div", { class: "retry-choices" });
    this.answer = h("div", { class: "retry-answer", role: "status" });
    this.element = h(
      "section",
      { class: "retry", "data-retry": event, "aria-label": t("review.retry") },
      this.choices,
      this.answer,
      h(
        "button",
        { class: "button", type: "button", "data-act": "retry-back", onclick: () => this.handlers.close() },
        t("review.retry_back"),
      ),
    );
    this.load();
  }

  async load() {
    try {
      this.position = await this.client.fetchDecision(this.event, this.seat);
      this.kept = new Set(this.position.locked);
      this.drawChoices(this.position);
      this.choices.querySelector("button")?.focus({ preventScroll: true });
    } catch (refused) {
      this.sayRefusal(refused);
    }
  }

  /** @param {RetryData} position */
  drawChoices({ dice, locked, can_roll: canRoll, choices }) {
    setChildren(
      this.choices,
      h("p", {}, t(canRoll && dice.length ? "review.retry_how" : "review.retry_choose")),
      canRoll &&
        dice.length > 0 && [
          h(
            "div",
            { class: "retry-dice", role: "group" },
            dice.map((value, place) =>
              h(
                "button",
                {
                  class: "retry-die",
                  type: "button",
                  "data-keep": place,
                  "aria-pressed": String(this.kept.has(place)),
                  "aria-label": t("review.retry_die", { value }),
                  disabled: locked.includes(place),
                  onclick: () => this.toggle(place),
                },
                String(value),
              ),
            ),
          ),
          h(
            "button",
            {
              class: "button act",
              type: "button",
              "data-act": "retry-roll",
              onclick: () => this.judge(writeRoll(dice.length, dice, this.kept)),
            },
            t("review.retry_roll"),
          ),
        ],
      h(
        "div",
        { class: "retry-others" },
        choices.map((one) =>
          h(
            "button",
            { class: "button", type: "button", "data-choice": one.action, onclick: () => this.judge(one.action) },
            one.words,
          ),
        ),
      ),
    );
  }

  /** @param {number} place */
  toggle(place) {
    if (!this.kept.delete(place)) this.kept.add(place);
    const button = this.choices.querySelector(`[data-keep="${place}"]`);
    if (button instanceof HTMLElement) setAttribute(button, "aria-pressed", String(this.kept.has(place)));
  }

  /** @param {string} action */
  async judge(action) {
    for (const button of this.choices.querySelectorAll("[data-choice]"))
      setAttribute(button, "aria-pressed", String(button.getAttribute("data-choice") === action));
    try {
      this.showAnswer(await this.client.judgeChoice(this.event, this.seat, action));
    } catch (refused) {
      this.sayRefusal(refused);
    }
  }

  /** @param {RetryAnswer} answer */
  showAnswer({ loss, grade, played, best, why, win }) {
    const toWin = describeWinChange(win);
    const isBest = loss === 0 || grade === null;
    setChildren(
      this.answer,
      h("p", {}, h("b", {}, played)),
      h(
        "p",
        { class: isBest ? "grade fine" : "grade", "data-retry-loss": loss },
        isBest
          ? t("review.retry_best")
          : [h("b", {}, this.names[grade ?? ""]), " ", t(`review.cost_${this.unit}`, { n: formatLoss(loss) })],
        toWin && [" ", toWin],
      ),
      !isBest && h("p", {}, t("review.best", { best })),
      why && h("p", { class: "why" }, why),
    );
    this.answer.scrollIntoView({ block: "nearest", behavior: "instant" });
    readAloud(this.answer.innerText);
  }

  /** @param {unknown} refused */
  sayRefusal(refused) {
    setChildren(this.answer, h("p", { role: "alert" }, asRefusal(refused).text ?? t("review.none")));
  }
}
