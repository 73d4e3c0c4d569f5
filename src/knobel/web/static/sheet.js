/* The printed block: a row for each box, a column for each player, drawn once and then only written in. */

import "./felt.js";
import { fill, h, mark, write } from "./dom.js";
import { menu } from "./ask.js";
import { placeOf } from "./model.js";
import { foreign, t } from "./words.js";
import { hideTip, showTip } from "./tip.js";

const LONG_PRESS = 500;

// Says how far a column is from the bonus, with a real minus.
export function signed(n) {
  return n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "±0";
}

// The block of one game; `hands` are {choose(box), strike(box), player(button, seat), press(button, seat, box), deeds(box)}.
export class SheetBlock {
  constructor(block, seats, hands) {
    this.block = block;
    this.hands = hands;
    this.row = 0;
    this.element = h("section", { class: "block paper", "aria-label": t("table.sheet") });
    this.heads = seats.map((seat, place) => this.head(place));
    this.cells = seats.map((seat, place) => block.boxes.map((box) => this.cell(seat, box, place)));
    this.names = block.boxes.map((box) => this.name(box));
    this.sums = { bonus: [], extra: [], total: [] };
    this.element.append(this.table(seats), this.marks = h("p", { class: "marks", hidden: true }), this.back = h("button", { class: "button back", hidden: true, onclick: hands.follow }));
  }

  table(seats) {
    const row = (title, cells, kind) => h("tr", { role: "row", class: kind }, h("th", { scope: "row", role: "rowheader" }, title), cells);
    const line = (place) => row(this.names[place], this.cells.map((column) => column[place].td), "line");
    const sum = (kind, title) => row(title, seats.map((_, seat) => (this.sums[kind][seat] = td())), `sum ${kind}`);
    const upper = this.block.boxes.flatMap((box, place) => (box.upper ? [line(place)] : []));
    const lower = this.block.boxes.flatMap((box, place) => (box.upper ? [] : [line(place)]));
    const { bonus } = this.block;
    this.extraRow = sum("extra", t("table.extra"));
    return h("table", { role: "table", class: lower.length && upper.length ? "halves" : null },
      h("caption", { class: "unseen" }, t("table.caption", { title: this.block.title })),
      h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, h("th", { scope: "col", role: "columnheader" }, t("table.box")), this.heads.map((one) => one.th))),
      upper.length > 0 && h("tbody", { class: "upper", role: "rowgroup" }, upper,
        bonus && sum("bonus", [t("table.bonus"), " ", h("small", {}, t("table.bonus_line", bonus))])),
      h("tbody", { class: "lower", role: "rowgroup" }, lower),
      h("tfoot", { role: "rowgroup" }, this.extraRow, sum("total", t("table.total"))));
  }

  head(place) {
    const button = h("button", { class: "name", "aria-haspopup": "menu", onclick: () => this.hands.player(button, place) });
    const helped = h("small", { class: "helped" });
    return { button, helped, th: h("th", { scope: "col", role: "columnheader", "data-seat": place }, button, helped) };
  }

  name(box) {
    const button = h("button", { class: "name", "aria-haspopup": "menu", onclick: () => this.boxMenu(button, box.box) }, h("span", { lang: foreign() }, box.name));
    return button;
  }

  cell(seat, box, place) {
    const points = h("span");
    const extra = h("small");
    if (!seat.yours) return { td: td(points, extra), points, extra };
    const button = h("button", { class: "cell", type: "button", tabindex: "-1" }, points, extra);
    button.addEventListener("click", (event) => event.detail < 2 && (this.hands.press?.(button, place, box.box) || this.chosen(button, box.box)));
    button.addEventListener("focus", () => this.focused(button, box.box));
    button.addEventListener("blur", hideTip);
    pressed(button, () => this.boxMenu(button, box.box));
    return { td: td(button), button, points, extra };
  }

  // What an open box of the active column says, or nothing.
  option(box) {
    return this.model?.tray?.options.find((option) => option.box === box);
  }

  chosen(button, box) {
    if (button.dataset.box !== box || !this.model.mine) return;
    const option = this.option(box);
    if (option?.refusal) showTip(button, option.refusal);
    else if (option) this.hands.choose(option);
    else if (this.entry(box) === null) showTip(button, this.model.tray.no_throw ?? t("table.throw_first"));
  }

  focused(button, box) {
    if (button.dataset.box !== box) return;
    this.row = this.block.boxes.findIndex((one) => one.box === box);
    this.rove();
    const option = this.option(box);
    if (option?.refusal && button.matches(":focus-visible")) showTip(button, option.refusal, false);
  }

  entry(box) {
    return this.model.view.seats[this.model.seat].entries[this.block.boxes.findIndex((one) => one.box === box)];
  }

  // The menu of a box: how it scores, and what can be done with it now.
  boxMenu(button, box) {
    const words = this.block.boxes.find((one) => one.box === box);
    const option = this.model.mine ? this.option(box) : null;
    const free = option && !option.refusal;
    const dice = this.model.tray?.dice.length;
    menu(button, [
      free && dice && { label: t("table.write", { n: option.points }), act: () => this.hands.choose(option) },
      free && !dice && this.model.tray.phase === "announce" && { label: t("table.announce", { box: words.name }), act: () => this.hands.choose(option) },
      free && option.strike && { label: t("table.strike"), act: () => this.hands.strike(option), hook: "strike" },
      ...(this.hands.deeds?.(box) ?? []),
    ].filter(Boolean), [`${words.name}: ${words.how}`, option?.refusal].filter(Boolean).join(". "));
  }

  // Draws everything that differs from before.
  draw(model) {
    const before = this.model;
    this.model = model;
    const { view, seat, shown } = model;
    view.seats.forEach((one, place) => {
      const now = !model.over && place === seat && (model.mine || !view.free);
      this.drawHead(one, place, now, place === shown);
      this.cells[place].forEach((cell, row) => this.drawCell(cell, one, place, row, before?.view.game === view.game ? before : null));
      this.drawSums(one, place);
      for (const one of [...this.cells[place].map((cell) => cell.td), ...Object.values(this.sums).map((list) => list[place])]) {
        one?.classList.toggle("now", now);
        one?.classList.toggle("shown", place === shown);
      }
    });
    this.extraRow.hidden = !this.block.prime && view.seats.every((one) => !one.extra);
    this.names.forEach((name, row) => this.drawName(name, this.block.boxes[row]));
    this.back.hidden = !model.away || model.over;
    if (!this.back.hidden) write(this.back, t("table.back_to", { name: view.seats[seat]?.name ?? "" }));
    this.drawMarks(view);
    this.rove();
  }

  // Says what the marks in the columns mean, where there are some.
  drawMarks({ seats }) {
    const found = ["bent", "corrected"].filter((kind) => seats.some((seat) => seat[kind]?.length));
    this.marks.hidden = !found.length;
    const key = found.join();
    if (this.marks.dataset.kinds === key) return;
    this.marks.dataset.kinds = key;
    fill(this.marks, found.map((kind) => h("span", {}, h("i", { class: kind, "aria-hidden": "true" }, "12"), " ", t(`table.note.${kind}`))));
  }

  drawHead(seat, place, now, shown) {
    const { th, button, helped } = this.heads[place];
    write(button, seat.name);
    write(helped, seat.assisted ? t("player.assisted") : "");
    th.classList.toggle("now", now);
    th.classList.toggle("left", seat.left);
    mark(th, "aria-current", now ? "true" : null);
    mark(button, "aria-label", now ? t("player.now", { name: seat.name }) : null);
    th.classList.toggle("shown", shown);
  }

  drawName(name, box) {
    const announced = this.model.tray?.announced === box.box && (this.model.mine || !this.model.view.free);
    const row = name.closest("tr");
    row.classList.toggle("announced", announced);
    mark(name, "data-note", announced ? t("table.announced") : null);
    mark(name, "aria-label", announced ? `${box.name}, ${t("table.announced")}` : null);
  }

  drawCell(cell, seat, place, row, before) {
    const { box, name } = this.block.boxes[row];
    const entry = seat.entries[row];
    const waits = seat.waits?.[box];
    const active = place === this.model.seat && !this.model.over;
    const option = active && entry === null && waits === undefined ? this.option(box) : null;
    const kind = waits === undefined ? kindOf(entry, option, this.model) : "waits";
    const best = kind === "pre" && option.points + option.extra === this.model.best && this.model.best > 0;
    const target = cell.button ?? cell.td;
    for (const one of ["ink", "pre", "zero", "refused", "call", "open", "waits"]) target.classList.toggle(one, kind.split(" ").includes(one));
    cell.td.classList.toggle("best", best);
    cell.td.classList.toggle("yours", seat.yours);
    const noted = ["bent", "corrected"].filter((one) => seat[one]?.includes(box));
    for (const one of ["bent", "corrected"]) target.classList.toggle(one, noted.includes(one));
    write(cell.points, waits ?? shownPoints(entry, option, kind));
    write(cell.extra, option?.extra && !option.refusal ? `+${option.extra}` : "");
    const fresh = before && entry !== null && before.view.seats[place]?.entries[row] === null;
    if (fresh) this.wrote(cell.td);
    if (!cell.button) return;
    mark(cell.button, "data-box", active ? box : null);
    const mends = entry !== null && this.mends(seat);
    mark(cell.button, "data-entry", mends ? box : null);
    mark(cell.button, "aria-label", [waits === undefined ? spoken(name, entry, option, kind) : t("table.waits", { box: name, n: waits }), ...noted.map((one) => t(`table.note.${one}`)), mends && t("table.correct")].filter(Boolean).join(", "));
    mark(cell.button, "aria-disabled", mends || (active && this.model.mine && option && (!option.refusal || option.anyway?.length)) || this.opens(seat, entry, active, waits) ? null : "true");
  }

  // An entry is written in, and is the newest until the next.
  wrote(cell) {
    this.newest?.classList.remove("newest");
    this.newest = cell;
    cell.classList.add("newest");
    written(cell);
  }

  // Whether what stands in a column can be replaced: real dice, ours, and nobody has said yet that it is over.
  mends(seat) {
    return seat.own_dice && seat.bot === null && !this.model.view.closed;
  }

  // Whether a tap on an open box makes another of our columns the one that is written in.
  opens(seat, entry, active, waits) {
    return this.model.view.free && !active && !this.model.over && entry === null && waits === undefined && seat.bot === null;
  }

  drawSums(seat, place) {
    const { bonus } = this.block;
    if (bonus) {
      const full = this.block.boxes.every((box, row) => !box.upper || seat.entries[row] !== null);
      const cell = this.sums.bonus[place];
      write(cell, seat.bonus ? String(seat.bonus) : full ? "0" : signed(seat.gap));
      mark(cell, "title", t("table.bonus_way", { upper: seat.upper, goal: bonus.goal }));
    }
    write(this.sums.extra[place], seat.extra ? String(seat.extra) : "");
    write(this.sums.total[place], String(seat.total));
    mark(this.sums.total[place], "data-place", this.model.ranked && !seat.left ? `${placeOf(this.model.view, place)}.` : null);
  }

  // The open boxes of the active column, in order.
  opened() {
    return (this.cells[this.model?.seat] ?? []).map((cell) => cell.button).filter((button) => button?.dataset.box && !button.classList.contains("ink"));
  }

  // One box of the active column can be reached by Tab; arrows walk from there: where one was, or the next that is open.
  rove() {
    const column = this.cells[this.model?.seat] ?? [];
    const open = this.opened();
    const home = column.slice(this.row).find((cell) => open.includes(cell.button))?.button ?? open[0];
    for (const cells of this.cells) for (const cell of cells) if (cell.button) mark(cell.button, "tabindex", cell.button === home ? "0" : "-1");
    return home;
  }

  // Walks to another open box: up and down in order, left and right to the other half.
  walk(key) {
    const open = this.opened();
    if (!open.length) return;
    const at = open.indexOf(document.activeElement);
    if (at < 0) return this.rove()?.focus();
    const step = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (step) return open[(at + step + open.length) % open.length].focus();
    const half = (button) => this.block.boxes.find((box) => box.box === button.dataset.box).upper;
    const other = open.filter((button) => half(button) !== half(open[at]));
    const same = open.filter((button) => half(button) === half(open[at]));
    other[Math.min(same.indexOf(open[at]), other.length - 1)]?.focus();
  }
}

function td(...children) {
  return h("td", { role: "cell" }, children);
}

function kindOf(entry, option, { tray, mine }) {
  if (entry !== null) return entry === 0 ? "ink zero" : "ink";
  if (!option) return "open";
  if (option.refusal) return mine || tray.dice.length ? "refused" : "open";
  if (!tray.dice.length) return tray.phase === "announce" ? "call" : "open";
  return option.points === 0 ? "pre zero" : "pre";
}

function shownPoints(entry, option, kind) {
  if (entry !== null) return String(entry);
  if (kind === "refused") return "–";
  if (kind === "call") return t("table.call");
  return option && kind !== "open" ? String(option.points ?? "?") : "";
}

function spoken(name, entry, option, kind) {
  if (entry !== null) return t("table.has", { box: name, n: entry });
  if (!option) return t("table.open", { box: name });
  if (option.refusal) return t("table.refused", { box: name, why: option.refusal });
  if (kind === "call") return t("table.announce", { box: name });
  if (kind === "open" || option.points === null) return t("table.open", { box: name });
  return option.extra ? t("table.would_extra", { box: name, n: option.points, extra: option.extra }) : t("table.would", { box: name, n: option.points });
}

function written(cell) {
  cell.classList.remove("written");
  void cell.offsetWidth;
  cell.classList.add("written");
}

function pressed(button, act) {
  let timer;
  let held = false;
  const stop = () => clearTimeout(timer);
  button.addEventListener("pointerdown", (event) => {
    held = false;
    if (event.button === 0) timer = setTimeout(() => { held = true; act(); }, LONG_PRESS);
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave", "pointermove"]) button.addEventListener(end, (event) => {
    if (end !== "pointermove" || Math.hypot(event.movementX, event.movementY) > 6) stop();
  });
  button.addEventListener("contextmenu", (event) => { event.preventDefault(); stop(); if (!held) act(); });
  button.addEventListener("click", (event) => { if (held) event.stopImmediatePropagation(); held = false; }, true);
}
