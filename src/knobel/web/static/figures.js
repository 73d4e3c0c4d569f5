/* Figures of the coach, as people write them: one digit behind the point, and a real minus. */

import { decimal } from "./words.js";

const MINUS = "−";

// Writes a number.
export function figure(n) {
  return `${rounded(n) < 0 ? MINUS : ""}${plain(n)}`;
}

// Writes a number with its sign.
export function signedFigure(n) {
  const sign = { "-1": MINUS, 0: "±", 1: "+" }[Math.sign(rounded(n))];
  return `${sign}${plain(n)}`;
}

// Writes what something cost.
export function cost(n) {
  return rounded(n) ? `${MINUS}${plain(n)}` : plain(0);
}

function rounded(n) {
  return Math.round(n * 10) || 0;
}

function plain(n) {
  return decimal(Math.abs(rounded(n)) / 10);
}
