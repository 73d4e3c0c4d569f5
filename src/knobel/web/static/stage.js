/* The table of a review: the same sheet and dice as in the game, at the moment of the slider, and the note about it. */

import { fill, h, mark, write } from "./dom.js";
import { cost, signedFigure } from "./figures.js";
import { isOver, isThrow, keptIn, modelOf } from "./model.js";
import { RoundsBoard } from "./rounds.js";
import { SheetBlock } from "./sheet.js";
import { toast } from "./ask.js";
import { Tray } from "./tray.js";
import { t } from "./words.js";
import { aloud } from "./voice.js";

const BEAT = { land: 450, other: 1100 };
const FINE = "fine";
const PLAIN = "plain";
const AHEAD = [1, 2, -1, 3, 4];

// The stage of one review; `hands` are {shown(view), jump(decision)}.
export class Stage {
  constructor(found, film, mistakes, hands) {
    const { stops, seat, seats, review } = found;
    Object.assign(this, { film, hands, mistakes, stops, seat, place: 0, drawn: null, playing: null });
    this.block = { ...found.block, family: found.family };
    this.decisions = new Map(review.decisions.map((one) => [one.event, one]));
    this.rolls = review.rolls;
    this.boxes = new Map(review.turns.map((one) => [one.turn, one.box]));
    this.unit = review.unit;
    this.names = found.names;
    const nobody = seats.map((one) => ({ ...one, yours: false }));
    const nothing = () => {};
    const Board = this.block.family === "rounds" ? RoundsBoard : SheetBlock;
    this.board = new Board(this.block, nobody, { player: nothing, follow: nothing });
    for (const { button } of this.board.heads ?? this.board.rows) button.disabled = true;
    this.tray = new Tray(this.block, { tap: nothing, act: nothing });
    if (this.block.family === "sheet") this.margin();
    this.below = h("section", { class: "paper at", "aria-label": t("review.film") }, this.ruler(), this.note = h("div", { class: "red" }));
    this.element = h("div", { class: `stage of-${this.block.family}` }, this.board.element, h("div", { class: "side" }, this.tray.element, this.below));
    this.element.style.setProperty("--seats", "1");
  }

  // The event after which the game stands here.
  get event() {
    return this.stops[this.place];
  }

  // A margin beside the sheet, for what the red pencil notes about the turn of each box.
  margin() {
    const { boxes } = this.block;
    const table = this.board.element.querySelector("table");
    for (const row of table.querySelectorAll("thead tr")) row.append(h("th", { scope: "col", role: "columnheader", class: "margin" }, t("review.notes")));
    for (const row of table.querySelectorAll("tbody tr, tfoot tr")) row.append(h("td", { class: "margin", role: "cell" }));
    boxes.forEach(({ box }, row) => {
      this.board.cells[this.seat][row].td.dataset.row = box;
      const found = this.mistakes.filter((one) => this.boxes.get(one.turn) === box);
      fill(this.board.names[row].closest("tr").lastElementChild, found.map((one) => h("button", { class: "pencil", type: "button", "data-event": one.event, onclick: () => this.hands.jump(one) },
        h("b", {}, cost(one.loss)), " ", t("review.best", { best: one.best }))));
    });
  }

  // The slider with its marks, and the buttons around it.
  ruler() {
    const last = this.stops.length - 1;
    this.where = h("p", { class: "where-at" });
    this.slider = h("input", { type: "range", min: 0, max: last, step: 1, value: 0, "aria-label": t("review.slider"), "data-field": "place", oninput: () => { this.pause(); this.show(Number(this.slider.value)); } });
    const step = (by, words, sign) => h("button", { class: "quiet", type: "button", "data-act": by < 0 ? "back" : "on", "aria-label": words, title: words, onclick: () => this.step(by) }, sign);
    const marks = h("div", { class: "marks", "aria-hidden": "true" }, this.mistakes.map((one) => {
      const tick = h("i");
      tick.style.setProperty("left", `${100 * this.before(one.event) / Math.max(1, last)}%`);
      return tick;
    }));
    const find = (by, key, hook) => h("button", { class: "button", type: "button", "data-act": hook, onclick: () => this.mistake(by) }, t(key));
    this.plays = h("button", { class: "button", type: "button", "data-act": "play", onclick: () => this.play() });
    this.finds = [find(-1, "review.previous", "previous"), find(1, "review.next", "next")];
    this.drawPlays();
    return h("div", { class: "ruler" }, this.where,
      h("div", { class: "slides" }, step(-1, t("review.step_back"), "‹"), h("div", { class: "rail" }, this.slider, marks), step(1, t("review.step_on"), "›")),
      h("div", { class: "finds" }, this.finds[0], this.plays, this.finds[1]),
      h("p", { class: "by-keys" }, t("review.keys")));
  }

  // The stop at which a decision had to be made: the last one before its event.
  before(event) {
    return Math.max(0, this.stops.findIndex((stop) => stop >= event) - 1);
  }

  toDecision(decision) {
    this.pause();
    this.show(this.before(decision.event), true);
  }

  step(by) {
    this.pause();
    this.show(this.place + by, true);
  }

  // Goes to the next mistake, or to the one before.
  mistake(by) {
    const places = this.mistakes.map((one) => this.before(one.event));
    const found = by > 0 ? places.find((place) => place > this.place) : places.findLast((place) => place < this.place);
    this.pause();
    if (found !== undefined) this.show(found, true);
  }

  // Plays by itself until the end, or until somebody stops it.
  play() {
    if (this.playing !== null) return this.pause();
    if (this.place >= this.stops.length - 1) this.place = -1;
    this.playing = setTimeout(() => this.beat(), 0);
    this.drawPlays();
  }

  async beat() {
    const playing = this.playing;
    await this.show(this.place + 1);
    if (this.playing !== playing) return;
    if (this.place >= this.stops.length - 1) return this.pause();
    this.playing = setTimeout(() => this.beat(), BEAT[this.model?.tray?.phase] ?? BEAT.other);
  }

  pause() {
    if (this.playing === null) return;
    clearTimeout(this.playing);
    this.playing = null;
    this.drawPlays();
  }

  drawPlays() {
    write(this.plays, t(this.playing === null ? "review.play" : "review.pause"));
  }

  // Shows a stop: at once if it is known, else as soon as it is here; while one is on its way, only the last one asked for counts.
  async show(place, say = false) {
    this.place = Math.max(0, Math.min(place, this.stops.length - 1));
    this.slider.value = String(this.place);
    const asked = this.asked = { say };
    const { event } = this;
    if (this.fetching && !this.film.seen(event)) await this.fetching.catch(() => {});
    if (this.asked !== asked) return;
    try {
      const position = this.film.seen(event) ?? await (this.fetching = this.film.at(event));
      if (this.asked !== asked) return;
      this.draw(position, say);
      const near = AHEAD.map((by) => this.stops[this.place + by]).filter((one) => one !== undefined);
      this.film.ahead(near, () => this.asked === asked && this.element.isConnected);
    } catch (refused) {
      this.pause();
      if (this.asked === asked) toast(refused.text ?? t("review.none"));
    }
  }

  draw(position, say) {
    const { view } = position;
    const tray = view.trays.find((one) => one.seat === this.seat) ?? view.trays[0] ?? null;
    const decision = this.decisions.get(this.stops[this.place + 1]);
    const rolls = this.rolls.filter((one) => one.event === this.event);
    const landed = position.last.findLast((one) => one.event === "landed");
    const onward = this.drawn === this.place - 1;
    const model = this.model = {
      ...modelOf({ room: null, block: this.block, view, tray: lying(tray), shown: this.seat, keep: keptAt(tray, decision), rolled: landed?.dice }),
      choosing: false,
    };
    if (!onward) this.board.model = undefined;
    this.board.draw(model);
    this.tray.draw(model);
    this.tray.say(position.told.join(" "));
    if (landed && onward) this.tray.tumble(landed.positions);
    this.drawn = this.place;
    this.element.dataset.event = this.event;
    write(this.where, this.whereAt(view, tray));
    fill(this.note, this.noted(decision, rolls));
    this.finds[0].disabled = !this.mistakes.some((one) => this.before(one.event) < this.place);
    this.finds[1].disabled = !this.mistakes.some((one) => this.before(one.event) > this.place);
    const text = [this.where.textContent, this.note.innerText].filter(Boolean).join(". ");
    mark(this.slider, "aria-valuetext", text);
    if (say) aloud(text);
    this.hands.shown({ turn: this.turnAt(), decision, over: isOver(view) || tray === null });
  }

  whereAt(view, tray) {
    const at = t("review.at", { round: view.round });
    if (isOver(view) || !tray) return t("table.finished");
    return [at, t("tray.turn_of", { name: view.seats[tray.seat].name })].join(" · ");
  }

  // The turn of the reviewed player the film stands in, as far as it has come.
  turnAt() {
    const next = this.stops[this.place + 1];
    const all = [...this.decisions.values(), ...this.rolls].filter((one) => one.event <= next);
    return all.reduce((last, one) => Math.max(last, one.turn), 0);
  }

  // What the red pencil has to say here: how lucky the dice were, what was played, what was best, what it cost and why.
  noted(decision, rolls) {
    const unit = (n) => t(`review.cost_${this.unit}`, { n: cost(n) });
    return [
      decision && h("p", { class: decision.grade === FINE ? "grade fine" : "grade" }, h("b", {}, this.names[decision.grade]), decision.loss >= 0.05 && [" ", unit(decision.loss)]),
      decision && h("dl", {}, h("dt", {}, t("review.played")), h("dd", { "data-played": "" }, decision.played),
        decision.loss > 0 && [h("dt", {}, t("review.was_best")), h("dd", { "data-best": "" }, decision.best)]),
      decision?.why && h("p", { class: "why" }, decision.why),
      rolls.map(({ kind, luck, grade }) => h("p", { class: "rolled" }, t(`review.from.${kind}`, { luck: grade === PLAIN ? signedFigure(luck) : t("review.graded", { luck: signedFigure(luck), grade: this.names[grade] }) }))),
    ];
  }
}

// Dice in the air are not to be seen.
function lying(tray) {
  if (tray?.phase !== "land") return tray;
  return { ...tray, dice: tray.dice.map((value, place) => (tray.falling.includes(place) ? 0 : value)) };
}

// The dice that stay: those the decision to come keeps, or while dice are in the air, those that are not.
function keptAt(tray, decision) {
  if (!tray?.dice.length) return new Set();
  if (tray.phase === "land") return new Set(tray.dice.flatMap((_, place) => (tray.falling.includes(place) ? [] : [place])));
  return new Set([...(tray.locked ?? []), ...(decision && isThrow(decision.action) ? keptIn(decision.action) : [])]);
}
