/* Another entry in place of one that was wrong: other points, another row, or other dice; what came after it is played again. */

import { modal, toast } from "./ask.js";
import { fill, h } from "./dom.js";
import { house } from "./house.js";
import { Keypad, faceOf } from "./keypad.js";
import { mayBend, pointKeys, pointsWords } from "./picker.js";
import { t } from "./words.js";

// Opens the correction of an entry of a seat.
export async function correct(pad, seat, box) {
  await pad.queue.calm();
  try {
    new Correction(pad, seat, box, await turn(seat, box)).open();
  } catch (refused) {
    toast(refused.text ?? t("pad.no_house"));
  }
}

async function turn(seat, box, dice = "") {
  return (await house.command({ do: "turn", room: house.roomId, seat, box, dice })).view;
}

class Correction {
  constructor(pad, seat, box, found) {
    Object.assign(this, { pad, seat, box, found, row: box, values: [] });
    this.block = pad.block;
    this.wrong = h("p", { class: "wrong", role: "alert", hidden: true });
    this.body = h("div", { class: "mending" });
    this.keypad = new Keypad(this.block, { face: (value) => this.digit(value), rub: () => this.digit(0), throws: () => {} });
  }

  open() {
    const { name } = this.pad.table.model.view.seats[this.seat];
    this.dialog = h("dialog", { class: "paper picker correct", "aria-labelledby": "correct-title" },
      h("div", { class: "dialog-head" }, h("h2", { id: "correct-title" }, t("table.correct"), " ", h("small", {}, name)),
        h("button", { class: "quiet", type: "button", "data-act": "close", onclick: () => this.dialog.close() }, t("pad.close"))),
      h("p", { class: "entered" }, this.pad.words(this.box).name, ": ", h("b", {}, this.entered()), this.showed()), this.wrong,
      this.waysIn(), this.body);
    this.dialog.addEventListener("keydown", (event) => this.typed(event));
    modal(this.dialog);
    this.show("points");
  }

  // What stands there now.
  entered() {
    return String(this.pad.table.model.view.seats[this.seat].entries[this.pad.row(this.box)]);
  }

  showed() {
    const dice = this.found.actions.find((action) => /^[=>]/.test(action));
    return dice && h("span", { class: "showed" }, [...dice.slice(1).split(":")[0]].map((face) => faceOf(parseInt(face, 13), this.block.faces)));
  }

  waysIn() {
    this.tabs = ["points", "row", "dice"].map((way) => h("input", { type: "radio", name: "correct-way", value: way, onchange: () => this.show(way) }));
    return h("div", { class: "picks ways-in", role: "radiogroup", "aria-label": t("pad.correct_how") },
      this.tabs.map((input) => h("label", { class: "pick", "data-way": input.value }, input, h("span", {}, t(`pad.correct_${input.value}`)))));
  }

  show(way) {
    this.way = way;
    for (const tab of this.tabs) tab.checked = tab.value === way;
    this.refuse(null);
    if (way === "points") this.points(this.row);
    if (way === "row") this.rows(this.found.options, (option) => { this.row = option.box; this.show("points"); });
    if (way === "dice") this.dice();
  }

  // The points of a row, as they could have been written then.
  points(row) {
    const box = this.pad.words(row);
    const option = this.found.options.find((one) => one.box === row);
    const free = this.block.announced ? { ...option, writes: [...option.writes, ...option.anyway], anyway: [], refusal: null } : option;
    const now = row === this.box ? this.found.actions.at(-1).split("=")[1] ?? this.entered() : null;
    fill(this.body, h("h3", {}, box.name), pointKeys({ box, faces: this.block.faces, option: free, now },
      (text) => this.send(row, [`${row}=${text}`]),
      async (text) => { if (await mayBend({ box, why: option.why ?? option.refusal, text })) this.send(row, [`~${row}=${text}`]); }));
  }

  // The rows that were open then.
  rows(options, pick) {
    const points = (option) => option.refusal ? option.anyway[0] : option.points === null ? "" : `${option.points}${option.extra ? `+${option.extra}` : ""}`;
    const dice = this.way === "dice";
    fill(dice ? this.list : this.body, h("div", { class: "rows" }, options.map((option) => h("button", { class: ["mend-row", dice && option.refusal && "dim"].filter(Boolean).join(" "), type: "button", "data-row": option.box,
      disabled: dice && option.refusal && !option.anyway.length, onclick: () => pick(option) },
      h("span", {}, this.pad.words(option.box).name), dice && h("b", {}, points(option) ? pointsWords(points(option)) : "–")))));
  }

  // Other dice: once all are told, the house says what they bring.
  dice() {
    this.values = [];
    this.slots = h("div", { class: "slots", role: "status" });
    this.list = h("div", {});
    fill(this.body, this.slots, this.keypad.element, this.list);
    this.drawDice();
  }

  drawDice() {
    const empty = Array.from({ length: this.block.dice - this.values.length }, () => h("i", { class: "slot" }));
    fill(this.slots, h("span", { class: "unseen" }, this.values.join(" ")), this.values.map((value) => faceOf(value, this.block.faces)), empty);
    this.keypad.draw({ who: t("pad.correct_dice_ask"), open: this.values.length < this.block.dice, rub: this.values.length > 0, throws: 0 });
  }

  async digit(value) {
    if (value > this.block.faces || (value && this.values.length >= this.block.dice)) return;
    this.values = value ? [...this.values, value] : this.values.slice(0, -1);
    fill(this.list);
    this.drawDice();
    if (this.values.length < this.block.dice) return;
    const text = this.values.map((one) => one.toString(13)).join("");
    try {
      const { options } = await turn(this.seat, this.box, text);
      if (this.way !== "dice" || this.values.length < this.block.dice) return;
      this.rows(options, (option) => this.chosen(option, text));
      this.list.querySelector("button:not(:disabled)")?.focus({ preventScroll: true });
    } catch (refused) {
      this.refuse(refused);
    }
  }

  async chosen(option, text) {
    const box = this.pad.words(option.box);
    const bends = option.refusal && !this.block.announced;
    if (bends && !await mayBend({ box, why: option.refusal, text: option.anyway[0] })) return;
    this.send(option.box, [`=${text}`, `${bends ? "~" : ""}${option.box}`]);
  }

  typed(event) {
    if (this.way !== "dice" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^[1-9]$/.test(event.key)) this.digit(Number(event.key));
    else if (event.key === "Backspace") this.digit(0);
    else return;
    event.preventDefault();
  }

  // Sends the turn as it should have been; where boxes are announced, the row it is for was announced.
  async send(row, actions) {
    const { ply } = this.pad.table.position.view.seats[this.seat];
    const turned = this.block.announced && !actions[0].startsWith("~") ? [`!${row}`, ...actions] : actions;
    this.refuse(null);
    this.body.inert = true;
    try {
      await house.want({ want: "correct", seat: this.seat, ply, box: this.box, actions: turned });
      this.dialog.close();
    } catch (refused) {
      this.refuse(refused);
    }
    this.body.inert = false;
  }

  refuse(refused) {
    this.wrong.hidden = !refused;
    fill(this.wrong, refused && [h("b", {}, t("pad.stays")), " ", refused.text ?? String(refused)]);
    if (refused) this.wrong.scrollIntoView({ block: "nearest" });
  }
}
