/* The charts of the statistics page, from figures of the server to drawings. */

import { buildChart } from "./chart.js";
import { drawBars, drawBoxes, drawLines, drawStacks } from "./chart-drawings.js";
import { fitTrend, groupTotals } from "./chart-scale.js";
import { formatNumber, formatSigned } from "./number-format.js";
import { formatDay, formatHour, formatMonth, formatShortDay, toLocalHour } from "./times.js";
import { t } from "./translations.js";

const HOURS = 24;
const LEAST_FOR_TREND = 5;
const LEAST_SHADE = 0.15;

/**
 * A line over time, game by game or month by month, with its trend and what perfect play would have.
 * @param {TimeLine} line
 */
export function buildTimeChart({ name, points, expected, signed = false, isMonthly }) {
  if (points.length < 2) return null;
  const write = signed ? formatSigned : formatNumber;
  const title = t(`stats.chart.${name}`);
  const last = points.length - 1;
  const trend = points.length >= LEAST_FOR_TREND ? fitTrend(points.map((point) => point.value)) : null;
  const note = trend ? t("stats.trend_runs", { from: write(trend[0]), to: write(trend[1]) }) : t("stats.trend_none");
  const [day, shortDay] = isMonthly ? [formatMonth, formatMonth] : [formatDay, formatShortDay];
  /** @type {(kind: "trend" | "expected", from: number, to: number) => DrawnLine} */
  const straight = (kind, from, to) => ({
    kind,
    points: [
      { x: 0, y: from },
      { x: last, y: to },
    ],
  });
  /** @type {DrawnLine} */
  const played = {
    kind: "played",
    points: points.map(({ time, value }, x) => ({ x, y: value, says: `${day(time)}: ${write(value)}` })),
  };
  const lines = [
    played,
    ...(trend ? [straight("trend", ...trend)] : []),
    ...(expected === null ? [] : [straight("expected", expected, expected)]),
  ];
  /** @type {Record<DrawnLine["kind"], string>} */
  const names = {
    played: t(isMonthly ? "stats.each_month" : "stats.each_game"),
    trend: t("stats.trend"),
    expected: t("stats.perfect"),
  };
  return buildChart({
    title,
    note,
    legend: lines.map(({ kind }) => ({ kind, text: names[kind] })),
    drawing: drawLines(lines, {
      labels: points.map(({ time }) => shortDay(time)),
      says: t("stats.chart_says", { title, note }),
      format: String,
    }),
    heads: [t(isMonthly ? "stats.head.month" : "stats.head.day"), title],
    rows: points.map(({ time, value }) => [day(time), round(value)]),
    file: `knobel-${name}`,
  });
}

/**
 * How often which totals were scored.
 * @param {number[]} totals
 */
export function buildTotalsChart(totals) {
  if (totals.length < 2) return null;
  const title = t("stats.chart.totals");
  const bins = groupTotals(totals);
  return buildChart({
    title,
    note: t("stats.totals_about", { n: totals.length }),
    drawing: drawBars(
      bins.map(({ from, to, games }) => ({
        label: String(from),
        says: t("stats.bin_says", { from, to, n: games }),
        value: games,
      })),
      { says: title, format: String },
    ),
    heads: [t("stats.head.points"), t("stats.head.games")],
    rows: bins.map(({ from, to, games }) => [`${from}–${to}`, games]),
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
  const hasPerfect = boxes.some((box) => box.perfect !== null);
  /** @type {ChartKey[]} */
  const legend = [
    { kind: "bar", text: t("stats.you") },
    { kind: "mark", text: t("stats.perfect") },
  ];
  return buildChart({
    title,
    note: t(hasPerfect ? "stats.boxes_about" : "stats.boxes_unsolved"),
    legend: hasPerfect ? legend : [],
    drawing: drawBoxes(
      boxes.map(({ box, name = box, average, perfect }) => ({
        name,
        value: average,
        expected: perfect,
        figures: perfect === null ? formatNumber(average) : `${formatNumber(average)} / ${formatNumber(perfect)}`,
      })),
      { says: title },
    ),
    heads: [t("stats.head.box"), t("stats.you"), t("stats.perfect")],
    rows: boxes.map(({ box, name = box, average, perfect }) => [
      name,
      round(average),
      perfect === null ? null : round(perfect),
    ]),
    file: "knobel-boxes",
  });
}

/**
 * How well was played, month by month: how many games of which level; the better, the darker.
 * @param {MonthFigures[]} months
 * @param {Record<string, string>} names From the lowest level to the highest.
 */
export function buildLevelChart(months, names) {
  const reviewed = months.filter((month) => Object.keys(month.levels).length > 0);
  if (!reviewed.length) return null;
  const title = t("stats.chart.levels");
  const order = Object.keys(names);
  const levels = order.filter((level) => reviewed.some((month) => month.levels[level]));
  /** @type {(level: string) => number} */
  const shade = (level) => LEAST_SHADE + ((1 - LEAST_SHADE) * order.indexOf(level)) / Math.max(1, order.length - 1);
  return buildChart({
    title,
    note: t("stats.levels_about"),
    legend: levels.map((level) => ({ kind: "shade", text: names[level], shade: shade(level) })),
    drawing: drawStacks(
      reviewed.map((month) => ({
        label: formatMonth(toSeconds(month.month)),
        parts: levels
          .filter((level) => month.levels[level])
          .map((level) => ({
            value: month.levels[level],
            shade: shade(level),
            says: `${names[level]}: ${month.levels[level]}`,
          })),
      })),
      { says: title },
    ),
    heads: [t("stats.head.month"), ...levels.map((level) => names[level])],
    rows: reviewed.map((month) => [
      formatMonth(toSeconds(month.month)),
      ...levels.map((level) => month.levels[level] ?? 0),
    ]),
    file: "knobel-levels",
  });
}

/**
 * How many games ended at which hour of the day, by the clock of this device.
 * @param {EditionStatistics["hours"]} counted
 */
export function buildHoursChart(counted) {
  const hours = Array.from({ length: HOURS }, (_, hour) =>
    counted.reduce((all, one) => all + (toLocalHour(one.hour) === hour ? one.games : 0), 0),
  );
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

/** @param {string} month As 2026-11. */
export function toSeconds(month) {
  return Date.parse(`${month}-15`) / 1000;
}

/** @param {number} n */
function round(n) {
  return Math.round(n * 100) / 100;
}
