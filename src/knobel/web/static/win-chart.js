/* Everybody's chance to win through a game: a line for each player, the same as a table, and what stands out. */

import { h, setAttribute, setChildren, svg } from "./dom.js";
import { drawEmblem, inkOf } from "./inks.js";
import { asRefusal } from "./required.js";
import { formatDecimal, t } from "./translations.js";

const GUIDES = [1, 0.75, 0.5, 0.25, 0];
const MOST_LABELS = 15;
const DASHES = 6;
const ABOUT = "~";
/** How close two marks may come, in parts of the drawing: closer ones would hide each other. */
const MARK_WIDTH = 0.06;
const MARK_HEIGHT = 0.1;

// The chart of one review; `handlers` are {loaded(chart)}. It waits for the server, and says how far that is.
export class WinChartPanel {
  isStopped = false;
  levels = false;
  /** @type {SVGElement | null} */
  marker = null;
  /** @type {Map<number, { from: number, to: number }>} */
  rounds = new Map();
  turn = 0;

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
          this.seats.map((one, seat) =>
            h("li", { "data-ink": inkOf(seat) }, drawEmblem(seat), drawSample(seat), one.name),
          ),
        ),
      ),
      this.drawChart(chart),
      h(
        "ul",
        { class: "highlights", id: "win-highlights", "data-highlights": "" },
        chart.highlights.map((one, place) =>
          h("li", {}, place < chart.turning_points.length && this.buildMark(place), " ", one),
        ),
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
    this.markTurn(this.turn);
    if (!this.levels) this.handlers.loaded(chart);
  }

  // Best play, or the level everybody has shown; what choices cost is told under best play.
  async toggleLevels() {
    this.levels = !this.levels;
    await this.load();
    this.element.querySelector("input")?.focus({ preventScroll: true });
  }

  /**
   * The drawing is as wide as there is room, so everything in it is placed by parts of its width and height.
   * @param {WinChartData} chart
   */
  drawChart(chart) {
    const { start, turns, title } = chart;
    const courses = [start, ...turns.map((turn) => turn.shares)];
    const last = Math.max(1, turns.length);
    this.rounds = findRounds(turns);
    this.marker = svg("rect", { class: "here", y: 0, width: 0, height: 1 });
    const every = Math.ceil(this.rounds.size / MOST_LABELS);
    const ends = [...this.rounds.values()].map(({ to }) => `M${to} 0V1`).join("");
    /** @type {(seat: number) => string} */
    const trace = (seat) => courses.map((shares, place) => `${place ? "L" : "M"}${place} ${1 - shares[seat]}`).join("");
    return h(
      "div",
      { class: "win-plot" },
      h(
        "div",
        { class: "win-axis", "aria-hidden": "true" },
        GUIDES.map((share) => h("span", {}, formatShare(share))),
      ),
      h(
        "div",
        { class: "win-area" },
        svg(
          "svg",
          {
            viewBox: `0 0 ${last} 1`,
            preserveAspectRatio: "none",
            role: "img",
            "aria-label": title,
            "aria-describedby": "win-highlights",
          },
          this.marker,
          svg("path", { class: "guide", d: GUIDES.map((share) => `M0 ${1 - share}H${last}`).join("") + ends }),
          this.listSeats().map((seat) =>
            svg(
              "g",
              { class: this.styleLine(seat), "data-ink": inkOf(seat), "data-seat": seat },
              svg("title", {}, this.seats[seat].name),
              svg("path", { d: trace(seat) }),
            ),
          ),
        ),
        this.placeMarks(chart),
      ),
      h(
        "div",
        { class: "win-rounds", "aria-hidden": "true" },
        [...this.rounds].map(
          ([round, { from, to }], place) =>
            place % every === 0 && putAt(h("span", {}, String(round)), (from + to) / 2 / last),
        ),
      ),
    );
  }

  /** The one this review is about comes last, above all others. */
  listSeats() {
    return [...this.seats.keys()].sort((one, other) => Number(one === this.seat) - Number(other === this.seat));
  }

  /** @param {number} seat */
  styleLine(seat) {
    return `win-line dash-${seat % DASHES}${seat === this.seat ? " mine" : ""}`;
  }

  /**
   * Marks the turning points on the curve with their numbers; one that would lie on another goes beside it.
   * @param {WinChartData} chart
   */
  placeMarks({ turns, turning_points: events, highlights }) {
    /** @type {{ x: number, y: number }[]} */
    const taken = [];
    return events.map((event, number) => {
      const place = turns.findIndex((turn) => turn.event === event);
      const [x, end] = [(place + 1) / turns.length, 1 - turns[place].shares[this.seat]];
      let y = end;
      while (taken.some((one) => Math.abs(one.x - x) < MARK_WIDTH && Math.abs(one.y - y) < MARK_HEIGHT))
        y += end < 0.5 ? MARK_HEIGHT : -MARK_HEIGHT;
      taken.push({ x, y });
      const mark = this.buildMark(number);
      mark.title = highlights[number];
      mark.ariaHidden = "true";
      return putAt(mark, x, y);
    });
  }

  /**
   * The number of a turning point, as it stands on the curve.
   * @param {number} number
   */
  buildMark(number) {
    return h("b", { class: "win-mark", "data-ink": inkOf(this.seat) }, String(number + 1));
  }

  /**
   * Marks the turn the review stands in.
   * @param {number} turn
   */
  markTurn(turn) {
    this.turn = turn;
    const found = this.rounds.get(turn);
    setAttribute(this.marker ?? this.element, "x", found ? String(found.from) : null);
    setAttribute(this.marker ?? this.element, "width", found ? String(found.to - found.from) : "0");
  }

  /** @param {WinChartData} chart */
  buildTable({ title, start, start_exact: isExact, start_label: label, turns, ...chart }) {
    const { turning_points: points, turning_point_label: mark } = chart;
    /** @type {(head: string, shares: number[], exact: boolean, event?: number) => HTMLElement} */
    const row = (head, shares, exact, event = 0) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, head),
        shares.map((share) => h("td", {}, `${exact ? "" : ABOUT}${formatShare(share)}`)),
        points.length > 0 && h("td", {}, String(points.indexOf(event) + 1 || "")),
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
          points.length > 0 && h("th", { scope: "col" }, mark),
        ),
      ),
      h(
        "tbody",
        {},
        row(label, start, isExact),
        turns.map((turn) => row(`${turn.turn} · ${this.seats[turn.seat].name}`, turn.shares, turn.exact, turn.event)),
      ),
    );
  }
}

/**
 * Where each round begins and ends, counted in turns.
 * @param {WinTurn[]} turns
 */
function findRounds(turns) {
  /** @type {Map<number, { from: number, to: number }>} */
  const found = new Map();
  turns.forEach(({ turn }, place) => {
    found.set(turn, { from: found.get(turn)?.from ?? place, to: place + 1 });
  });
  return found;
}

/**
 * Draws how the line of a seat looks.
 * @param {number} seat
 */
function drawSample(seat) {
  return svg(
    "svg",
    { class: `win-line win-sample dash-${seat % DASHES}`, viewBox: "0 0 26 4", "aria-hidden": "true" },
    svg("path", { d: "M0 2H26" }),
  );
}

/**
 * Puts something at a part of the width, and perhaps of the height, of what it stands in.
 * @template {HTMLElement} E
 * @param {E} element
 * @param {number} x
 * @param {number} [y]
 */
function putAt(element, x, y = 0) {
  element.style.left = `${100 * x}%`;
  element.style.top = `${100 * y}%`;
  return element;
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
