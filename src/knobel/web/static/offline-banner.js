/* The banner at the bottom of the page while the server is not responding. */

import { connection } from "./connection.js";
import { getPart, setText } from "./dom.js";
import { isMemory } from "./seen-rooms.js";
import { t } from "./translations.js";

const DELAY = 400;
const line = getPart("lost");
/** @type {(() => string | null) | null} */
let describe = null;
let timer = 0;

// Follows the connection.
export function startOfflineBanner() {
  connection.on("state", (state) => {
    clearTimeout(timer);
    if (state === "lost") timer = setTimeout(show, DELAY);
    else line.hidden = true;
  });
  connection.on("closed", (reason) => {
    clearTimeout(timer);
    line.hidden = false;
    setText(line, reason);
  });
}

/**
 * Says something else from now on: describe() gives a text or null. Returns how to stop.
 * @param {() => string | null} text
 */
export function setOfflineText(text) {
  describe = text;
  return () => {
    if (describe === text) describe = null;
  };
}

// Says it again, as what waits has changed.
export function updateOfflineBanner() {
  if (!line.hidden && connection.state === "lost") show();
}

function show() {
  line.hidden = false;
  setText(line, describe?.() ?? t(isMemory() ? "bar.needs_server" : "bar.reconnecting"));
}
