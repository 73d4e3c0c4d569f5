/* A whole game by keyboard: numbers keep, space throws, arrows and Enter choose, u takes back. */

import { openHelp } from "./guide.js";
import { hideTip } from "./tip.js";

// Listens to the keys of a table; gives back how to stop.
export function listen(table) {
  const heard = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || busyElsewhere(event)) return;
    if (pressed(table, event)) event.preventDefault();
  };
  document.addEventListener("keydown", heard);
  return () => document.removeEventListener("keydown", heard);
}

// Whoever writes somewhere, or has something open above the table, does not mean the table; a switch hears no numbers.
function busyElsewhere({ target, key }) {
  if (document.querySelector("dialog[open], .menu")) return true;
  if (/^(radio|checkbox)$/.test(target.type)) return !/^([1-9]|Backspace)$/.test(key);
  return /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

function pressed(table, { key, target, repeat }) {
  if (/^[1-9]$/.test(key)) return repeat || table.number(Number(key));
  if (/^[abc]$/.test(key) && table.entering) return repeat || table.number(parseInt(key, 13));
  if (key.startsWith("Arrow")) return arrow(table, key, target);
  if (key === " ") return !repeat && throwsHere(target) && table.throwNow();
  if (repeat) return false;
  const act = {
    r: () => table.throwNow(), u: () => table.undo(), x: () => table.strikeFocused(target), g: () => table.goOn(), s: () => table.standKey(null), "+": () => table.standKey("over"), "-": () => table.standKey("under"),
    h: () => table.hint(), "?": openHelp, Backspace: () => table.number(0), Escape: () => hideTip() || table.closeHint() || table.follow(),
  }[key];
  return act ? act() !== false : false;
}

// Space presses whatever is focused by keyboard, except a box: there Enter writes and space throws.
function throwsHere(target) {
  const pressable = target.closest("button, a, summary");
  return !pressable || pressable.matches(".cell, .throw") || !pressable.matches(":focus-visible");
}

function arrow(table, key, target) {
  const die = target.closest(".die");
  if (die && (key === "ArrowLeft" || key === "ArrowRight")) {
    const next = key === "ArrowLeft" ? die.previousElementSibling : die.nextElementSibling;
    next?.focus();
    return true;
  }
  if (!table.mine) return false;
  table.board.walk(key);
  return true;
}
