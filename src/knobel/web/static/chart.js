/* Luck and what was given away, turn by turn: a drawing, and the same as a table. */

import { h, mark, svg } from "./dom.js";
import { cost, figure, signedFigure } from "./figures.js";
import { t } from "./words.js";

const STEP = 24;
const BAR = 9;
const EDGE = 30;
const TALL = 170;
const FOOT = 16;
const LEAST = 2;
const FEW = 12;

// Adds up luck and losses by turn; every roll and every decision is in exactly one.
export function byTurn({ rolls, decisions, turns }) {
  const lines = new Map();
  const line = (turn) => lines.get(turn) ?? lines.set(turn, { turn, luck: 0, lost: 0, box: null, points: null, value: null }).get(turn);
  for (const one of turns) Object.assign(line(one.turn), { box: one.box, points: one.points, value: one.value });
  for (const roll of rolls) line(roll.turn).luck += roll.luck;
  for (const decision of decisions) line(decision.turn).lost += decision.loss;
  return [...lines.values()].sort((one, other) => one.turn - other.turn);
}

// The chart of one review; `named` gives a box its name.
export class Chart {
  constructor(review, named) {
    this.lines = byTurn(review);
    this.sheet = review.unit === "points";
    this.bands = new Map();
    const title = t("review.chart");
    this.element = h("figure", { class: "chart paper" }, h("figcaption", { id: "chart-title" }, h("h2", {}, title), legend()),
      h("div", { class: "scrolls", tabindex: "0", role: "region", "aria-labelledby": "chart-title" }, this.drawn(review)),
      h("details", {}, h("summary", {}, t("review.as_table")), h("div", { class: "scrolls" }, this.table(review, named))));
  }

  drawn(review) {
    const most = (of) => Math.max(0, ...this.lines.map(of));
    const up = most((line) => line.luck), down = Math.max(most((line) => -line.luck), most((line) => line.lost));
    const scale = (TALL - FOOT - 2 * LEAST) / Math.max(up + down, 1);
    const floor = LEAST + up * scale;
    const wide = EDGE + Math.max(FEW, this.lines.length) * STEP + 4;
    const drawing = svg("svg", { viewBox: `0 0 ${wide} ${TALL}`, role: "img", "aria-label": t("review.chart_says", said(review)) },
      this.lines.map((line, place) => this.turn(line, EDGE + place * STEP, floor, scale)),
      svg("path", { class: "axis", d: `M${EDGE - 4} ${floor}H${wide}` }),
      up > 0 && svg("text", { class: "most", x: EDGE - 7, y: LEAST + 8 }, signedFigure(up)),
      down > 0 && svg("text", { class: "most", x: EDGE - 7, y: TALL - FOOT }, cost(down)));
    drawing.style.setProperty("--wide", `${wide}px`);
    return drawing;
  }

  turn(line, x, floor, scale) {
    const middle = x + STEP / 2;
    const luck = Math.abs(line.luck) * scale, lost = line.lost * scale;
    const band = svg("g", { "data-turn": line.turn },
      svg("title", {}, t(this.sheet ? "review.turn_says" : "review.round_says", { turn: line.turn, luck: signedFigure(line.luck), lost: figure(line.lost) })),
      svg("rect", { class: "band", x, y: 0, width: STEP, height: TALL }),
      svg("rect", { class: "luck", x: middle - BAR - 0.5, y: line.luck > 0 ? floor - luck : floor, width: BAR, height: luck }),
      svg("rect", { class: "given", x: middle + 0.5, y: floor, width: BAR, height: lost }),
      svg("text", { x: middle, y: TALL - 3 }, String(line.turn)));
    this.bands.set(line.turn, band);
    return band;
  }

  // Marks the turn the film stands in.
  mark(turn) {
    for (const [one, band] of this.bands) mark(band, "data-here", one === turn ? true : null);
  }

  table(review, named) {
    const heads = this.sheet ? ["turn", "box", "points", "luck", "lost"] : ["round", "luck", "lost"];
    const row = (line) => h("tr", { "data-turn": line.turn }, h("th", { scope: "row" }, String(line.turn)),
      this.sheet && [h("td", {}, line.box ? named(line.box) : ""), h("td", {}, line.points ?? "")],
      h("td", {}, signedFigure(line.luck)), h("td", {}, figure(line.lost)));
    return h("table", {},
      h("caption", { class: "unseen" }, t("review.chart")),
      h("thead", {}, h("tr", {}, heads.map((key) => h("th", { scope: "col" }, t(`review.head.${key}`))))),
      h("tbody", {}, this.lines.map(row)),
      h("tfoot", {}, h("tr", {}, h("th", { scope: "row", colspan: this.sheet ? 3 : null }, t("review.head.sum")),
        h("td", { "data-sum": "luck" }, signedFigure(review.luck)), h("td", { "data-sum": "lost" }, figure(review.lost)))));
  }
}

function said({ luck, lost }) {
  return { luck: signedFigure(luck), lost: figure(lost) };
}

function legend() {
  return h("ul", { class: "legend" }, ["luck", "lost"].map((kind) => h("li", { class: kind === "lost" ? "given" : kind }, t(`review.head.${kind}`))));
}
