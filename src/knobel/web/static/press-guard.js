/* A second press a moment after the first, at the same spot, is the same press: whatever has come to lie there was not meant. */

const DOUBLE_PRESS_MS = 400;
const REACH = 32;
// What costs something: it rolls, stops, scores, moves a game on, or agrees to a question.
const COSTLY =
  ".main-button, .stand, .cell, .continue-button, .reaction, .end button, [data-act=start], dialog [data-act=yes], .menu [data-costs]";
// What may be pressed as fast as one likes; afterwards a press counts as a new one.
const FREE = ".die, .keypad button";

/** @type {{ at: number, x: number, y: number, target: Element | null }} */
let last = noPress();

document.addEventListener("click", guard, true);

// The next press counts, however soon it comes.
export function forgetPress() {
  last = noPress();
}

/** @param {MouseEvent} event */
function guard(event) {
  const target = event.target instanceof Element ? event.target : null;
  if (!event.isTrusted || target?.closest("[aria-disabled=true]")) return;
  if (target?.closest(FREE)) return forgetPress();
  const costly = target?.closest(COSTLY) ?? null;
  if (costly && isDoublePress(event, costly)) {
    event.preventDefault();
    event.stopPropagation();
  } else last = { at: event.timeStamp, x: event.clientX, y: event.clientY, target: costly ?? target };
}

/**
 * Whether a press is the second of a double press: a player must see the dice before rolling again.
 * @param {MouseEvent} event
 * @param {Element} target
 */
function isDoublePress(event, target) {
  const since = event.timeStamp - last.at;
  const isTouch = event instanceof PointerEvent && event.pointerType === "touch";
  const near = isTouch && Math.hypot(event.clientX - last.x, event.clientY - last.y) < REACH;
  if (!event.detail && !target.matches(".main-button")) return false; // a key, which says what it is meant for
  return (
    (since < DOUBLE_PRESS_MS / 2 && target === last.target) || (since < DOUBLE_PRESS_MS && (event.detail > 1 || near))
  );
}

function noPress() {
  return { at: -DOUBLE_PRESS_MS, x: 0, y: 0, target: null };
}
