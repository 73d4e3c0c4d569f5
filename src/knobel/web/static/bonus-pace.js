/* The way to the bonus: what is there of what it takes, and how far ahead or behind that is. */

import { t } from "./translations.js";

/**
 * Writes how far ahead or behind a column is on its way to the bonus, with a real minus.
 * @param {number} n
 */
function formatBonusPace(n) {
  return n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "±0";
}

/**
 * The same, or nothing as long as no upper box is filled: then it tells nothing yet.
 * @param {SheetSeat} seat
 * @param {Wire.SheetGameMessage} gameInfo
 */
export function formatPaceBegun(seat, gameInfo) {
  return hasBegun(seat, gameInfo) ? formatBonusPace(seat.bonus_pace) : "";
}

/**
 * Writes what a column has of what the bonus takes, or nothing as long as no upper box is filled.
 * @param {SheetSeat} seat
 * @param {Wire.SheetGameMessage} gameInfo
 */
export function formatBonusWay(seat, gameInfo) {
  return hasBegun(seat, gameInfo) ? `${seat.upper}/${gameInfo.bonus?.goal}` : "";
}

/**
 * @param {SheetSeat} seat
 * @param {Wire.SheetGameMessage} gameInfo
 */
function hasBegun({ entries }, { boxes }) {
  return boxes.some((box, row) => box.upper && entries[row] !== null);
}

/**
 * Whether an upper box is still open: then the bonus is neither made nor lost.
 * @param {SheetSeat} seat
 * @param {Wire.SheetGameMessage} gameInfo
 */
export function isBonusOpen({ entries }, { boxes }) {
  return boxes.some((box, row) => box.upper && entries[row] === null);
}

/**
 * Says the same in words.
 * @param {number} n
 * @param {string} bonus its printed name
 */
export function describeBonusPace(n, bonus) {
  return t(`pace.${n > 0 ? "ahead" : n < 0 ? "behind" : "on"}`, { n: Math.abs(n), bonus });
}
