/* A long press, or a click with the other button. */

const LONG_PRESS_MS = 500;

/**
 * @param {HTMLElement} button
 * @param {() => void} act
 */
export function onLongPress(button, act) {
  /** @type {number | undefined} */
  let timer;
  let held = false;
  const stop = () => clearTimeout(timer);
  button.addEventListener("pointerdown", (event) => {
    held = false;
    if (event.button === 0)
      timer = setTimeout(() => {
        held = true;
        act();
      }, LONG_PRESS_MS);
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) button.addEventListener(end, stop);
  button.addEventListener("pointermove", (event) => {
    if (Math.hypot(event.movementX, event.movementY) > 6) stop();
  });
  button.addEventListener("contextmenu", (event) => {
    event.preventDefault();
    stop();
    if (!held) act();
  });
  button.addEventListener(
    "click",
    (event) => {
      if (held) event.stopImmediatePropagation();
      held = false;
    },
    true,
  );
}
