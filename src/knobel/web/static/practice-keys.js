/* The keys of a table in practice, the same as in a game: numbers keep, space rolls, arrows and Enter choose. */

import { canRollFrom, listenForKeys, moveBetweenDice } from "./keyboard.js";

/** @type {Record<string, string | null>} */
const STANDS = { s: null, "+": "over", "-": "under" };

/**
 * Listens to the keys of the table that is shown, if there is one; gives back how to stop.
 * @param {() => PracticeTable | null} findTable
 */
export function listenToPracticeKeys(findTable) {
  return listenForKeys((event) => {
    const table = findTable();
    return table !== null && !table.answered && handleKey(table, event);
  });
}

/**
 * @param {PracticeTable} table
 * @param {TargetedKey} event
 * @returns {boolean}
 */
function handleKey(table, { key, target, repeat }) {
  if (key.startsWith("Arrow")) {
    if (!moveBetweenDice(key, target)) table.board.moveFocus(key);
    return true;
  }
  if (repeat) return /^[1-9]$/.test(key);
  if (/^[1-9]$/.test(key)) return table.toggle(Number(key) - 1);
  if (key === "r" || (key === " " && canRollFrom(target))) return table.act();
  if (key in STANDS) return table.standByKey(STANDS[key]);
  return key === "u" && table.undo();
}
