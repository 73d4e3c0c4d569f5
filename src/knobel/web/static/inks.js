/* The ink and the emblem of a seat, and of a person. */

import { connection } from "./connection.js";
import { loadStylesheet } from "./dom.js";
import { drawLook, INKS } from "./known-people.js";

const STAR = [
  [0.5, 0],
  [0.63, 0.36],
  [1, 0.38],
  [0.7, 0.6],
  [0.82, 1],
  [0.5, 0.76],
  [0.18, 1],
  [0.3, 0.6],
  [0, 0.38],
  [0.37, 0.36],
];
const CROSS = [
  [0.35, 0],
  [0.65, 0],
  [0.65, 0.35],
  [1, 0.35],
  [1, 0.65],
  [0.65, 0.65],
  [0.65, 1],
  [0.35, 1],
  [0.35, 0.65],
  [0, 0.65],
  [0, 0.35],
  [0.35, 0.35],
];
/**
 * The corners of each emblem, as inks.css draws them; the first is round.
 * @type {(number[][] | null)[]}
 */
export const EMBLEMS = [
  null,
  [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
  ],
  [
    [0.5, 0],
    [1, 1],
    [0, 1],
  ],
  [
    [0.5, 0],
    [1, 0.5],
    [0.5, 1],
    [0, 0.5],
  ],
  STAR,
  CROSS,
  [
    [0.25, 0],
    [0.75, 0],
    [1, 0.5],
    [0.75, 1],
    [0.25, 1],
    [0, 0.5],
  ],
  [
    [0, 0],
    [1, 0],
    [0.5, 1],
  ],
];

loadStylesheet("inks.css");

/**
 * Those of the game that is looked at without its room.
 * @type {Look[]}
 */
let reviewed = [];

/** @param {Look[]} seats */
export function setReviewedLooks(seats) {
  reviewed = seats;
}

/** @param {number} seat */
function findLook(seat) {
  return connection.room?.seats[seat] ?? reviewed[seat];
}

/**
 * Which ink a seat writes in: the server chooses it, by the people who sit there.
 * @param {number} seat
 */
export function inkOf(seat) {
  return (findLook(seat)?.colour ?? seat) % INKS;
}

/**
 * Which emblem a seat has, chosen like its ink.
 * @param {number} seat
 */
export function emblemOf(seat) {
  return (findLook(seat)?.emblem ?? seat) % INKS;
}

/**
 * Draws the emblem of a seat; its name stands beside it.
 * @param {number} seat
 */
export function drawEmblem(seat) {
  return drawLook({ colour: inkOf(seat), emblem: emblemOf(seat) });
}
