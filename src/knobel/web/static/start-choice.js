/* Who starts: the first player, one drawn by lot, or the highest roll. */

import { buildSelect } from "./game-setup.js";
import { t } from "./translations.js";

/**
 * Names the ways to settle who starts; where everyone plays at their own pace, nobody can roll for it.
 * @param {{ first?: string, free?: boolean }} [about] What the first way is called, and whether columns are free.
 * @returns {[Start, string][]}
 */
function listStarts({ first = t("agree.start.first"), free = false } = {}) {
  /** @type {[Start, string][]} */
  const known = [
    ["first", first],
    ["random", t("agree.start.random")],
    ["roll_off", t("agree.start.roll")],
  ];
  return free ? known.slice(0, 2) : known;
}

/**
 * Draws the list of ways to choose from.
 * @param {Start} chosen
 * @param {(start: Start) => void} picked
 * @param {{ first?: string, free?: boolean }} [about]
 */
export function buildStartChoice(chosen, picked, about) {
  const known = listStarts(about);
  const shown = known.some(([start]) => start === chosen) ? chosen : "first";
  return buildSelect(t("agree.start"), known, shown, (start) => picked(/** @type {Start} */ (start)), "start");
}

/** @param {Start} start */
export function describeStart(start) {
  return listStarts().find(([one]) => one === start)?.[1] ?? "";
}
