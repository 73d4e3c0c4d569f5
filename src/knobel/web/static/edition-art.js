/* Drawings: the cards of editions with their dice, and the seats of the lobby. */

import { h, svg } from "./dom.js";
import { t } from "./translations.js";

const COLOUR_COUNT = 7;
// Where the pips of each face lie.
export const PIPS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };
const DICE_LAYOUTS = [
  [[22, 58, -14], [58, 28, 9], [97, 54, 24], [62, 78, -6], [128, 22, -20], [136, 76, 12]],
  [[20, 30, 16], [57, 50, -10], [90, 24, 28], [97, 72, 6], [132, 46, -16], [34, 78, -4]],
  [[44, 26, -8], [24, 68, 20], [66, 66, -24], [100, 40, 10], [134, 66, 34], [136, 22, -5]],
  [[30, 48, 30], [66, 22, -12], [72, 66, 8], [108, 78, -28], [122, 34, 14], [28, 84, 2]],
];

// Assigns every edition its own colour: by the hash of its id, the next free one if that is taken.
export function assignColours(ids) {
  const found = new Map();
  for (const id of ids) {
    let colour = hashText(id) % COLOUR_COUNT;
    while (found.size < COLOUR_COUNT && [...found.values()].includes(colour)) colour = (colour + 1) % COLOUR_COUNT;
    found.set(id, colour);
  }
  return found;
}

// Draws an edition as the content of a button: publisher, title, facts, and dice.
export function drawEdition(card, ...facts) {
  return [
    h("span", { class: "lid-print" },
      h("span", { class: "lid-by" }, card.publisher || t("home.own")),
      h("span", { class: "lid-title" }, card.title),
      facts.map((fact) => h("span", { class: "lid-fact" }, fact))),
    drawDice(card),
  ];
}

// Draws some scattered dice; the id of the edition decides which.
export function drawDice({ id, dice = 5 }) {
  let seed = hashText(id);
  const next = (most) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return (seed >>> 16) % most;
  };
  const drawn = DICE_LAYOUTS[next(DICE_LAYOUTS.length)].slice(0, dice).map(([x, y, turn]) => drawDie(1 + next(6), x, y, turn + next(17) - 8));
  return svg("svg", { class: "tumbled", viewBox: "0 0 156 104", "aria-hidden": "true" }, ...drawn);
}

// Draws a seat as a chair from behind.
export function drawSeat() {
  return svg("svg", { class: "chair-wood", viewBox: "0 0 80 104", "aria-hidden": "true" },
    svg("path", { class: "wood-dark", d: "M13 66h7v36h-6zM60 66h7l-1 36h-6z" }),
    svg("path", { class: "wood", d: "M11 8q29-10 58 0l-2 62H13z" }),
    svg("path", { class: "wood-gap", d: "M20 44h9v22h-9zM35.5 44h9v22h-9zM51 44h9v22h-9z" }),
    svg("path", { class: "wood-dark", d: "M8 68q32-6 64 0v8q-32 5-64 0z" }));
}

function drawDie(face, x, y, turn) {
  return svg("g", { transform: `translate(${x} ${y}) rotate(${turn})` },
    svg("rect", { class: "die-edge", x: -15, y: -12.5, width: 30, height: 30, rx: 6.5 }),
    svg("rect", { class: "die-face", x: -15, y: -15, width: 30, height: 30, rx: 6.5 }),
    ...PIPS[face].map((spot) =>
      svg("circle", { class: "die-pip", cx: ((spot % 3) - 1) * 8, cy: (Math.floor(spot / 3) - 1) * 8, r: 2.9 })));
}

function hashText(text) {
  let sum = 2166136261;
  for (const letter of text) sum = Math.imul(sum ^ letter.codePointAt(0), 16777619) >>> 0;
  return sum;
}
