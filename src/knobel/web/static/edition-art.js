/* Drawings: the cards of editions with their dice, and the seats of the lobby. */

import { h, svg } from "./dom.js";
import { t } from "./translations.js";

const COLOUR_COUNT = 7;
/**
 * Where the pips of each face lie.
 * @type {Record<number, number[]>}
 */
export const PIPS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };
const DICE_LAYOUTS = [
  [
    [22, 58, -14],
    [58, 28, 9],
    [97, 54, 24],
    [62, 78, -6],
    [128, 22, -20],
    [136, 76, 12],
  ],
  [
    [20, 30, 16],
    [57, 50, -10],
    [90, 24, 28],
    [97, 72, 6],
    [132, 46, -16],
    [34, 78, -4],
  ],
  [
    [44, 26, -8],
    [24, 68, 20],
    [66, 66, -24],
    [100, 40, 10],
    [134, 66, 34],
    [136, 22, -5],
  ],
  [
    [30, 48, 30],
    [66, 22, -12],
    [72, 66, 8],
    [108, 78, -28],
    [122, 34, 14],
    [28, 84, 2],
  ],
];

const ROLLED = [
  [70, 76, -12],
  [218, 62, 8],
  [372, 82, -5],
  [146, 190, 14],
  [300, 184, -9],
];

/**
 * Assigns every edition its own colour: by the hash of its id, the next free one if that is taken.
 * @param {string[]} ids
 * @returns {Map<string, number>}
 */
export function assignColours(ids) {
  const found = new Map();
  for (const id of ids) {
    let colour = hashText(id) % COLOUR_COUNT;
    while (found.size < COLOUR_COUNT && [...found.values()].includes(colour)) colour = (colour + 1) % COLOUR_COUNT;
    found.set(id, colour);
  }
  return found;
}

/**
 * Draws an edition as the content of a button: publisher, title, facts, and dice.
 * @param {DrawnEdition} card
 * @param {...string} facts
 */
export function drawEdition(card, ...facts) {
  return [
    h(
      "span",
      { class: "edition-text" },
      h("span", { class: "edition-publisher" }, card.publisher || t("home.own")),
      h("span", { class: "edition-title" }, card.title),
      facts.map((fact) => h("span", { class: "edition-fact" }, fact)),
    ),
    drawDice(card),
  ];
}

/**
 * Draws some scattered dice; the id of the edition decides which.
 * @param {DrawnEdition} card
 */
export function drawDice({ id, dice = 5 }) {
  let seed = hashText(id);
  /** @type {(most: number) => number} */
  const next = (most) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return (seed >>> 16) % most;
  };
  const drawn = DICE_LAYOUTS[next(DICE_LAYOUTS.length)]
    .slice(0, dice)
    .map(([x, y, turn]) => drawDie(1 + next(6), x, y, turn + next(17) - 8));
  return svg("svg", { class: "dice-drawing", viewBox: "0 0 156 104", "aria-hidden": "true" }, ...drawn);
}

/**
 * Draws dice as they lie after a roll, each with its shadow on the felt.
 * @param {number[]} faces
 */
export function drawThrownDice(faces) {
  return svg(
    "svg",
    { class: "rolled-dice", viewBox: "0 0 440 260", "aria-hidden": "true" },
    ...ROLLED.slice(0, faces.length).map(([x, y, turn], place) =>
      svg(
        "g",
        { transform: `translate(${x} ${y})` },
        svg("ellipse", { class: "die-shadow", cx: 3, cy: 50, rx: 54, ry: 16 }),
        svg("g", { transform: "scale(3.5)" }, drawDie(faces[place], 0, 0, turn)),
      ),
    ),
  );
}

// Draws a seat: a chair from behind.
export function drawSeat() {
  return svg(
    "svg",
    { class: "seat-drawing", viewBox: "0 0 80 104", "aria-hidden": "true" },
    svg("path", { class: "wood-dark", d: "M13 66h7v36h-6zM60 66h7l-1 36h-6z" }),
    svg("path", { class: "wood", d: "M11 8q29-10 58 0l-2 62H13z" }),
    svg("path", { class: "wood-gap", d: "M20 44h9v22h-9zM35.5 44h9v22h-9zM51 44h9v22h-9z" }),
    svg("path", { class: "wood-dark", d: "M8 68q32-6 64 0v8q-32 5-64 0z" }),
  );
}

/**
 * @param {number} face
 * @param {number} x
 * @param {number} y
 * @param {number} turn
 */
function drawDie(face, x, y, turn) {
  return svg(
    "g",
    { transform: `translate(${x} ${y}) rotate(${turn})` },
    svg("rect", { class: "die-edge", x: -15, y: -12.5, width: 30, height: 30, rx: 6.5 }),
    svg("rect", { class: "die-face", x: -15, y: -15, width: 30, height: 30, rx: 6.5 }),
    ...PIPS[face].map((spot) =>
      svg("circle", { class: "die-pip", cx: ((spot % 3) - 1) * 8, cy: (Math.floor(spot / 3) - 1) * 8, r: 2.9 }),
    ),
  );
}

/** @param {string} text */
function hashText(text) {
  let sum = 2166136261;
  for (const letter of text) sum = Math.imul(sum ^ Number(letter.codePointAt(0)), 16777619) >>> 0;
  return sum;
}
