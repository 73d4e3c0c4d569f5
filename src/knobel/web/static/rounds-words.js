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
 * Asks before a follower stands on a total that fails.
 * @param {number} sum
 * @returns {Question}
 */
export function describeDoubt(sum) {
  return {
    title: t("rounds.doubt_title", { n: sum }),
    text: t("rounds.doubt_text"),
    yes: t("rounds.stand", { n: sum }),
    no: t("table.zero_no"),
    harmful: true,
  };
}

/**
 * Says what the dice make together, and for a follower whether it is enough.
 * @param {Wire.RoundsTrayView} tray
 */
export function describeSum({ sum, beats }) {
  return t(beats === null ? "rounds.sum" : beats ? "rounds.sum_enough" : "rounds.sum_short", { n: sum });
}
