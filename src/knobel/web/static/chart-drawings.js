/* The drawings of charts: lines over time, bars side by side, and boxes one below the other. */

import { createScale, listTicks, pickEvenly } from "./chart-scale.js";
import { svg } from "./dom.js";

const WIDE = 380;
const HIGH = 200;
const TOP = 10;
const BOTTOM = 22;
const RIGHT = 8;
const DIGIT = 6.6;
const MOST_LABELS = 5;
const MOST_DOTS = 60;
const MOST_STACK_WIDTH = 64;
const BOX_HEIGHT = 38;
const BOX_BAR = 10;

/**
 * Draws lines over a common axis; what is dashed is a trend or what would be expected.
 * @param {DrawnLine[]} lines
 * @param {{ labels: string[], says: string, format: (n: number) => string }} axis The labels name each place along the bottom.
 */
export function drawLines(lines, { labels, says, format }) {
  const values = lines.flatMap((line) => line.points.map((point) => point.y));
  const ticks = listTicks(Math.min(...values), Math.max(...values));
  const left = measureTicks(ticks, format);
  const y = createScale(ticks[0], ticks[ticks.length - 1], HIGH - BOTTOM, TOP);
  const x = createScale(0, Math.max(1, labels.length - 1), left + 4, WIDE - RIGHT - 4);
  return svg(
    "svg",
    { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": says },
    drawTicks(ticks, y, left, format),
    pickEvenly(labels, MOST_LABELS).map(({ one, place }) =>
      svg(
        "text",
        { class: "chart-label", x: x(place), y: HIGH - 6, "text-anchor": anchorOf(place, labels.length) },
        one,
      ),
    ),
    lines.map((line) => drawLine(line, x, y)),
  );
}

/**
 * Draws bars side by side; a mark over a bar is what would be expected there.
 * @param {DrawnBar[]} bars
 * @param {{ says: string, format: (n: number) => string, most?: number }} axis
 */
export function drawBars(bars, { says, format, most = MOST_LABELS }) {
  const ticks = listTicks(0, Math.max(0, ...bars.flatMap((bar) => [bar.value, bar.expected ?? 0])), 4, 1);
  const left = measureTicks(ticks, format);
  const y = createScale(0, ticks[ticks.length - 1], HIGH - BOTTOM, TOP);
  const width = (WIDE - RIGHT - left) / Math.max(1, bars.length);
  const labelled = new Set(pickEvenly(bars, most).map(({ place }) => place));
  return svg(
    "svg",
    { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": says },
    drawTicks(ticks, y, left, format),
    bars.map((bar, place) => {
      const at = left + place * width;
      return svg(
        "g",
        {},
        svg("title", {}, bar.says),
        svg("rect", {
          class: "chart-bar",
          x: at + width * 0.1,
          y: y(bar.value),
          width: width * 0.8,
          height: HIGH - BOTTOM - y(bar.value),
        }),
        typeof bar.expected === "number" &&
          svg("path", { class: "chart-mark", d: `M${at} ${y(bar.expected)}h${width}` }),
        labelled.has(place) &&
          svg("text", { class: "chart-label", x: at + width / 2, y: HIGH - 6, "text-anchor": "middle" }, bar.label),
      );
    }),
  );
}

/**
 * Draws columns of parts above each other.
 * @param {DrawnStack[]} stacks
 * @param {{ says: string }} axis
 */
export function drawStacks(stacks, { says }) {
  /** @type {(stack: DrawnStack) => number} */
  const sum = ({ parts }) => parts.reduce((all, part) => all + part.value, 0);
  const ticks = listTicks(0, Math.max(1, ...stacks.map(sum)), 4, 1);
  const left = measureTicks(ticks, String);
  const y = createScale(0, ticks[ticks.length - 1], HIGH - BOTTOM, TOP);
  const width = (WIDE - RIGHT - left) / Math.max(1, stacks.length);
  const bar = Math.min(width * 0.8, MOST_STACK_WIDTH);
  const labelled = new Set(pickEvenly(stacks, MOST_LABELS).map(({ place }) => place));
  return svg(
    "svg",
    { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": says },
    drawTicks(ticks, y, left, String),
    stacks.map(({ label, parts }, place) => {
      const middle = left + (place + 0.5) * width;
      let below = 0;
      return svg(
        "g",
        {},
        parts.map(({ value, shade, says: part }) => {
          const [from, to] = [y(below), y(below + value)];
          below += value;
          return svg(
            "rect",
            { class: "chart-part", x: middle - bar / 2, y: to, width: bar, height: from - to, "fill-opacity": shade },
            svg("title", {}, part),
          );
        }),
        labelled.has(place) &&
          svg("text", { class: "chart-label", x: middle, y: HIGH - 6, "text-anchor": "middle" }, label),
      );
    }),
  );
}

/**
 * Draws a bar for each box, with a mark where perfect play would be.
 * @param {DrawnBox[]} boxes
 * @param {{ says: string }} axis
 */
export function drawBoxes(boxes, { says }) {
  const most = Math.max(1, ...boxes.flatMap((box) => [box.value, box.expected ?? 0]));
  const x = createScale(0, most, 0, WIDE - 4);
  const high = boxes.length * BOX_HEIGHT;
  return svg(
    "svg",
    { viewBox: `0 0 ${WIDE} ${high}`, role: "img", "aria-label": says },
    boxes.map((box, place) => {
      const top = place * BOX_HEIGHT;
      const bar = top + 20;
      return svg(
        "g",
        {},
        svg("text", { class: "chart-name", x: 0, y: top + 14 }, box.name),
        svg("text", { class: "chart-figure", x: WIDE - 4, y: top + 14, "text-anchor": "end" }, box.figures),
        svg("rect", { class: "chart-track", x: 0, y: bar, width: WIDE - 4, height: BOX_BAR }),
        svg("rect", { class: "chart-bar", x: 0, y: bar, width: x(box.value), height: BOX_BAR }),
        typeof box.expected === "number" &&
          svg("path", { class: "chart-mark", d: `M${x(box.expected)} ${bar - 2}v${BOX_BAR + 4}` }),
      );
    }),
  );
}

/**
 * @param {DrawnLine} line
 * @param {(value: number) => number} x
 * @param {(value: number) => number} y
 */
function drawLine({ points, kind }, x, y) {
  const path = points.map((point, place) => `${place ? "L" : "M"}${x(point.x)} ${y(point.y)}`).join("");
  return svg(
    "g",
    { class: `chart-series ${kind}` },
    svg("path", { class: "chart-path", d: path }),
    kind === "played" &&
      points.length <= MOST_DOTS &&
      points.map((point) =>
        svg(
          "circle",
          { class: "chart-dot", cx: x(point.x), cy: y(point.y), r: 2.6 },
          svg("title", {}, point.says ?? ""),
        ),
      ),
  );
}

/**
 * @param {number[]} ticks
 * @param {(value: number) => number} y
 * @param {number} left
 * @param {(n: number) => string} format
 */
function drawTicks(ticks, y, left, format) {
  return ticks.map((tick) => [
    svg("path", { class: tick === 0 ? "chart-axis" : "chart-rule", d: `M${left} ${y(tick)}H${WIDE - RIGHT}` }),
    svg("text", { class: "chart-label", x: left - 6, y: y(tick) + 4, "text-anchor": "end" }, format(tick)),
  ]);
}

/**
 * @param {number[]} ticks
 * @param {(n: number) => string} format
 */
function measureTicks(ticks, format) {
  return 10 + DIGIT * Math.max(...ticks.map((tick) => format(tick).length));
}

/**
 * @param {number} place
 * @param {number} of
 */
function anchorOf(place, of) {
  if (place === 0) return "start";
  return place === of - 1 ? "end" : "middle";
}
