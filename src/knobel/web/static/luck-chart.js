/* Luck and points lost, turn by turn: a drawing, and the same as a table. */

import { h, setAttribute, svg } from "./dom.js";
import { formatLoss, formatNumber, formatSigned } from "./number-format.js";
import { t } from "./translations.js";

const TURN_WIDTH = 18;
const BAR_WIDTH = 7;
const LABEL_GAP = 7;
const DIGIT_WIDTH = 6.5;
const CHART_HEIGHT = 170;
const AXIS_HEIGHT = 16;
const TOP_MARGIN = 2;
const MIN_TURNS = 12;

/**
 * Adds up luck and losses by turn; every roll and every decision is in exactly one.
 * @param {Pick<Review, "rolls" | "decisions" | "turns">} review
 * @returns {TurnLine[]}
 */
export function groupByTurn({ rolls, decisions, turns }) {
  /** @type {Map<number, TurnLine>} */
  const lines = new Map();
  /** @type {(turn: number) => TurnLine} */
  const line = (turn) => {
    const found = lines.get(turn) ?? { turn, luck: 0, lost: 0, box: null, points: null, value: null };
    lines.set(turn, found);
    return found;
  };
  for (const one of turns) Object.assign(line(one.turn), { box: one.box, points: one.points, value: one.value });
  for (const roll of rolls) line(roll.turn).luck += roll.luck;
  for (const decision of decisions) line(decision.turn).lost += decision.loss;
  return [...lines.values()].sort((one, other) => one.turn - other.turn);
}

// The chart of one review; `kind` is what its family says about turns: {heads, listCells, describeTurn}.
export class LuckChart {
  /** @type {Map<number, SVGElement>} */
  bands;

  /**
   * @param {Review} review
   * @param {GameInfo} gameInfo
   * @param {FamilyReview<AnyKind>} kind
   * @param {HTMLElement | false} player whose chart it is, where several played
   */
  constructor(review, gameInfo, kind, player) {
    this.turns = groupByTurn(review);
    this.gameInfo = gameInfo;
    this.kind = kind;
    this.bands = new Map();
    const title = t("review.chart");
    this.element = h(
      "figure",
      { class: "chart paper" },
      h("figcaption", { id: "chart-title" }, h("h2", {}, title), player, buildLegend()),
      h(
        "div",
        { class: "scrolls", tabindex: "0", role: "region", "aria-labelledby": "chart-title" },
        this.drawChart(review),
      ),
      h("details", {}, h("summary", {}, t("review.as_table")), h("div", { class: "scrolls" }, this.buildTable(review))),
    );
  }

  /** @param {Review} review */
  drawChart(review) {
    /** @type {(of: (line: TurnLine) => number) => number} */
    const most = (of) => Math.max(0, ...this.turns.map(of));
    const up = most((line) => line.luck),
      down = Math.max(
        most((line) => -line.luck),
        most((line) => line.lost),
      );
    const scale = (CHART_HEIGHT - AXIS_HEIGHT - 2 * TOP_MARGIN) / Math.max(up + down, 1);
    const floor = TOP_MARGIN + up * scale;
    const labels = [up > 0 ? formatSigned(up) : "", down > 0 ? formatLoss(down) : ""];
    const left = LABEL_GAP + 2 + DIGIT_WIDTH * Math.max(...labels.map((label) => label.length));
    const wide = left + Math.max(MIN_TURNS, this.turns.length) * TURN_WIDTH + 4;
    const drawing = svg(
      "svg",
      {
        viewBox: `0 0 ${wide} ${CHART_HEIGHT}`,
        role: "img",
        "aria-label": t("review.chart_says", describeTotals(review)),
      },
      this.turns.map((line, place) => this.drawTurn(line, left + place * TURN_WIDTH, floor, scale)),
      svg("path", { class: "axis", d: `M${left - 4} ${floor}H${wide}` }),
      labels.map((label, place) =>
        svg(
          "text",
          { class: "most", x: left - LABEL_GAP, y: place ? CHART_HEIGHT - AXIS_HEIGHT : TOP_MARGIN + 8 },
          label,
        ),
      ),
    );
    drawing.style.setProperty("--wide", `${wide}px`);
    return drawing;
  }

  /**
   * @param {TurnLine} line
   * @param {number} x
   * @param {number} floor
   * @param {number} scale
   */
  drawTurn(line, x, floor, scale) {
    const middle = x + TURN_WIDTH / 2;
    const luck = Math.abs(line.luck) * scale,
      lost = line.lost * scale;
    const band = svg(
      "g",
      { "data-turn": line.turn },
      svg(
        "title",
        {},
        this.kind.describeTurn({ turn: line.turn, luck: formatSigned(line.luck), lost: formatNumber(line.lost) }),
      ),
      svg("rect", { class: "band", x, y: 0, width: TURN_WIDTH, height: CHART_HEIGHT }),
      svg("rect", {
        class: "luck",
        x: middle - BAR_WIDTH - 0.5,
        y: line.luck > 0 ? floor - luck : floor,
        width: BAR_WIDTH,
        height: luck,
      }),
      svg("rect", { class: "given", x: middle + 0.5, y: floor, width: BAR_WIDTH, height: lost }),
      svg("text", { x: middle, y: CHART_HEIGHT - 3 }, String(line.turn)),
    );
    this.bands.set(line.turn, band);
    return band;
  }

  /**
   * Marks the turn the review stands in.
   * @param {number} turn
   */
  markTurn(turn) {
    for (const [one, band] of this.bands) setAttribute(band, "data-here", one === turn ? true : null);
  }

  /** @param {Review} review */
  buildTable(review) {
    const { heads, listCells } = this.kind;
    /** @type {(line: TurnLine) => HTMLElement} */
    const row = (line) =>
      h(
        "tr",
        { "data-turn": line.turn },
        h("th", { scope: "row" }, String(line.turn)),
        listCells(line, this.gameInfo).map((text) => h("td", {}, text)),
        h("td", {}, formatSigned(line.luck)),
        h("td", {}, formatNumber(line.lost)),
      );
    return h(
      "table",
      {},
      h("caption", { class: "unseen" }, t("review.chart")),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          heads.map((key) => h("th", { scope: "col" }, t(`review.head.${key}`))),
        ),
      ),
      h("tbody", {}, this.turns.map(row)),
      h(
        "tfoot",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "row", colspan: heads.length - 2 }, t("review.head.sum")),
          h("td", { "data-sum": "luck" }, formatSigned(review.luck)),
          h("td", { "data-sum": "lost" }, formatNumber(review.lost)),
        ),
      ),
    );
  }
}

/** @param {Review} review */
function describeTotals({ luck, lost }) {
  return { luck: formatSigned(luck), lost: formatNumber(lost) };
}

function buildLegend() {
  return h(
    "ul",
    { class: "legend" },
    ["luck", "lost"].map((kind) => h("li", { class: kind === "lost" ? "given" : kind }, t(`review.head.${kind}`))),
  );
}
