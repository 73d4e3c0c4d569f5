/* What a choice does to the chance to win, in words. */

import { formatSigned } from "./number-format.js";
import { t } from "./translations.js";

const LEAST = 0.0005;

/**
 * Says what a choice changes the chance to win by, if that is worth mentioning.
 * @param {number | null | undefined} change
 */
export function describeWinChange(change) {
  return isWinChange(change) ? t("chances.to_win", { change: formatSigned(100 * (change ?? 0)) }) : null;
}

/** @param {number | null | undefined} change */
export function isWinChange(change) {
  return Math.abs(change ?? 0) >= LEAST;
}
