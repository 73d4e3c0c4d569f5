/* One box of a player's column: what it shows, and how it is read aloud. */

import { h, setAttribute } from "./dom.js";
import { inkOf } from "./inks.js";
import { t } from "./translations.js";

const WRITTEN_MS = 1000;

/**
 * @param {number | null} entry
 * @param {BoxOption | null | undefined} option
 * @param {TableModel<SheetKind>} model
 */
export function cellKind(entry, option, { tray, mine }) {
  if (entry !== null) return entry === 0 ? "filled zero" : "filled";
  if (!option) return "open";
  if (option.refusal) return mine || tray?.dice.length ? "refused" : "open";
  if (!tray?.dice.length) return tray?.phase === "announce" ? "announce" : "open";
  return option.points === 0 ? "preview zero" : "preview";
}

/**
 * @param {number | null} entry
 * @param {BoxOption | null | undefined} option
 * @param {string} kind
 */
export function cellText(entry, option, kind) {
  if (entry !== null) return String(entry);
  if (kind === "refused") return "–";
  if (kind === "announce") return t("table.call");
  return option && kind !== "open" ? String(option.points ?? "?") : "";
}

/**
 * @param {string} name
 * @param {number | null} entry
 * @param {BoxOption | null | undefined} option
 * @param {string} kind
 */
export function cellLabel(name, entry, option, kind) {
  if (entry !== null) return t("table.has", { box: name, n: entry });
  if (!option) return t("table.open", { box: name });
  if (option.refusal) return t("table.refused", { box: name, why: option.refusal });
  if (kind === "announce") return t("table.announce", { box: name });
  if (kind === "open" || option.points === null) return t("table.open", { box: name });
  return option.extra
    ? t("table.would_extra", { box: name, n: option.points, extra: option.extra })
    : t("table.would", { box: name, n: option.points });
}

/**
 * An animation that is left on a cell would start again whenever its column is shown.
 * @param {HTMLElement} cell
 */
export function playScoreAnimation(cell) {
  cell.classList.remove("written");
  void cell.offsetWidth;
  cell.classList.add("written");
  setTimeout(() => cell.classList.remove("written"), WRITTEN_MS);
}

/** @param {...Child} children */
export function buildDataCell(...children) {
  return h("td", { role: "cell" }, children);
}

/**
 * @param {number} seat
 * @param {...Child} children
 */
export function buildInkedCell(seat, ...children) {
  return setAttribute(buildDataCell(...children), "data-ink", inkOf(seat));
}
