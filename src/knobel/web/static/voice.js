/* The voice of the page, for whoever does not see it: one polite region for everything that is said. */

const BREATH = 40;
const region = document.getElementById("voice");
let breath = [];

// Says a sentence; what comes with one action is said in one breath, and what happens behind a dialog when it is closed.
export function aloud(...sentences) {
  const said = sentences.filter(Boolean);
  if (said.length && !breath.length) setTimeout(speak, BREATH);
  breath.push(...said);
}

function speak() {
  const dialog = document.querySelector("dialog[open]");
  if (dialog) return dialog.addEventListener("close", () => setTimeout(speak, BREATH), { once: true });
  const text = breath.join(" ");
  breath = [];
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}
