/* The score sheet: a row for each box, a column for each player; built once, then updated in place. */

import { describeBonusPace, formatBonusWay } from "./bonus-pace.js";
import { onLongPress } from "./long-press.js";
import { compact, required } from "./required.js";
import { buildDataCell, buildInkedCell, cellKind, cellLabel, cellText, playScoreAnimation } from "./score-cell.js";
import {
  buildBonusName,
  buildBoxName,
  buildColumnNames,
  buildHead,
  drawBoxName,
  drawColumnNames,
  drawHead,
  drawOwner,
} from "./sheet-heads.js";
import { drawLegend, MARKS, markClass } from "./sheet-marks.js";
import "./table-styles.js";
import { openMenu } from "./dialogs.js";
import { h, setAttribute, setLetters, setText, splitName } from "./dom.js";
import { canCorrect, isSeatHidden, placeOf } from "./table-model.js";
import { hideTooltip, showTooltip } from "./tooltip.js";
import { t } from "./translations.js";

/** So many columns lie beside each other in each half, on a tablet held upright. */
const MOST_BESIDE = 4;

// The sheet of one game; `handlers` are {choose(option), crossOut(option), player(button, seat), press(button, seat, box), listMenuItems(box), follow()}.
export class ScoreSheet {
  /** @type {HTMLElement | undefined} */
  newest;
  /** @type {HTMLElement} */
  extraLine;
  /** @type {TableModel<SheetKind>} */
  model;
  /** @type {Record<string, HTMLElement[]>} */
  sumCells;

  /**
   * @param {Wire.SheetGameMessage} gameInfo
   * @param {OwnSeat[]} seats
   * @param {BoardHandlers} handlers
   */
  constructor(gameInfo, seats, handlers) {
    this.gameInfo = gameInfo;
    this.handlers = handlers;
    this.focusedIndex = 0;
    this.element = h("section", { class: "board paper", "aria-label": t("table.sheet") });
    this.headCells = seats.map((_, place) => buildHead(place, handlers));
    this.cells = seats.map((seat, place) => gameInfo.boxes.map((box) => this.buildCell(seat, box, place)));
    this.nameButtons = gameInfo.boxes.map((box) => buildBoxName(box, (button) => this.openBoxMenu(button, box.box)));
    this.sumCells = { upper: [], bonus: [], lower: [], extra: [], total: [] };
    this.legend = h("p", { class: "marks", hidden: true });
    this.backButton = h("button", { class: "button back", hidden: true, onclick: handlers.follow });
    this.owner = h("p", { class: "sheet-owner", hidden: seats.length < 2 });
    this.element.append(this.owner, this.buildTable(seats), this.legend, this.backButton);
  }

  /** @param {OwnSeat[]} seats */
  buildTable(seats) {
    /** @type {(title: Child, cells: Child, kind: string) => HTMLElement} */
    const row = (title, cells, kind) => {
      const head = h("th", { scope: "row", role: "rowheader" }, title);
      setLetters(head, splitName(head.textContent ?? ""));
      return h("tr", { role: "row", class: kind }, head, cells);
    };
    /** @type {(place: number) => HTMLElement} */
    const line = (place) =>
      row(
        this.nameButtons[place],
        this.cells.map((column) => column[place].td),
        "line",
      );
    /** @type {(kind: string, title: Child) => HTMLElement} */
    const sum = (kind, title) =>
      row(
        title,
        seats.map((_, seat) => (this.sumCells[kind][seat] = buildDataCell())),
        kind === "upper" ? "sum upper-total" : `sum ${kind}`,
      );
    const names = () => buildColumnNames(seats.length);
    const upper = this.gameInfo.boxes.flatMap((box, place) => (box.upper ? [line(place)] : []));
    const lower = this.gameInfo.boxes.flatMap((box, place) => (box.upper ? [] : [line(place)]));
    const { bonus, upper_total, lower_total } = this.gameInfo;
    const halves = lower.length > 0 && upper.length > 0;
    const isFew = seats.length > 1 && seats.length <= MOST_BESIDE;
    this.extraLine = sum("extra", t("table.extra"));
    return h(
      "table",
      { role: "table", class: [halves && "halves", isFew && "few"].filter(Boolean).join(" ") || null },
      h("caption", { class: "unseen" }, t("table.caption", { title: this.gameInfo.title })),
      h(
        "thead",
        { role: "rowgroup" },
        h(
          "tr",
          { role: "row" },
          h("th", { scope: "col", role: "columnheader" }, t("table.box")),
          this.headCells.map((one) => one.th),
        ),
      ),
      upper.length > 0 &&
        h(
          "tbody",
          { class: "upper", role: "rowgroup" },
          isFew && names(),
          upper,
          upper_total && sum("upper", upper_total),
          bonus && sum("bonus", buildBonusName(bonus)),
        ),
      h(
        "tbody",
        { class: "lower", role: "rowgroup" },
        isFew && names(),
        lower,
        lower_total && sum("lower", lower_total),
      ),
      h("tfoot", { role: "rowgroup" }, this.extraLine, sum("total", t("table.total"))),
    );
  }

  // The buttons with the names of the players.
  get headButtons() {
    return this.headCells.map((one) => one.button);
  }

  /**
   * @param {OwnSeat} seat
   * @param {Wire.BoxInfo} box
   * @param {number} place
   * @returns {ScoreCell}
   */
  buildCell(seat, box, place) {
    const points = h("span");
    const extra = h("small");
    if (!seat.yours) return { td: buildInkedCell(place, points, extra), points, extra };
    const button = h("button", { class: "cell", type: "button", tabindex: "-1" }, points, extra);
    button.addEventListener(
      "click",
      (event) =>
        event.detail < 2 && (this.handlers.press?.(button, place, box.box) || this.handleChoice(button, box.box)),
    );
    button.addEventListener("focus", () => this.handleFocus(button, box.box));
    button.addEventListener("blur", hideTooltip);
    onLongPress(button, () => this.openBoxMenu(button, box.box));
    return { td: buildInkedCell(place, button), button, points, extra };
  }

  /**
   * What an open box of the active column says, or nothing.
   * @param {string} box
   * @returns {BoxOption | undefined}
   */
  findOption(box) {
    return this.model?.tray?.options.find((option) => option.box === box);
  }

  /**
   * @param {HTMLElement} button
   * @param {string} box
   */
  handleChoice(button, box) {
    if (button.dataset.box !== box || !this.model.mine) return;
    const option = this.findOption(box);
    if (option?.refusal) showTooltip(button, option.refusal);
    else if (option) this.handlers.choose?.(option);
    else if (
      this.model.view.seats[this.model.seat].entries[this.gameInfo.boxes.findIndex((one) => one.box === box)] === null
    )
      showTooltip(button, this.model.tray?.roll_refusal ?? t("table.roll_first"));
  }

  /**
   * @param {HTMLElement} button
   * @param {string} box
   */
  handleFocus(button, box) {
    if (button.dataset.box !== box) return;
    this.focusedIndex = this.gameInfo.boxes.findIndex((one) => one.box === box);
    this.updateTabStop();
    const option = this.findOption(box);
    if (option?.refusal && button.matches(":focus-visible")) showTooltip(button, option.refusal, false);
  }

  /**
   * The menu of a box: how it scores, and what can be done with it now.
   * @param {HTMLElement} button
   * @param {string} box
   */
  openBoxMenu(button, box) {
    const words = required(
      this.gameInfo.boxes.find((one) => one.box === box),
      box,
    );
    const option = this.model.mine ? this.findOption(box) : null;
    const free = option && !option.refusal;
    const dice = this.model.tray?.dice.length;
    openMenu(
      button,
      compact([
        free && dice && { label: t("table.score", { n: option.points }), act: () => this.handlers.choose?.(option) },
        free &&
          !dice &&
          this.model.tray?.phase === "announce" && {
            label: t("table.announce", { box: words.name }),
            act: () => this.handlers.choose?.(option),
          },
        free &&
          option.can_cross_out && {
            label: t("table.cross_out"),
            act: () => this.handlers.crossOut?.(option),
            hook: "cross-out",
          },
        ...(this.handlers.listMenuItems?.(box) ?? []),
      ]),
      [`${words.name}: ${words.how}`, option?.refusal].filter(Boolean).join(". "),
    );
  }

  /**
   * Draws everything that differs from before.
   * @param {TableModel<SheetKind>} model
   */
  draw(model) {
    const before = this.model;
    this.model = model;
    const { view, seat, shown } = model;
    for (const [place, one] of view.seats.entries()) {
      const now = !model.over && place === seat && (model.mine || !view.free);
      drawHead(this.headCells[place], one, now, place === shown);
      for (const [row, cell] of this.cells[place].entries())
        this.drawCell(cell, one, place, row, before?.view.game === view.game ? before : null);
      this.drawSums(one, place);
      for (const one of [
        ...this.cells[place].map((cell) => cell.td),
        ...Object.values(this.sumCells).map((list) => list[place]),
      ]) {
        one?.classList.toggle("now", now);
        one?.classList.toggle("shown", place === shown);
      }
    }
    drawColumnNames(this.element, view.seats);
    drawOwner(this.owner, view.seats[shown]?.name ?? "", shown);
    this.extraLine.hidden = !this.gameInfo.prime && view.seats.every((one) => !one.extra);
    for (const [row, name] of this.nameButtons.entries()) drawBoxName(name, this.gameInfo.boxes[row], model);
    this.backButton.hidden = !model.away || model.over;
    if (!this.backButton.hidden) setText(this.backButton, t("table.back_to", { name: view.seats[seat]?.name ?? "" }));
    drawLegend(this.legend, view.seats);
    this.updateTabStop();
  }

  /**
   * @param {ScoreCell} cell
   * @param {SheetSeat} seat
   * @param {number} place
   * @param {number} row
   * @param {TableModel<SheetKind> | null} before
   */
  drawCell(cell, seat, place, row, before) {
    const { box, name } = this.gameInfo.boxes[row];
    const entry = seat.entries[row];
    const waits = seat.waits?.[box];
    const active = place === this.model.seat && !this.model.over;
    const option = active && entry === null && waits === undefined ? this.findOption(box) : null;
    const kind = waits === undefined ? cellKind(entry, option, this.model) : "pending";
    const points = (option?.points ?? 0) + (option?.extra ?? 0);
    const best = kind === "preview" && points === this.model.best && this.model.best > 0;
    const target = cell.button ?? cell.td;
    for (const one of ["filled", "preview", "zero", "refused", "announce", "open", "pending"])
      target.classList.toggle(one, kind.split(" ").includes(one));
    cell.td.classList.toggle("best", best);
    setAttribute(cell.td, "title", best ? t("table.highest") : null);
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
    setAttribute(
      cell.button,
      "aria-label",
      [
        waits === undefined ? cellLabel(name, entry, option, kind) : t("table.waits", { box: name, n: waits }),
        ...noted.map((one) => t(`table.note.${one}`)),
        mends && t("table.correct"),
      ]
        .filter(Boolean)
        .join(", "),
    );
    setAttribute(
      cell.button,
      "aria-disabled",
      mends ||
        (active && this.model.mine && option && (!option.refusal || option.anyway?.length)) ||
        canActivate(this.model, seat, active, entry === null && waits === undefined)
        ? null
        : "true",
    );
  }

  /**
   * An entry is written in, and is the newest until the next.
   * @param {HTMLElement} cell
   */
  markNewest(cell) {
    this.newest?.classList.remove("newest");
    this.newest = cell;
    cell.classList.add("newest");
    playScoreAnimation(cell);
  }

  /**
   * @param {SheetSeat} seat
   * @param {number} place
   */
  drawSums(seat, place) {
    const { bonus } = this.gameInfo;
    if (bonus) {
      const full = this.gameInfo.boxes.every((box, row) => !box.upper || seat.entries[row] !== null);
      const cell = this.sumCells.bonus[place];
      const isOpen = !seat.bonus && !full;
      setText(cell, isOpen ? formatBonusWay(seat, this.gameInfo) : String(seat.bonus));
      setAttribute(cell, "aria-label", isOpen ? describeBonusPace(seat.bonus_pace, bonus.name) : null);
      setAttribute(cell, "title", t("table.bonus_way", { upper: seat.upper, goal: bonus.goal }));
    }
    /** @type {(sum: number) => string} */
    const show = (sum) => (isSeatHidden(this.model.view, place) ? "–" : String(sum));
    if (this.gameInfo.upper_total) setText(this.sumCells.upper[place], show(seat.upper));
    if (this.gameInfo.lower_total) setText(this.sumCells.lower[place], show(seat.lower));
    setText(this.sumCells.extra[place], seat.extra || this.model.over ? String(seat.extra) : "");
    setText(this.sumCells.total[place], show(seat.total));
    setAttribute(
      this.sumCells.total[place],
      "data-place",
      this.model.ranked && !seat.left ? `${placeOf(this.model.view, place)}.` : null,
    );
  }

  // One box of the active column can be reached by Tab; arrows walk from there: where one was, or the next that is open.
  updateTabStop() {
    const column = this.cells[this.model?.seat] ?? [];
    const open = listOpenBoxes(column);
    const home =
      column.slice(this.focusedIndex).find((cell) => cell.button && open.includes(cell.button))?.button ?? open[0];
    for (const cells of this.cells)
      for (const cell of cells)
        if (cell.button) setAttribute(cell.button, "tabindex", cell.button === home ? "0" : "-1");
    return home;
  }

  /**
   * Walks to another open box: up and down in order, left and right to the other half.
   * @param {string} key
   */
  moveFocus(key) {
    const open = listOpenBoxes(this.cells[this.model?.seat] ?? []);
    if (!open.length) return;
    const at = open.findIndex((button) => button === document.activeElement);
    if (at < 0) return this.updateTabStop()?.focus();
    const step = key === "ArrowDown" ? 1 : key === "ArrowUp" ? -1 : 0;
    if (step) return open[(at + step + open.length) % open.length].focus();
    /** @type {(button: HTMLElement) => boolean | undefined} */
    const half = (button) => this.gameInfo.boxes.find((box) => box.box === button.dataset.box)?.upper;
    const other = open.filter((button) => half(button) !== half(open[at]));
    const same = open.filter((button) => half(button) === half(open[at]));
    other[Math.min(same.indexOf(open[at]), other.length - 1)]?.focus();
  }
}

/**
 * Whether a tap on an open box makes another of our columns the active one.
 * @param {TableModel<SheetKind>} model
 * @param {SheetSeat} seat
 * @param {boolean} active
 * @param {boolean} open
 */
function canActivate({ view, over }, seat, active, open) {
  return view.free && !active && !over && open && seat.bot === null;
}

/**
 * The open boxes of a column, in order.
 * @param {ScoreCell[]} column
 */
function listOpenBoxes(column) {
  const buttons = compact(column.map((cell) => cell.button));
  return buttons.filter((button) => button.dataset.box && !button.classList.contains("filled"));
}
