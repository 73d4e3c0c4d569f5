/* The score sheet: a row for each box, a column for each player; built once, then updated in place. */

import "./table-styles.js";
import { setChildren, h, setAttribute, setText } from "./dom.js";
import { openMenu } from "./dialogs.js";
import { canCorrect, placeOf } from "./table-model.js";
import { getBoxLanguage, t } from "./translations.js";
import { hideTooltip, showTooltip } from "./tooltip.js";

const LONG_PRESS_MS = 500;
const MARKS = ["against_rules", "corrected"];

// Says how far a column is from the bonus, with a real minus.
export function formatBonusPace(n) {
  return n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "±0";
}

// The sheet of one game; `handlers` are {choose(option), crossOut(option), player(button, seat), press(button, seat, box), listMenuItems(box), follow()}.
export class ScoreSheet {
  constructor(gameInfo, seats, handlers) {
    this.gameInfo = gameInfo;
    this.handlers = handlers;
    this.focusedIndex = 0;
    this.element = h("section", { class: "block paper", "aria-label": t("table.sheet") });
    this.headCells = seats.map((seat, place) => buildHead(place, handlers));
    this.cells = seats.map((seat, place) => gameInfo.boxes.map((box) => this.buildCell(seat, box, place)));
    this.nameButtons = gameInfo.boxes.map((box) => buildBoxName(box, (button) => this.openBoxMenu(button, box.box)));
    this.sumCells = { bonus: [], extra: [], total: [] };
    this.element.append(this.buildTable(seats), this.legend = h("p", { class: "marks", hidden: true }), this.backButton = h("button", { class: "button back", hidden: true, onclick: handlers.follow }));
  }

  buildTable(seats) {
    const row = (title, cells, kind) => h("tr", { role: "row", class: kind }, h("th", { scope: "row", role: "rowheader" }, title), cells);
    const line = (place) => row(this.nameButtons[place], this.cells.map((column) => column[place].td), "line");
    const sum = (kind, title) => row(title, seats.map((_, seat) => (this.sumCells[kind][seat] = buildDataCell())), `sum ${kind}`);
    const upper = this.gameInfo.boxes.flatMap((box, place) => (box.upper ? [line(place)] : []));
    const lower = this.gameInfo.boxes.flatMap((box, place) => (box.upper ? [] : [line(place)]));
    const { bonus } = this.gameInfo;
    this.extraLine = sum("extra", t("table.extra"));
    return h("table", { role: "table", class: lower.length && upper.length ? "halves" : null },
      h("caption", { class: "unseen" }, t("table.caption", { title: this.gameInfo.title })),
      h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, h("th", { scope: "col", role: "columnheader" }, t("table.box")), this.headCells.map((one) => one.th))),
      upper.length > 0 && h("tbody", { class: "upper", role: "rowgroup" }, upper,
        bonus && sum("bonus", [t("table.bonus"), " ", h("small", {}, t("table.bonus_line", bonus))])),
      h("tbody", { class: "lower", role: "rowgroup" }, lower),
      h("tfoot", { role: "rowgroup" }, this.extraLine, sum("total", t("table.total"))));
  }

  // The buttons with the names of the players.
  get headButtons() {
    return this.headCells.map((one) => one.button);
  }

  buildCell(seat, box, place) {
    const points = h("span");
    const extra = h("small");
    if (!seat.yours) return { td: buildDataCell(points, extra), points, extra };
    const button = h("button", { class: "cell", type: "button", tabindex: "-1" }, points, extra);
    button.addEventListener("click", (event) => event.detail < 2 && (this.handlers.press?.(button, place, box.box) || this.handleChoice(button, box.box)));
    button.addEventListener("focus", () => this.handleFocus(button, box.box));
    button.addEventListener("blur", hideTooltip);
    onLongPress(button, () => this.openBoxMenu(button, box.box));
    return { td: buildDataCell(button), button, points, extra };
  }

  // What an open box of the active column says, or nothing.
  findOption(box) {
    return this.model?.tray?.options.find((option) => option.box === box);
  }

  handleChoice(button, box) {
    if (button.dataset.box !== box || !this.model.mine) return;
    const option = this.findOption(box);
    if (option?.refusal) showTooltip(button, option.refusal);
    else if (option) this.handlers.choose(option);
    else if (this.model.view.seats[this.model.seat].entries[this.gameInfo.boxes.findIndex((one) => one.box === box)] === null) showTooltip(button, this.model.tray.roll_refusal ?? t("table.roll_first"));
  }

  handleFocus(button, box) {
    if (button.dataset.box !== box) return;
    this.focusedIndex = this.gameInfo.boxes.findIndex((one) => one.box === box);
    this.updateTabStop();
    const option = this.findOption(box);
    if (option?.refusal && button.matches(":focus-visible")) showTooltip(button, option.refusal, false);
  }

  // The menu of a box: how it scores, and what can be done with it now.
  openBoxMenu(button, box) {
    const words = this.gameInfo.boxes.find((one) => one.box === box);
    const option = this.model.mine ? this.findOption(box) : null;
    const free = option && !option.refusal;
    const dice = this.model.tray?.dice.length;
    openMenu(button, [
      free && dice && { label: t("table.score", { n: option.points }), act: () => this.handlers.choose(option) },
      free && !dice && this.model.tray.phase === "announce" && { label: t("table.announce", { box: words.name }), act: () => this.handlers.choose(option) },
      free && option.can_cross_out && { label: t("table.cross_out"), act: () => this.handlers.crossOut(option), hook: "cross-out" },
      ...(this.handlers.listMenuItems?.(box) ?? []),
    ].filter(Boolean), [`${words.name}: ${words.how}`, option?.refusal].filter(Boolean).join(". "));
  }

  // Draws everything that differs from before.
  draw(model) {
    const before = this.model;
    this.model = model;
    const { view, seat, shown } = model;
    view.seats.forEach((one, place) => {
      const now = !model.over && place === seat && (model.mine || !view.free);
      drawHead(this.headCells[place], one, now, place === shown);
      this.cells[place].forEach((cell, row) => this.drawCell(cell, one, place, row, before?.view.game === view.game ? before : null));
      this.drawSums(one, place);
      for (const one of [...this.cells[place].map((cell) => cell.td), ...Object.values(this.sumCells).map((list) => list[place])]) {
        one?.classList.toggle("now", now);
        one?.classList.toggle("shown", place === shown);
      }
    });
    this.extraLine.hidden = !this.gameInfo.prime && view.seats.every((one) => !one.extra);
    this.nameButtons.forEach((name, row) => drawBoxName(name, this.gameInfo.boxes[row], model));
    this.backButton.hidden = !model.away || model.over;
    if (!this.backButton.hidden) setText(this.backButton, t("table.back_to", { name: view.seats[seat]?.name ?? "" }));
    drawLegend(this.legend, view.seats);
    this.updateTabStop();
  }

  drawCell(cell, seat, place, row, before) {
    const { box, name } = this.gameInfo.boxes[row];
    const entry = seat.entries[row];
    const waits = seat.waits?.[box];
    const active = place === this.model.seat && !this.model.over;
    const option = active && entry === null && waits === undefined ? this.findOption(box) : null;
    const kind = waits === undefined ? cellKind(entry, option, this.model) : "waits";
    const best = kind === "pre" && option.points + option.extra === this.model.best && this.model.best > 0;
    const target = cell.button ?? cell.td;
    for (const one of ["ink", "pre", "zero", "refused", "call", "open", "waits"]) target.classList.toggle(one, kind.split(" ").includes(one));
    cell.td.classList.toggle("best", best);
    cell.td.classList.toggle("yours", seat.yours);
    const noted = MARKS.filter((one) => seat[one]?.includes(box));
    for (const one of MARKS) target.classList.toggle(markClass(one), noted.includes(one));
    setText(cell.points, waits ?? cellText(entry, option, kind));
    setText(cell.extra, option?.extra && !option.refusal ? `+${option.extra}` : "");
    const fresh = before && entry !== null && before.view.seats[place]?.entries[row] === null;
    if (fresh) this.markNewest(cell.td);
    if (!cell.button) return;
    setAttribute(cell.button, "data-box", active ? box : null);
    const mends = entry !== null && canCorrect(this.model.view, seat);
    setAttribute(cell.button, "data-entry", mends ? box : null);
    setAttribute(cell.button, "aria-label", [waits === undefined ? cellLabel(name, entry, option, kind) : t("table.waits", { box: name, n: waits }), ...noted.map((one) => t(`table.note.${one}`)), mends && t("table.correct")].filter(Boolean).join(", "));
    setAttribute(cell.button, "aria-disabled", mends || (active && this.model.mine && option && (!option.refusal || option.anyway?.length)) || canActivate(this.model, seat, active, entry === null && waits === undefined) ? null : "true");
  }

  // An entry is written in, and is the newest until the next.
  markNewest(cell) {
    this.newest?.classList.remove("newest");
    this.newest = cell;
    cell.classList.add("newest");
    playScoreAnimation(cell);
  }

  drawSums(seat, place) {
    const { bonus } = this.gameInfo;
    if (bonus) {
      const full = this.gameInfo.boxes.every((box, row) => !box.upper || seat.entries[row] !== null);
      const cell = this.sumCells.bonus[place];
      setText(cell, seat.bonus ? String(seat.bonus) : full ? "0" : formatBonusPace(seat.bonus_pace));
      setAttribute(cell, "title", t("table.bonus_way", { upper: seat.upper, goal: bonus.goal }));
    }
    setText(this.sumCells.extra[place], seat.extra ? String(seat.extra) : "");
    setText(this.sumCells.total[place], String(seat.total));
    setAttribute(this.sumCells.total[place], "data-place", this.model.ranked && !seat.left ? `${placeOf(this.model.view, place)}.` : null);
  }

  // One box of the active column can be reached by Tab; arrows walk from there: where one was, or the next that is open.
  updateTabStop() {
    const column = this.cells[this.model?.seat] ?? [];
    const open = listOpenBoxes(column);
    const home = column.slice(this.focusedIndex).find((cell) => open.includes(cell.button))?.button ?? open[0];
    for (const cells of this.cells) for (const cell of cells) if (cell.button) setAttribute(cell.button, "tabindex", cell.button === home ? "0" : "-1");
    return home;
  }

  // Walks to another open box: up and down in order, left and right to the other half.
  moveFocus(key) {
    const open = listOpenBoxes(this.cells[this.model?.seat] ?? []);
    if (!open.length) return;
    const at = open.indexOf(document.activeElement);
    if (at < 0) return this.updateTabStop()?.focus();
    const step = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (step) return open[(at + step + open.length) % open.length].focus();
    const half = (button) => this.gameInfo.boxes.find((box) => box.box === button.dataset.box).upper;
    const other = open.filter((button) => half(button) !== half(open[at]));
    const same = open.filter((button) => half(button) === half(open[at]));
    other[Math.min(same.indexOf(open[at]), other.length - 1)]?.focus();
  }
}

// The head of a player's column.
function buildHead(place, handlers) {
  const button = h("button", { class: "name", "aria-haspopup": "menu", onclick: () => handlers.player(button, place) });
  const helped = h("small", { class: "helped" });
  return { button, helped, th: h("th", { scope: "col", role: "columnheader", "data-seat": place }, button, helped) };
}

function buildBoxName(box, openMenuAt) {
  const button = h("button", { class: "name", "aria-haspopup": "menu", onclick: () => openMenuAt(button) }, h("span", { lang: getBoxLanguage() }, box.name));
  return button;
}

// Says what the marks in the columns mean, where there are some.
function drawLegend(legend, seats) {
  const found = MARKS.filter((kind) => seats.some((seat) => seat[kind]?.length));
  legend.hidden = !found.length;
  const key = found.join();
  if (legend.dataset.kinds === key) return;
  legend.dataset.kinds = key;
  setChildren(legend, found.map((kind) => h("span", {}, h("i", { class: markClass(kind), "aria-hidden": "true" }, "12"), " ", t(`table.note.${kind}`))));
}

function drawHead({ th, button, helped }, seat, now, shown) {
  setText(button, seat.name);
  setText(helped, seat.assisted ? t("player.assisted") : "");
  th.classList.toggle("now", now);
  th.classList.toggle("left", seat.left);
  setAttribute(th, "aria-current", now ? "true" : null);
  setAttribute(button, "aria-label", now ? t("player.now", { name: seat.name }) : null);
  th.classList.toggle("shown", shown);
}

function drawBoxName(name, box, { tray, mine, view }) {
  const announced = tray?.announced === box.box && (mine || !view.free);
  name.closest("tr").classList.toggle("announced", announced);
  setAttribute(name, "data-note", announced ? t("table.announced") : null);
  setAttribute(name, "aria-label", announced ? `${box.name}, ${t("table.announced")}` : null);
}

// Whether a tap on an open box makes another of our columns the active one.
function canActivate({ view, over }, seat, active, open) {
  return view.free && !active && !over && open && seat.bot === null;
}

// The open boxes of a column, in order.
function listOpenBoxes(column) {
  return column.map((cell) => cell.button).filter((button) => button?.dataset.box && !button.classList.contains("ink"));
}

function markClass(mark) {
  return mark.replace("_", "-");
}

function buildDataCell(...children) {
  return h("td", { role: "cell" }, children);
}

function cellKind(entry, option, { tray, mine }) {
  if (entry !== null) return entry === 0 ? "ink zero" : "ink";
  if (!option) return "open";
  if (option.refusal) return mine || tray.dice.length ? "refused" : "open";
  if (!tray.dice.length) return tray.phase === "announce" ? "call" : "open";
  return option.points === 0 ? "pre zero" : "pre";
}

function cellText(entry, option, kind) {
  if (entry !== null) return String(entry);
  if (kind === "refused") return "–";
  if (kind === "call") return t("table.call");
  return option && kind !== "open" ? String(option.points ?? "?") : "";
}

function cellLabel(name, entry, option, kind) {
  if (entry !== null) return t("table.has", { box: name, n: entry });
  if (!option) return t("table.open", { box: name });
  if (option.refusal) return t("table.refused", { box: name, why: option.refusal });
  if (kind === "call") return t("table.announce", { box: name });
  if (kind === "open" || option.points === null) return t("table.open", { box: name });
  return option.extra ? t("table.would_extra", { box: name, n: option.points, extra: option.extra }) : t("table.would", { box: name, n: option.points });
}

function playScoreAnimation(cell) {
  cell.classList.remove("written");
  void cell.offsetWidth;
  cell.classList.add("written");
}

function onLongPress(button, act) {
  let timer;
  let held = false;
  const stop = () => clearTimeout(timer);
  button.addEventListener("pointerdown", (event) => {
    held = false;
    if (event.button === 0) timer = setTimeout(() => { held = true; act(); }, LONG_PRESS_MS);
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave", "pointermove"]) button.addEventListener(end, (event) => {
    if (end !== "pointermove" || Math.hypot(event.movementX, event.movementY) > 6) stop();
  });
  button.addEventListener("contextmenu", (event) => { event.preventDefault(); stop(); if (!held) act(); });
  button.addEventListener("click", (event) => { if (held) event.stopImmediatePropagation(); held = false; }, true);
}
