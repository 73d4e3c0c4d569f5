/* Everybody's chance to win through a game: a line for each player, the same as a table, and what stands out. */

import { h, setAttribute, setChildren, svg } from "./dom.js";
import { drawEmblem, inkOf } from "./inks.js";
import { asRefusal } from "./required.js";
import { formatDecimal, t } from "./translations.js";

const TURN_WIDTH = 10;
const HEIGHT = 190;
const AXIS_HEIGHT = 18;
const TOP = 8;
const LEFT = 38;
const RIGHT = 8;
const LEAST_WIDTH = 300;
const GUIDES = [0, 0.25, 0.5, 0.75, 1];
const MOST_LABELS = 15;
const ABOUT = "~";

// The chart of one review; `handlers` are {loaded(chart)}. It waits for the server, and says how far that is.
export class WinChartPanel {
  isStopped = false;
  levels = false;
  /** @type {SVGElement | null} */
  marker = null;
  /** @type {Map<number, { from: number, to: number }>} */
  rounds = new Map();

  /**
   * @param {ReviewData} found
   * @param {ReviewClient} client
   * @param {{ loaded(chart: WinChartData): void }} handlers
   */
  constructor(found, client, handlers) {
    this.seats = found.seats;
    this.seat = found.seat;
    this.client = client;
    this.handlers = handlers;
    this.bar = h("progress", { max: "1", value: "0", "aria-label": t("review.wins_busy") });
    this.element = h(
      "figure",
      { class: "chart paper win-chart" },
      h("p", { class: "means", role: "status" }, t("review.wins_busy")),
      this.bar,
    );
    this.load();
  }

  // Nobody looks any more.
  stop() {
    this.isStopped = true;
  }

  // The server answers within a second how far it is, so this asks until it has the chart.
  async load() {
    try {
      while (!this.isStopped) {
        const { levels } = this;
        const { progress, chart } = await this.client.fetchWinChart(this.seat, levels);
        if (this.isStopped || levels !== this.levels) return;
        if (chart) return this.show(chart);
        if (progress === 1) return this.element.remove();
        this.bar.value = progress;
      }
    } catch (refused) {
      if (!this.isStopped)
        setChildren(this.element, h("p", { class: "means" }, asRefusal(refused).text ?? t("review.none")));
    }
  }

  /** @param {WinChartData} chart */
  show(chart) {
    setChildren(
      this.element,
      h(
        "figcaption",
        { id: "win-chart-title" },
        h("h2", {}, chart.title),
        h(
          "ul",
          { class: "win-legend" },
          this.seats.map((one, seat) => h("li", { "data-ink": inkOf(seat) }, drawEmblem(seat), one.name)),
        ),
      ),
      h(
        "div",
        { class: "scrolls", tabindex: "0", role: "region", "aria-labelledby": "win-chart-title" },
        this.drawChart(chart),
      ),
      h(
        "ul",
        { class: "highlights", "data-highlights": "" },
        chart.highlights.map((one) => h("li", {}, one)),
      ),
      h("p", { class: "means", "data-win-ledger": "" }, chart.ledger_line),
      chart.method.map((one) => h("p", { class: "means" }, one)),
      h(
        "label",
        { class: "check" },
        h("input", {
          type: "checkbox",
          "data-field": "levels",
          checked: this.levels,
          onchange: () => this.toggleLevels(),
        }),
        " ",
        t("chances.levels"),
      ),
      h("details", {}, h("summary", {}, t("review.as_table")), h("div", { class: "scrolls" }, this.buildTable(chart))),
    );
    if (!this.levels) this.handlers.loaded(chart);
  }

  // Best play, or the level everybody has shown; what choices cost is told under best play.
  async toggleLevels() {
    this.levels = !this.levels;
    await this.load();
    this.element.querySelector("input")?.focus({ preventScroll: true });
  }

  /** @param {WinChartData} chart */
  drawChart({ start, turns, title }) {
    const courses = [start, ...turns.map((turn) => turn.shares)];
    const step = Math.max(TURN_WIDTH, (LEAST_WIDTH - LEFT - RIGHT) / Math.max(1, turns.length));
    const wide = LEFT + step * turns.length + RIGHT;
    /** @type {(place: number) => number} */
    const x = (place) => LEFT + step * place;
    /** @type {(share: number) => number} */
    const y = (share) => TOP + (HEIGHT - AXIS_HEIGHT - TOP) * (1 - share);
    this.rounds = findRounds(turns, x);
    this.marker = svg("rect", { class: "here", y: TOP, width: 0, height: HEIGHT - AXIS_HEIGHT - TOP });
    const every = Math.ceil(this.rounds.size / MOST_LABELS);
    const drawing = svg(
      "svg",
      { viewBox: `0 0 ${wide} ${HEIGHT}`, role: "img", "aria-label": title },
      this.marker,
      GUIDES.map((share) => [
        svg("path", { class: "guide", d: `M${LEFT} ${y(share)}H${wide - RIGHT}` }),
        svg("text", { class: "most", x: LEFT - 5, y: y(share) + 4 }, formatShare(share)),
      ]),
      [...this.rounds].map(
        ([round, { to }], place) => place % every === 0 && svg("text", { x: to, y: HEIGHT - 4 }, String(round)),
      ),
      this.seats.map((one, seat) =>
        svg(
          "g",
          { class: `win-line dash-${seat % 4}`, "data-ink": inkOf(seat), "data-seat": seat },
          svg("title", {}, one.name),
          svg("path", {
            d: courses
              .map((shares, place) => `${place ? "L" : "M"}${x(place).toFixed(1)} ${y(shares[seat]).toFixed(1)}`)
              .join(""),
          }),
        ),
      ),
    );
    drawing.style.setProperty("--wide", `${wide}px`);
    return drawing;
  }

  /**
   * Marks the turn the review stands in.
   * @param {number} turn
   */
  markTurn(turn) {
    const found = this.rounds.get(turn);
    setAttribute(this.marker ?? this.element, "x", found ? String(found.from) : null);
    setAttribute(this.marker ?? this.element, "width", found ? String(found.to - found.from) : "0");
  }

  /** @param {WinChartData} chart */
  buildTable({ title, start, start_exact: isExact, start_label: label, turns }) {
    /** @type {(head: string, shares: number[], exact: boolean) => HTMLElement} */
    const row = (head, shares, exact) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, head),
        shares.map((share) => h("td", {}, `${exact ? "" : ABOUT}${formatShare(share)}`)),
      );
    return h(
      "table",
      {},
      h("caption", { class: "unseen" }, title),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, t("review.head.turn")),
          this.seats.map((one) => h("th", { scope: "col" }, one.name)),
        ),
      ),
      h(
        "tbody",
        {},
        row(label, start, isExact),
        turns.map((turn) => row(`${turn.turn} · ${this.seats[turn.seat].name}`, turn.shares, turn.exact)),
      ),
    );
  }
}

/**
 * Where each round begins and ends in the drawing: after its last turn.
 * @param {WinTurn[]} turns
 * @param {(place: number) => number} x
 */
function findRounds(turns, x) {
  /** @type {Map<number, { from: number, to: number }>} */
  const found = new Map();
  turns.forEach(({ turn }, place) => {
    const known = found.get(turn);
    found.set(turn, { from: known?.from ?? x(place), to: x(place + 1) });
  });
  return found;
}

/**
 * Writes a chance; what is possible is never 0, and what is open never 100.
 * @param {number} share
 */
function formatShare(share) {
  const percent = 100 * share;
  if (share === 0 || share === 1 || (percent >= 0.5 && percent < 99.5))
    return t("chances.percent", { percent: Math.round(percent) });
  return t("chances.percent", { percent: formatDecimal(Math.min(99.9, Math.max(0.1, Math.round(percent * 10) / 10))) });
}
