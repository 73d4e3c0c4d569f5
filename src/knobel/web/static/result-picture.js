/* The result of a game as a picture: felt, who won, everybody's total, and dice. */

import { PIPS } from "./edition-art.js";
import { EMBLEMS, emblemOf } from "./inks.js";
import { listPlaces, nameWinners } from "./outcome.js";

const WIDTH = 1080;
const MARGIN = 90;
const ROW = 92;
const HEAD = 430;
const FOOT = 330;
const MOST_ROWS = 10;
const FELT = ["#1f5a48", "#174637"];
const IVORY = "#fffdf6";
const PALE = "#d5e2da";
const GOLD = "#ffd98a";
const PIP = "#1b1b1f";
const DICE_TILTS = [-0.2, 0.13, -0.07, 0.22, -0.14, 0.09];

/**
 * Draws the result; resolves with a PNG.
 * @param {TableModel} model
 * @returns {Promise<Blob>}
 */
export async function drawResult(model) {
  await document.fonts.ready;
  const lines = listPlaces(model.view).slice(0, MOST_ROWS);
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = HEAD + lines.length * ROW + FOOT;
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("no canvas");
  drawFelt(pen, canvas.height);
  drawHead(pen, model);
  lines.forEach((line, row) => {
    drawLine(pen, model, line, HEAD + row * ROW);
  });
  drawFoot(pen, model, canvas.height);
  return new Promise((done, failed) => {
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("no picture"))), "image/png");
  });
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {number} height
 */
function drawFelt(pen, height) {
  const felt = pen.createLinearGradient(0, 0, 0, height);
  FELT.forEach((colour, stop) => {
    felt.addColorStop(stop, colour);
  });
  pen.fillStyle = felt;
  pen.fillRect(0, 0, WIDTH, height);
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {TableModel} model
 */
function drawHead(pen, { gameInfo, view }) {
  pen.textBaseline = "alphabetic";
  write(pen, [gameInfo.publisher, gameInfo.title].filter(Boolean).join(" · "), MARGIN, 130, { size: 40, colour: PALE });
  write(pen, nameWinners(view), MARGIN, 290, { size: 118, serif: true, colour: IVORY });
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {TableModel} model
 * @param {{ place: number, seat: number }} line
 * @param {number} top
 */
function drawLine(pen, { view, family, gameInfo }, { place, seat }, top) {
  const colour = place === 1 ? GOLD : IVORY;
  const score = family.describeScore(view.seats[seat], gameInfo);
  pen.fillStyle = "rgb(255 255 255 / 0.14)";
  pen.fillRect(MARGIN, top + ROW - 2, WIDTH - 2 * MARGIN, 2);
  write(pen, `${place}.`, MARGIN, top + 62, { size: 48, serif: true, colour });
  drawEmblem(pen, seat, MARGIN + 92, top + 45, colour);
  const width = score ? measure(pen, score, 56) : 0;
  write(pen, view.seats[seat].name, MARGIN + 136, top + 62, {
    size: 52,
    serif: true,
    colour,
    most: WIDTH - 2 * MARGIN - 170 - width,
  });
  if (score) write(pen, score, WIDTH - MARGIN - width, top + 62, { size: 56, serif: true, colour });
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {TableModel} model
 * @param {number} height
 */
function drawFoot(pen, { gameInfo }, height) {
  const count = Math.min(gameInfo.dice, DICE_TILTS.length);
  for (let place = 0; place < count; place++)
    drawDie(pen, ((place * 5 + 5) % 6) + 1, MARGIN + 70 + place * 150, height - 190, DICE_TILTS[place]);
  write(pen, "Knobel", MARGIN, height - 48, { size: 40, colour: PALE });
}

/**
 * Writes a line, smaller where it would be too long.
 * @param {CanvasRenderingContext2D} pen
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @param {{ size: number, serif?: boolean, colour: string, most?: number }} look
 */
function write(pen, text, x, y, { size, serif = false, colour, most = WIDTH - 2 * MARGIN }) {
  const face = serif ? "Literata, Georgia, serif" : '"Open Sans", system-ui, sans-serif';
  pen.font = `600 ${size}px ${face}`;
  const wide = pen.measureText(text).width;
  if (wide > most) pen.font = `600 ${Math.max(24, (size * most) / wide)}px ${face}`;
  pen.fillStyle = colour;
  pen.fillText(text, x, y, most);
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {string} text
 * @param {number} size
 */
function measure(pen, text, size) {
  pen.font = `600 ${size}px Literata, Georgia, serif`;
  return pen.measureText(text).width;
}

/**
 * Draws the emblem of a seat, as it stands beside its name.
 * @param {CanvasRenderingContext2D} pen
 * @param {number} seat
 * @param {number} x
 * @param {number} y
 * @param {string} colour
 */
function drawEmblem(pen, seat, x, y, colour) {
  const corners = EMBLEMS[emblemOf(seat)];
  const side = 34;
  pen.fillStyle = colour;
  pen.beginPath();
  for (const [across, down] of corners ?? []) pen.lineTo(x + (across - 0.5) * side, y + (down - 0.5) * side);
  if (!corners) pen.arc(x, y, side / 2, 0, 2 * Math.PI);
  pen.fill();
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {number} face
 * @param {number} x
 * @param {number} y
 * @param {number} tilt
 */
function drawDie(pen, face, x, y, tilt) {
  pen.save();
  pen.translate(x, y);
  pen.rotate(tilt);
  for (const [colour, down] of /** @type {[string, number][]} */ ([
    ["rgb(0 0 0 / 0.3)", 16],
    ["#d9d0bb", 8],
    [IVORY, 0],
  ])) {
    pen.fillStyle = colour;
    pen.beginPath();
    pen.roundRect(-54, -54 + down, 108, 108, 24);
    pen.fill();
  }
  pen.fillStyle = PIP;
  for (const spot of PIPS[face]) {
    pen.beginPath();
    pen.arc(((spot % 3) - 1) * 29, (Math.floor(spot / 3) - 1) * 29, 10.5, 0, 2 * Math.PI);
    pen.fill();
  }
  pen.restore();
}
