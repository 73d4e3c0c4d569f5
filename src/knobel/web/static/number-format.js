/* Figures of the coach, as people write them: one digit behind the point, and a real minus. */

import { formatDecimal } from "./translations.js";

const MINUS = "−";

/**
 * Writes a number.
 * @param {number} n
 */
export function formatNumber(n) {
  return `${toTenths(n) < 0 ? MINUS : ""}${formatAbsolute(n)}`;
}

/**
 * Writes a number with its sign.
 * @param {number} n
 */
export function formatSigned(n) {
  const sign = { "-1": MINUS, 0: "±", 1: "+" }[Math.sign(toTenths(n))];
  return `${sign}${formatAbsolute(n)}`;
}

/**
 * Writes what something cost.
 * @param {number} n
 */
export function formatLoss(n) {
  return toTenths(n) ? `${MINUS}${formatAbsolute(n)}` : formatAbsolute(0);
}

/** @param {number} n */
function toTenths(n) {
  return Math.round(n * 10) || 0;
}

/** @param {number} n */
function formatAbsolute(n) {
  return formatDecimal(Math.abs(toTenths(n)) / 10);
}
