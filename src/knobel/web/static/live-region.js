/* Announcements for screen readers: one polite live region for the whole page. */

import { getPart } from "./dom.js";
import { compact } from "./required.js";

const JOIN_MS = 40;
const region = getPart("voice");
/** @type {string[]} */
let pendingSentences = [];

/**
 * Says a sentence; what comes with one action is said in one breath, and what happens behind a dialog when it is closed.
 * @param {...string | false | null | undefined} sentences
 */
export function readAloud(...sentences) {
  const said = compact(sentences);
  if (said.length && !pendingSentences.length) setTimeout(flush, JOIN_MS);
  pendingSentences.push(...said);
}

function flush() {
  const dialog = document.querySelector("dialog[open]");
  if (dialog) return dialog.addEventListener("close", () => setTimeout(flush, JOIN_MS), { once: true });
  const text = pendingSentences.join(" ");
  pendingSentences = [];
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}
