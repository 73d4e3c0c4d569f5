/* Days in a row on which the position of the day was answered, where no person is known whose answers are kept. */

import { prefs } from "./prefs.js";

const DAY = 24 * 60 * 60 * 1000;
// One day may be missed.
const LONGEST_STEP = 2;

/**
 * The answer to the position of a day, if there is one; other puzzles have none.
 * @param {ShownPuzzle} puzzle
 * @returns {KeptStreak | null}
 */
export function findKeptAnswer({ fingerprint = "", day }) {
  if (!day) return null;
  const kept = prefs.get("streaks")[fingerprint];
  return kept?.day === day ? kept : null;
}

/**
 * Keeps the first answer to the position of a day, and gives how long the streak is now; other puzzles have none.
 * @param {ShownPuzzle} puzzle
 * @param {string} action
 */
export function keepAnswer({ fingerprint = "", day }, action) {
  if (!day) return 0;
  const streaks = prefs.get("streaks");
  const kept = streaks[fingerprint];
  if (kept && kept.day >= day) return kept.length; // yesterday's, on a page that was left open, changes nothing
  const goesOn = kept && countDays(kept.day, day) <= LONGEST_STEP;
  const length = goesOn ? kept.length + 1 : 1;
  prefs.set("streaks", { ...streaks, [fingerprint]: { day, length, action } });
  return length;
}

/**
 * @param {string} from
 * @param {string} to
 */
function countDays(from, to) {
  return (Date.parse(to) - Date.parse(from)) / DAY;
}
