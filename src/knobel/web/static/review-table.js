/* The table of a review: the same sheet and dice as in the game, at the moment of the slider, and the note about it. */

import { CoachNote } from "./coach-note.js";
import { showToast } from "./dialogs.js";
import { h, setAttribute, setText } from "./dom.js";
import { readAloud } from "./live-region.js";
import { readKept } from "./notation.js";
import { asRefusal, required } from "./required.js";
import { asSpectator, buildTableModel, isGameOver } from "./table-model.js";
import { t } from "./translations.js";
import { DiceTray } from "./tray.js";

const STEP_MS = { land: 450, other: 1100 };
const PREFETCH_OFFSETS = [1, 2, -1, 3, 4];

// The table of one review; `handlers` are {shown(view), jump(decision), retrying()}.
export class ReviewTable {
  /** @type {TableModel} */
  model;
  /** @type {Promise<Position> | undefined} */
  fetching;
  /** @type {object} */
  request;
  /** @type {number | null} */
  playTimer;
  /** @type {number | null} */
  drawnPlace;
  /** @type {number} */
  place;
  /** @type {HTMLButtonElement[]} */
  mistakeButtons;
  /** @type {HTMLButtonElement} */
  playButton;
  /** @type {HTMLInputElement} */
  slider;
  /** @type {HTMLElement} */
  whereLine;

  /**
   * @param {ReviewData} found
   * @param {TableFamily} family
   * @param {ReviewClient} client
   * @param {Decision[]} mistakes
   * @param {{ shown(shown: ShownStop): void, jump(decision: Decision): void, retrying(): void }} handlers
   */
  constructor(found, family, client, mistakes, handlers) {
    const { stops, seat, seats, review } = found;
    this.family = family;
    this.client = client;
    this.handlers = handlers;
    this.mistakes = mistakes;
    this.stops = stops;
    this.seat = seat;
    this.place = 0;
    this.drawnPlace = null;
    this.playTimer = null;
    this.gameInfo = found.setup;
    this.decisions = new Map(review.decisions.map((one) => [one.event, one]));
    this.rolls = review.rolls;
    this.unit = review.unit;
    this.names = found.names;
    const nobody = seats.map((one) => ({ ...one, yours: false }));
    const nothing = () => {};
    this.board = family.createBoard(this.gameInfo, nobody, { player: nothing, follow: nothing });
    for (const button of this.board.headButtons) button.disabled = true;
    this.tray = new DiceTray(this.gameInfo, { tap: nothing, act: nothing });
    family.buildReviewMargin(this.board, this.gameInfo, {
      seat,
      mistakes,
      jump: handlers.jump,
      boxByTurn: new Map(review.turns.map((one) => [one.turn, one.box])),
    });
    this.note = new CoachNote(found, client, handlers.retrying, () => this.pause());
    this.controls = h(
      "section",
      { class: "paper film", "aria-label": t("review.film") },
      this.buildControls(),
      this.note.element,
    );
    this.element = h(
      "div",
      { class: `stage of-${family.name}` },
      this.board.element,
      h("div", { class: "side" }, this.tray.element, this.controls),
    );
    this.element.style.setProperty("--seats", "1");
  }

  // The event after which the game stands here.
  get event() {
    return this.stops[this.place];
  }

  // The slider with its marks, and the buttons around it.
  buildControls() {
    const last = this.stops.length - 1;
    this.whereLine = h("p", { class: "stop-label" });
    this.slider = h("input", {
      type: "range",
      min: 0,
      max: last,
      step: 1,
      value: 0,
      "aria-label": t("review.slider"),
      "data-field": "place",
      oninput: () => {
        this.pause();
        this.showStop(Number(this.slider.value));
      },
    });
    /** @type {(by: number, words: string, sign: string) => HTMLElement} */
    const step = (by, words, sign) =>
      h(
        "button",
        {
          class: "quiet",
          type: "button",
          "data-act": by < 0 ? "back" : "on",
          "aria-label": words,
          title: words,
          onclick: () => this.step(by),
        },
        sign,
      );
    const marks = h(
      "div",
      { class: "marks", "aria-hidden": "true" },
      this.mistakes.map((one) => {
        const tick = h("i");
        tick.style.setProperty("left", `${(100 * this.stopBefore(one.event)) / Math.max(1, last)}%`);
        return tick;
      }),
    );
    /** @type {(by: number, key: string, hook: string) => HTMLButtonElement} */
    const find = (by, key, hook) =>
      h("button", { class: "button", type: "button", "data-act": hook, onclick: () => this.showMistake(by) }, t(key));
    this.playButton = h("button", {
      class: "button",
      type: "button",
      "data-act": "play",
      onclick: () => this.togglePlay(),
    });
    this.mistakeButtons = [find(-1, "review.previous", "previous"), find(1, "review.next", "next")];
    this.drawPlayButton();
    return h(
      "div",
      { class: "ruler" },
      this.whereLine,
      h(
        "div",
        { class: "film-slider" },
        step(-1, t("review.step_back"), "‹"),
        h("div", { class: "rail" }, this.slider, marks),
        step(1, t("review.step_on"), "›"),
      ),
      h("div", { class: "film-buttons" }, this.mistakeButtons[0], this.playButton, this.mistakeButtons[1]),
      h("p", { class: "film-keys" }, t("review.keys")),
    );
  }

  /**
   * The stop at which a decision had to be made: the last one before its event.
   * @param {number} event
   */
  stopBefore(event) {
    return Math.max(0, this.stops.findIndex((stop) => stop >= event) - 1);
  }

  /** @param {Decision} decision */
  showDecision(decision) {
    this.pause();
    this.showStop(this.stopBefore(decision.event), true);
  }

  /** @param {number} by */
  step(by) {
    this.pause();
    this.showStop(this.place + by, true);
  }

  /**
   * Goes to the next mistake, or to the one before.
   * @param {number} by
   */
  showMistake(by) {
    const places = this.mistakes.map((one) => this.stopBefore(one.event));
    const found = by > 0 ? places.find((place) => place > this.place) : places.findLast((place) => place < this.place);
    this.pause();
    if (found !== undefined) this.showStop(found, true);
  }

  // Plays automatically until the end, or until stopped.
  togglePlay() {
    if (this.playTimer !== null) return this.pause();
    if (this.place >= this.stops.length - 1) this.place = -1;
    this.playTimer = setTimeout(() => this.playNext(), 0);
    this.drawPlayButton();
  }

  async playNext() {
    const timer = this.playTimer;
    await this.showStop(this.place + 1);
    if (this.playTimer !== timer) return;
    if (this.place >= this.stops.length - 1) return this.pause();
    this.playTimer = setTimeout(
      () => this.playNext(),
      this.model?.tray?.phase === "land" ? STEP_MS.land : STEP_MS.other,
    );
  }

  pause() {
    if (this.playTimer === null) return;
    clearTimeout(this.playTimer);
    this.playTimer = null;
    this.drawPlayButton();
  }

  drawPlayButton() {
    setText(this.playButton, t(this.playTimer === null ? "review.play" : "review.pause"));
  }

  /**
   * Shows a stop: at once if it is known, else as soon as it is here; while one is on its way, only the last one asked for counts.
   * @param {number} place
   * @param {boolean} [say]
   */
  async showStop(place, say = false) {
    this.place = Math.max(0, Math.min(place, this.stops.length - 1));
    this.slider.value = String(this.place);
    const request = { say };
    this.request = request;
    const { event } = this;
    if (this.fetching && !this.client.cachedPosition(event)) await this.fetching.catch(() => {});
    if (this.request !== request) return;
    try {
      const cached = this.client.cachedPosition(event);
      if (!cached) this.fetching = this.client.fetchPosition(event);
      const position = cached ?? (await required(this.fetching, "position"));
      if (this.request !== request) return;
      this.drawPosition(position, say);
      const near = PREFETCH_OFFSETS.map((by) => this.stops[this.place + by]).filter((one) => one !== undefined);
      this.client.prefetch(near, () => this.request === request && this.element.isConnected);
    } catch (refused) {
      this.pause();
      if (this.request === request) showToast(asRefusal(refused).text ?? t("review.none"));
    }
  }

  /**
   * @param {Position} shared
   * @param {boolean} say
   */
  drawPosition(shared, say) {
    const position = asSpectator(shared);
    const { view } = position;
    const tray = view.trays.find((one) => one.seat === this.seat) ?? view.trays[0] ?? null;
    const decision = this.decisions.get(this.stops[this.place + 1]);
    const rolls = this.rolls.filter((one) => one.event === this.event);
    const landed = position.last.findLast((one) => one.event === "landed");
    const onward = this.drawnPlace === this.place - 1;
    const model = {
      ...buildTableModel({
        room: null,
        gameInfo: this.gameInfo,
        family: this.family,
        view,
        tray: hideRollingDice(tray),
        shown: this.seat,
        kept: keptDice(tray, decision),
        rolloffDice: landed?.dice,
      }),
      choosing: false,
    };
    this.model = model;
    if (!onward) this.board.model = undefined;
    this.board.draw(model);
    this.tray.clearDice();
    this.tray.draw(model);
    this.tray.showStatus(position.narration.join(" "));
    if (landed && onward) this.tray.tumbleDice(landed.positions);
    this.drawnPlace = this.place;
    this.element.dataset.event = String(this.event);
    setText(this.whereLine, describeStop(view, tray));
    this.note.show(decision, rolls);
    this.mistakeButtons[0].disabled = !this.mistakes.some((one) => this.stopBefore(one.event) < this.place);
    this.mistakeButtons[1].disabled = !this.mistakes.some((one) => this.stopBefore(one.event) > this.place);
    const text = [this.whereLine.textContent, this.note.element.innerText].filter(Boolean).join(". ");
    setAttribute(this.slider, "aria-valuetext", text);
    if (say) readAloud(text);
    this.handlers.shown({ turn: this.currentTurn(), decision, over: isGameOver(view) || tray === null });
  }

  // The turn of the reviewed player the film stands in, as far as it has come.
  currentTurn() {
    const next = this.stops[this.place + 1];
    const all = [...this.decisions.values(), ...this.rolls].filter((one) => one.event <= next);
    return all.reduce((last, one) => Math.max(last, one.turn), 0);
  }
}

/**
 * @param {GameView} view
 * @param {Tray | null} tray
 */
function describeStop(view, tray) {
  if (isGameOver(view) || !tray) return t("table.finished");
  return [t("review.at", { round: view.round }), t("tray.turn_of", { name: view.seats[tray.seat].name })].join(" · ");
}

/**
 * Dice in the air are not to be seen.
 * @param {Tray | null} tray
 * @returns {Tray | null}
 */
function hideRollingDice(tray) {
  if (tray?.phase !== "land") return tray;
  return { ...tray, dice: tray.dice.map((value, place) => (tray.rolling.includes(place) ? 0 : value)) };
}

/**
 * The dice that stay: those the decision to come keeps, or while dice are in the air, those that are not.
 * @param {Tray | null} tray
 * @param {Decision | undefined} decision
 * @returns {Set<number>}
 */
function keptDice(tray, decision) {
  if (!tray?.dice.length) return new Set();
  if (tray.phase === "land")
    return new Set(tray.dice.flatMap((_, place) => (tray.rolling.includes(place) ? [] : [place])));
  return new Set([...(tray.locked ?? []), ...(decision ? readKept(decision.action) : [])]);
}
