/* What is said about the dice of a round. */

import { t } from "./translations.js";

/**
 * Names a way to stop rolling.
 * @param {Wire.StandView} way
 * @param {number} sum
 */
export function describeStand({ aim }, sum) {
  return t(aim ? `rounds.stand_${aim}` : "rounds.stand", { n: sum });
}

/**
 * Says what a way to stop rolling asks of the others, where the opener chooses it.
 * @param {Wire.StandView} way
 * @param {number} sum
 */
export function explainStand({ aim }, sum) {
  return aim ? t(`rounds.asks_${aim}`, { n: sum }) : "";
}

/**
 * Says what the dice make together, and for a follower whether it is enough.
 * @param {Wire.RoundsTrayView} tray
 */
export function describeSum({ sum, beats }) {
  return t(beats === null ? "rounds.sum" : beats ? "rounds.sum_enough" : "rounds.sum_short", { n: sum });
}
