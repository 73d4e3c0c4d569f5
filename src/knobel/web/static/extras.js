/* Parts of the server that are not installed: what cannot be used here, and why. */

import { connection } from "./connection.js";
import { showToast } from "./dialogs.js";
import { h } from "./dom.js";

/**
 * Says why what needs an extra cannot be used here; nothing where the extra is installed.
 * @param {"solver" | "paper"} extra
 * @returns {string | undefined}
 */
export function findMissing(extra) {
  return connection.serverInfo?.missing?.[extra];
}

/**
 * Draws what cannot be used here, in the place of a link; it says why.
 * @param {string} style
 * @param {string} hook
 * @param {string} text
 * @param {string} reason
 */
export function buildUnavailable(style, hook, text, reason) {
  return h(
    "button",
    {
      class: style,
      type: "button",
      "data-act": hook,
      "aria-disabled": "true",
      title: reason,
      onclick: () => showToast(reason),
    },
    text,
  );
}
