/* The last open box may fill itself: once no roll is left there is nothing else to do. */

import { tumbleDuration } from "./dice.js";
import { prefs } from "./prefs.js";

const PAUSE = 700;

/**
 * Scores the last open box after the last roll, if this device wants that; after an undo it is left to the player.
 * @param {TablePage} table
 * @param {Wire.Landed | null} landed
 */
export function fillLastBox(table, landed) {
  const { tray, mine, view } = table.model;
  const options = tray?.phase === "fill" ? (tray.options ?? []) : [];
  const [last] = options;
  if (!landed || landed.real || !mine || !prefs.get("fill_last") || options.length !== 1 || last.refusal) return;
  setTimeout(() => {
    if (table.isConnected && table.position.view.count === view.count) table.actions.scoreLast(last);
  }, tumbleDuration() + PAUSE);
}
