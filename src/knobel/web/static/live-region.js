/* Announcements for screen readers: one polite live region for the whole page. */

const JOIN_MS = 40;
const region = document.getElementById("voice");
let pendingSentences = [];

// Says a sentence; what comes with one action is said in one breath, and what happens behind a dialog when it is closed.
export function readAloud(...sentences) {
  const said = sentences.filter(Boolean);
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
