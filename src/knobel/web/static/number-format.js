/* Figures of the coach, as people write them: one digit behind the point, and a real minus. */

import { formatDecimal } from "./translations.js";

const MINUS = "−";
const NEARLY_WHOLE = 1e-6;

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
 * Writes a ledger so that what is shown adds up: luck is the rest. A total that is whole has no decimals.
 * @param {{ par: number, lost: number, final: number }} ledger
 */
export function formatLedger({ par, lost, final }) {
  const isWhole = Math.abs(final - Math.round(final)) < NEARLY_WHOLE;
  return {
    par: formatNumber(par),
    luck: formatSigned((toTenths(final) - toTenths(par) + toTenths(lost)) / 10),
    lost: formatNumber(lost),
    final: isWhole
      ? `${final < 0 ? MINUS : ""}${formatDecimal(Math.abs(final), { whole: true })}`
      : formatNumber(final),
  };
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
