/* Something to celebrate is stamped on the felt for a moment; a tap removes the stamp. */

import { tumbleDuration } from "./dice.js";
import { h, svg } from "./dom.js";
import { readAloud } from "./live-region.js";
import { prefs } from "./prefs.js";
import { t } from "./translations.js";

const STAMP_MS = 1600;
const COUNT_MS = 1200;

/**
 * What there is to celebrate about a new position, or null; everything is what the server says.
 * @param {Position | null} before
 * @param {Position} after
 * @param {Wire.Landed | null} landed
 */
export function findCelebration(before, after, landed) {
  if (!before) return null;
  const { dice } = after.view.trays[0] ?? { dice: [] };
  if (landed && dice.length > 3 && dice.every((one) => one === dice[0])) return "alike";
  const bonusOf = (/** @type {Position} */ { view }, /** @type {number} */ place) => {
    const seat = view.seats[place];
    return seat && "bonus" in seat ? (seat.bonus ?? 0) : 0;
  };
  const reached = after.view.seats.some((_, place) => bonusOf(after, place) > 0 && bonusOf(before, place) === 0);
  return reached ? "bonus" : null;
}

/**
 * Whether a finished game is the best one this browser has seen in its edition; remembers it.
 * @param {string} edition
 * @param {number} total
 */
export function isPersonalBest(edition, total) {
  const best = prefs.get("best")[edition];
  if (best !== undefined && best >= total) return false;
  prefs.set("best", { ...prefs.get("best"), [edition]: total });
  return best !== undefined;
}

// The ring of a pencil around the winner's total.
export function drawRing() {
  return svg(
    "svg",
    { class: "ring", viewBox: "0 0 100 60", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("path", { d: "M60 5C25 0 3 14 4 31s27 26 54 24 40-16 38-29S70 4 38 7" }),
  );
}

/**
 * Lets figures count up to what they say, unless motion is unwanted; a tap ends it.
 * @param {HTMLElement[]} figures
 */
export function countUp(figures) {
  if (!tumbleDuration()) return;
  const goals = figures.flatMap((figure) => {
    const text = [...figure.childNodes].find((node) => node instanceof Text);
    const goal = Number(text?.data);
    return text?.data && Number.isInteger(goal) ? [{ text, goal }] : [];
  });
  const begin = performance.now();
  let skipped = false;
  document.addEventListener("pointerdown", () => (skipped = true), { once: true });
  const step = () => {
    const share = skipped ? 1 : Math.min(1, (performance.now() - begin) / COUNT_MS);
    for (const { text, goal } of goals) text.data = String(Math.round(goal * (1 - (1 - share) ** 3)));
    if (share < 1) requestAnimationFrame(step);
  };
  step();
}

/**
 * Stamps a word on the felt for a moment.
 * @param {HTMLElement} felt
 * @param {string} kind
 * @param {Record<string, string>} [names] what the edition prints
 */
export function stamp(felt, kind, names) {
  felt.querySelector(".stamp")?.remove();
  const text = t(`table.celebrate_${kind}`, names);
  const made = h("p", { class: "stamp", "aria-hidden": "true" }, text);
  readAloud(text);
  felt.append(made);
  const gone = () => made.remove();
  document.addEventListener("pointerdown", gone, { once: true });
  setTimeout(gone, STAMP_MS);
}
