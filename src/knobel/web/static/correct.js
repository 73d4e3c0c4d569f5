/* Another entry in place of one that was wrong: other points, another row, other dice, or two rows swapped; in a round other dice.
   What came after it is played again. */

import { modal, toast } from "./ask.js";
import { fill, h } from "./dom.js";
import { house } from "./house.js";
import { Keypad, faceOf } from "./keypad.js";
import { mayBend, pointKeys, pointsWords, walkable } from "./picker.js";
import { standWords } from "./rounds.js";
import { t } from "./words.js";

// Opens the correction of an entry of a seat: of a row, or in a game of rounds of the round with this number.
export async function correct(pad, seat, box) {
  await pad.queue.calm();
  const Kind = pad.block.family === "rounds" ? RoundCorrection : RowCorrection;
  try {
    new Kind(pad, seat, box, await turn(seat, box)).open();
  } catch (refused) {
    toast(refused.text ?? t("pad.no_house"));
  }
}

async function turn(seat, box, dice = "") {
  return (await house.command({ do: "turn", room: house.roomId, seat, box, dice })).view;
}

// What all corrections have: a sheet of paper, keys for dice, and what the house says against them.
class Correction {
  constructor(pad, seat, box, found) {
    Object.assign(this, { pad, seat, box, found, values: [], asked: 0 });
    this.block = pad.block;
    this.wrong = h("p", { class: "wrong", role: "alert", hidden: true });
    this.body = walkable(h("div", { class: "mending" }));
    this.slots = h("div", { class: "slots", role: "status" });
    this.list = h("div", {});
    this.keypad = new Keypad(this.block, { face: (value) => this.digit(value), rub: () => this.digit(0), throws: (n) => this.inThrows(n) });
  }

  open() {
    const { name } = this.pad.table.model.view.seats[this.seat];
    this.dialog = h("dialog", { class: "paper picker correct", "aria-labelledby": "correct-title" },
      h("div", { class: "dialog-head" }, h("h2", { id: "correct-title" }, t("table.correct"), " ", h("small", {}, name)),
        h("button", { class: "quiet", type: "button", "data-act": "close", onclick: () => this.dialog.close() }, t("pad.close"))),
      h("p", { class: "entered" }, this.entered()), this.wrong, this.waysIn?.(), this.body);
    this.dialog.addEventListener("keydown", (event) => this.typed(event));
    modal(this.dialog);
    this.begin();
    this.settle();
  }

  // The focus goes to what stands there, or to the first that can be pressed.
  settle() {
    (this.body.querySelector(".stands") ?? this.body.querySelector("button:not(:disabled)") ?? this.dialog).focus({ preventScroll: true });
  }

  faces(values) {
    return h("span", { class: "showed" }, values.map((value) => faceOf(value, this.block.faces)));
  }

  drawDice(throws = 0) {
    const empty = Array.from({ length: this.block.dice - this.values.length }, () => h("i", { class: "slot" }));
    fill(this.slots, h("span", { class: "unseen" }, this.values.join(" ")), this.values.map((value) => faceOf(value, this.block.faces)), empty);
    this.keypad.draw({ who: t("pad.correct_dice_ask"), open: this.values.length < this.block.dice, rub: this.values.length > 0, throws });
  }

  digit(value) {
    if (value > this.block.faces || (value && this.values.length >= this.block.dice)) return;
    this.values = value ? [...this.values, value] : this.values.slice(0, -1);
    this.told();
  }

  // Once all dice are told, the house says what they bring; only the last question counts.
  async ask(besides = "") {
    const now = this.asked += 1;
    fill(this.list);
    if (!this.dialog.contains(document.activeElement)) this.settle();
    if (this.values.length < this.block.dice) return;
    const text = this.values.map((one) => one.toString(13)).join("");
    try {
      const found = await turn(this.seat, this.box, text + besides);
      if (now === this.asked) this.answered(found, text + besides);
    } catch (refused) {
      this.refuse(refused);
    }
  }

  typed(event) {
    if (!this.telling || event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^[1-9]$/.test(event.key)) this.digit(Number(event.key));
    else if (event.key === "Backspace") this.digit(0);
    else return;
    event.preventDefault();
  }

  inThrows() {}

  // Sends what should have been; the sheet stays open with the reason if that cannot be.
  async want(intent) {
    if (this.sending) return;
    const { ply } = this.pad.table.position.view.seats[this.seat];
    this.refuse(null);
    this.sending = true;
    try {
      await house.want({ ...intent, seat: this.seat, ply, box: this.box });
      this.dialog.close();
    } catch (refused) {
      this.refuse(refused);
    }
    this.sending = false;
  }

  refuse(refused) {
    this.wrong.hidden = !refused;
    fill(this.wrong, refused && [h("b", {}, t("pad.stays")), " ", refused.text ?? String(refused)]);
    if (refused) this.wrong.scrollIntoView({ block: "nearest" });
  }
}

// An entry on a sheet.
class RowCorrection extends Correction {
  begin() {
    this.row = this.box;
    this.show("points");
  }

  entered() {
    const dice = this.found.actions.find((action) => /^[=>]/.test(action));
    return [this.pad.words(this.box).name, ": ", h("b", {}, this.stands()), dice && this.faces([...dice.slice(1)].map((face) => parseInt(face, 13)))];
  }

  // What stands there now.
  stands() {
    return String(this.pad.table.model.view.seats[this.seat].entries[this.pad.row(this.box)]);
  }

  waysIn() {
    this.tabs = ["points", "row", "dice"].map((way) => h("input", { type: "radio", name: "correct-way", value: way, onchange: () => this.show(way) }));
    return h("div", { class: "picks ways-in", role: "radiogroup", "aria-label": t("pad.correct_how") },
      this.tabs.map((input) => h("label", { class: "pick", "data-way": input.value }, input, h("span", {}, t(`pad.correct_${input.value}`)))));
  }

  get telling() {
    return this.way === "dice";
  }

  show(way) {
    this.way = way;
    for (const tab of this.tabs) tab.checked = tab.value === way;
    this.refuse(null);
    if (way === "points") this.points(this.row);
    if (way === "row") this.others();
    if (way === "dice") this.dice();
  }

  // The points of a row, as they could have been written then.
  points(row) {
    const box = this.pad.words(row);
    const option = this.found.options.find((one) => one.box === row);
    const now = row === this.box ? this.found.actions.at(-1).split("=")[1] ?? this.stands() : null;
    fill(this.body, h("h3", {}, box.name), pointKeys({ box, faces: this.block.faces, option, now },
      (text) => this.send(row, [`${row}=${text}`]),
      async (text) => { if (await mayBend({ box, why: option.why ?? option.refusal, text })) this.send(row, [`~${row}=${text}`]); }));
  }

  // The rows it could go to: those that were open and still are, and those it may be mixed up with.
  others() {
    const free = this.found.options.filter((option) => option.box !== this.box && (option.writes.length || option.anyway.length));
    const { swaps } = this.found;
    fill(this.body, free.length > 0 && [h("h3", {}, t("pad.move_to")), this.rows(free, (option) => { this.row = option.box; this.show("points"); this.settle(); })],
      swaps.length > 0 && [h("h3", {}, t("pad.swap_with")), h("div", { class: "rows" }, swaps.map((swap) => this.swap(swap)))],
      !free.length && !swaps.length && h("p", { class: "why" }, t("pad.no_other_box")));
  }

  // A row to swap with, and what both would say then; where a later entry is against it, that is told.
  swap({ box, here, there, refusal }) {
    const [mine, other] = [this.box, box].map((one) => this.pad.words(one).name);
    return h("button", { class: `mend-row swap${refusal ? " dim" : ""}`, type: "button", "data-swap": box,
      onclick: () => (refusal ? this.refuse({ text: refusal }) : this.want({ want: "swap_rows", other: box })) },
    h("span", {}, other), !refusal && h("small", {}, h("span", {}, `${mine} `, h("b", {}, String(here))), h("span", {}, `${other} `, h("b", {}, String(there)))));
  }

  rows(options, pick) {
    const points = (option) => option.refusal ? option.anyway[0] : `${option.points}${option.extra ? `+${option.extra}` : ""}`;
    const dice = this.telling;
    return h("div", { class: "rows" }, options.map((option) => {
      const never = dice && option.refusal && !option.anyway.length;
      return h("button", { class: `mend-row${dice && option.refusal ? " dim" : ""}`, type: "button", "data-row": option.box, "aria-disabled": never ? "true" : null,
        onclick: () => (never ? this.refuse({ text: option.refusal }) : pick(option)) },
      h("span", {}, this.pad.words(option.box).name), dice && h("b", {}, points(option) ? pointsWords(points(option)) : "–"));
    }));
  }

  dice() {
    this.values = [];
    fill(this.body, this.slots, this.keypad.element, this.list);
    this.told();
  }

  told() {
    this.drawDice();
    this.ask();
  }

  answered({ options }, text) {
    if (!this.telling) return;
    fill(this.list, this.rows(options, (option) => this.chosen(option, text)));
    this.list.querySelector("button:not([aria-disabled])")?.focus({ preventScroll: true });
  }

  async chosen(option, text) {
    const box = this.pad.words(option.box);
    if (option.refusal && !await mayBend({ box, why: option.refusal, text: option.anyway[0] })) return;
    this.send(option.box, [`=${text}`, `${option.refusal ? "~" : ""}${option.box}`]);
  }

  // Sends the turn as it should have been; where boxes are announced, the row it is for was announced.
  send(row, actions) {
    const called = this.found.announces && !actions[0].startsWith("~") ? [`!${row}`] : [];
    this.want({ want: "correct", actions: [...called, ...actions] });
  }
}

// A turn in a round: its dice stand there to be told anew, an opener says in how many throws, and all how they stand.
class RoundCorrection extends Correction {
  begin() {
    const { dice, thrown, opens } = this.found;
    this.values = [...dice];
    this.times = opens ? thrown : 0;
    fill(this.body, this.slots, this.keypad.element, this.list);
    this.drawDice(this.times);
    this.answered(this.found, this.text());
  }

  get telling() {
    return true;
  }

  entered() {
    const { dice, round } = this.found;
    return [t("rounds.round"), " ", String(round), ": ", h("b", {}, String(dice.reduce((sum, die) => sum + die, 0))), this.faces(dice)];
  }

  text() {
    return this.values.map((one) => one.toString(13)).join("") + this.besides;
  }

  get besides() {
    return this.times ? `:${this.times}` : "";
  }

  told() {
    this.refuse(null);
    this.drawDice(this.times);
    this.ask(this.besides);
  }

  inThrows(n) {
    this.times = n;
    this.told();
  }

  answered({ dice, stands }, text) {
    const sum = dice.reduce((all, die) => all + die, 0);
    const same = (way) => this.found.aim === way.aim && String(this.found.dice) === String(dice);
    fill(this.list, h("div", { class: "rows" }, stands.map((way) => h("button", { class: `mend-row stay${same(way) ? " stands" : ""}`, type: "button", "data-stand": way.aim ?? "here",
      onclick: () => this.want({ want: "correct", actions: [`=${text}`, way.action] }) }, standWords(way, sum)))));
  }
}
