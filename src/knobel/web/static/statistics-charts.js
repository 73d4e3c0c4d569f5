/* The charts of the statistics page, from figures of the server to drawings. */

import { buildChart } from "./chart.js";
import { drawBars, drawBoxes, drawLines } from "./chart-drawings.js";
import { formatNumber, formatSigned } from "./number-format.js";
import { formatDay, formatHour, formatShortDay } from "./times.js";
import { t } from "./translations.js";

/**
 * A line over time, game by game or in groups of games, with its trend and what would be expected.
 * @param {TimeLine} line
 */
export function buildTimeChart({ name, points, trend, expected = null, signed = false }) {
  if (points.length < 2) return null;
  const write = signed ? formatSigned : formatNumber;
  const title = t(`stats.chart.${name}`);
  const last = points.length - 1;
  const note = describeTrend(trend, write);
  /** @type {DrawnLine[]} */
  const lines = [
    {
      kind: "played",
      points: points.map(({ time, value }, x) => ({ x, y: value, says: `${formatDay(time)}: ${write(value)}` })),
    },
  ];
  if (trend)
    lines.push({
      kind: "trend",
      points: [
        { x: 0, y: trend.from },
        { x: last, y: trend.to },
      ],
    });
  if (expected !== null)
    lines.push({
      kind: "expected",
      points: [
        { x: 0, y: expected },
        { x: last, y: expected },
      ],
    });
  /** @type {ChartKey[]} */
  const legend = [{ kind: "played", text: title }];
  if (trend) legend.push({ kind: "trend", text: t("stats.trend") });
  if (expected !== null) legend.push({ kind: "expected", text: t("stats.perfect") });
  return buildChart({
    title,
    note,
    legend,
    drawing: drawLines(lines, {
      labels: points.map(({ time }) => formatShortDay(time)),
      says: [title, note].join(". "),
      format: String,
    }),
    heads: [t("stats.head.day"), title],
    rows: points.map(({ time, value }) => [formatDay(time), round(value)]),
    file: `knobel-${name}`,
  });
}

/**
 * Says where a line goes.
 * @param {Trend | null} trend
 * @param {(n: number) => string} write
 */
function describeTrend(trend, write) {
  if (!trend) return t("stats.trend_none");
  return t("stats.trend_is", { from: write(trend.from), to: write(trend.to) });
}

/**
 * How often which totals were scored; beside it how often perfect play scores them, where that is known.
 * @param {{ bins: TotalBin[], hasExpected: boolean }} totals
 */
export function buildTotalsChart({ bins, hasExpected }) {
  if (!bins.length) return null;
  const title = t("stats.chart.totals");
  return buildChart({
    title,
    legend: hasExpected
      ? [
          { kind: "bar", text: t("stats.you") },
          { kind: "expected", text: t("stats.perfect") },
        ]
      : [],
    drawing: drawBars(
      bins.map(({ from, to, games, expected }) => ({
        label: String(from),
        says: t("stats.bin_says", { from, to, n: games }),
        value: games,
        expected,
      })),
      { says: title, format: String },
    ),
    heads: [t("stats.head.points"), t("stats.head.games"), ...(hasExpected ? [t("stats.perfect")] : [])],
    rows: bins.map(({ from, to, games, expected }) => [
      `${from}–${to}`,
      games,
      ...(hasExpected ? [expected === null ? null : round(expected)] : []),
    ]),
    file: "knobel-totals",
  });
}

/**
 * The average of every box beside that of perfect play.
 * @param {BoxAverage[]} boxes
 */
export function buildBoxChart(boxes) {
  if (!boxes.length) return null;
  const title = t("stats.chart.boxes");
  return buildChart({
    title,
    note: t("stats.boxes_about"),
    legend: [
      { kind: "bar", text: t("stats.you") },
      { kind: "mark", text: t("stats.perfect") },
    ],
    drawing: drawBoxes(
      boxes.map(({ name, average, perfect }) => ({
        name,
        value: average,
        expected: perfect,
        figures: perfect === null ? formatNumber(average) : `${formatNumber(average)} / ${formatNumber(perfect)}`,
      })),
      { says: title },
    ),
    heads: [t("stats.head.box"), t("stats.you"), t("stats.perfect")],
    rows: boxes.map(({ name, average, perfect }) => [name, round(average), perfect === null ? null : round(perfect)]),
    file: "knobel-boxes",
  });
}

/**
 * How many games ended at which hour of the day.
 * @param {number[]} hours
 */
export function buildHoursChart(hours) {
  if (!hours.some(Boolean)) return null;
  const title = t("stats.chart.hours");
  return buildChart({
    title,
    drawing: drawBars(
      hours.map((games, hour) => ({
        label: formatHour(hour),
        says: t("stats.hour_says", { hour: formatHour(hour), n: games }),
        value: games,
      })),
      { says: title, format: String },
    ),
    heads: [t("stats.head.hour"), t("stats.head.games")],
    rows: hours.map((games, hour) => [formatHour(hour), games]),
    file: "knobel-hours",
  });
}

/** @param {number} n */
function round(n) {
  return Math.round(n * 100) / 100;
}
