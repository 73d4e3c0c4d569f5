/* A whole game by keyboard: numbers keep, space rolls, arrows and Enter choose, u undoes. */

import { openHelp } from "./late-dialogs.js";
import { FACES } from "./notation.js";
import { hideTooltip } from "./tooltip.js";

/**
 * Listens to the keys of a table; gives back how to stop.
 * @param {TablePage} table
 */
export function listenToKeys(table) {
  return listenForKeys((event) => handleKey(table, event));
}

/**
 * Listens to keys that are not typed elsewhere; a handler tells whether a key was for it. Gives back how to stop.
 * @param {(event: TargetedKey) => boolean} handle
 */
export function listenForKeys(handle) {
  /** @type {(event: KeyboardEvent) => void} */
  const heard = (event) => {
    const { target, key, repeat } = event;
    if (!(target instanceof HTMLElement)) return;
    if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      event.defaultPrevented ||
      isBusyElsewhere({ target, key, repeat })
    )
      return;
    if (handle({ target, key, repeat })) event.preventDefault();
  };
  document.addEventListener("keydown", heard);
  return () => document.removeEventListener("keydown", heard);
}

/**
 * Keys typed into a field or an open dialog are not for the table; a focused switch ignores digits.
 * @param {TargetedKey} event
 */
function isBusyElsewhere({ target, key }) {
  if (document.querySelector("dialog[open], .menu")) return true;
  if (/^(radio|checkbox)$/.test(target.type ?? "")) return !/^([1-9]|Backspace)$/.test(key);
  return /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

/**
 * @param {TablePage} table
 * @param {TargetedKey} event
 * @returns {boolean}
 */
function handleKey(table, { key, target, repeat }) {
  const { actions } = table;
  if (/^[1-9]$/.test(key)) return repeat || actions.enterNumber(Number(key));
  if (/^[abc]$/.test(key) && table.model?.slots) return repeat || actions.enterNumber(FACES.indexOf(key));
  if (key.startsWith("Arrow")) return handleArrow(table, key, target);
  if (key === " ") return !repeat && canRollFrom(target) && actions.doMainAction();
  if (repeat) return false;
  const act = {
    r: () => actions.doMainAction(),
    u: () => actions.undo(),
    x: () => actions.crossOutFocused(target),
    g: () => actions.continueGame(),
    s: () => actions.standByKey(null),
    "+": () => actions.standByKey("over"),
    "-": () => actions.standByKey("under"),
    Backspace: () => actions.enterNumber(0),
    h: () => table.coach.ask(),
    "?": openHelp,
    Escape: () => hideTooltip() || table.coach.close() || table.shownSeat.follow(),
  }[key];
  return act ? act() !== false : false;
}

/**
 * Space presses whatever is focused by keyboard, except a box: there Enter scores and space rolls.
 * @param {HTMLElement} target
 */
export function canRollFrom(target) {
  const pressable = target.closest("button, a, summary");
  return !pressable || pressable.matches(".cell, .main-button") || !pressable.matches(":focus-visible");
}

/**
 * @param {TablePage} table
 * @param {string} key
 * @param {HTMLElement} target
 */
function handleArrow(table, key, target) {
  if (moveBetweenDice(key, target)) return true;
  if (!table.canAct) return false;
  table.board.moveFocus(key);
  return true;
}

/**
 * From a focused die the arrows lead to its neighbours.
 * @param {string} key
 * @param {HTMLElement} target
 */
export function moveBetweenDice(key, target) {
  const die = target.closest(".die");
  if (!die || (key !== "ArrowLeft" && key !== "ArrowRight")) return false;
  const next = key === "ArrowLeft" ? die.previousElementSibling : die.nextElementSibling;
  if (next instanceof HTMLElement) next.focus();
  return true;
}
