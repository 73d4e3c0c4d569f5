/* The screen stays awake while a game is played, where the browser allows it. */

/** @type {WakeLockSentinel | null} */
let lock = null;
let isWanted = false;

document.addEventListener("visibilitychange", () => {
  if (isWanted && document.visibilityState === "visible") request();
});

/**
 * Keeps the screen awake, or lets it sleep again.
 * @param {boolean} awake
 */
export function keepAwake(awake) {
  if (awake === isWanted) return;
  isWanted = awake;
  if (awake) request();
  else {
    lock?.release().catch(() => {});
    lock = null;
  }
}

async function request() {
  try {
    lock = (await navigator.wakeLock?.request("screen")) ?? null;
  } catch {
    /* a low battery, or a page that is not secure: the screen may sleep */
  }
}
