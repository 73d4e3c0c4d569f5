/* Where a value lies in a drawing: round steps of an axis, and the way from values to places. */

const ROUND_STEPS = [1, 2, 2.5, 5, 10];
/** Values that differ by a smaller share are the same: what is left of a sum of fractions is no span. */
const NO_SPAN = 1e-6;

/**
 * Lists round values that span what is given, about as many as wanted.
 * @param {number} least
 * @param {number} most
 * @param {number} [wanted]
 * @param {number} [finest] The least step: 1 where things are counted.
 */
export function listTicks(least, most, wanted = 5, finest = 0) {
  const size = Math.max(Math.abs(least), Math.abs(most));
  const span = most - least > size * NO_SPAN ? most - least : size || 1;
  const rough = Math.max(span / wanted, finest);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * (ROUND_STEPS.find((one) => one * power >= rough) ?? 10);
  const first = Math.floor(least / step);
  const last = Math.max(Math.ceil(most / step), first + 1);
  return Array.from({ length: last - first + 1 }, (_, place) => Number(((first + place) * step).toPrecision(12)));
}

/**
 * Maps values to places in a drawing.
 * @param {number} least
 * @param {number} most
 * @param {number} from
 * @param {number} to
 * @returns {(value: number) => number}
 */
export function createScale(least, most, from, to) {
  const span = most - least || 1;
  return (value) => Math.round((from + ((value - least) / span) * (to - from)) * 10) / 10;
}

/**
 * Picks at most so many of a list, the first and the last among them, evenly spread.
 * @template T
 * @param {T[]} list
 * @param {number} most
 * @returns {{ one: T, place: number }[]}
 */
export function pickEvenly(list, most) {
  const step = Math.max(1, Math.ceil((list.length - 1) / Math.max(1, most - 1)));
  return list.flatMap((one, place) => (place % step === 0 ? [{ one, place }] : []));
}

/**
 * Fits a straight line to evenly spaced values: where it begins and where it ends.
 * @param {number[]} values
 * @returns {[number, number]}
 */
export function fitTrend(values) {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((all, value) => all + value, 0) / values.length;
  let [products, squares] = [0, 0];
  values.forEach((value, place) => {
    products += (place - middle) * (value - mean);
    squares += (place - middle) ** 2;
  });
  const slope = squares ? products / squares : 0;
  return [mean - slope * middle, mean + slope * middle];
}

/**
 * Counts totals in about ten groups of the same width.
 * @param {number[]} totals
 */
export function groupTotals(totals) {
  const [least, most] = [Math.min(...totals), Math.max(...totals)];
  const ticks = listTicks(least, most + 1, 10);
  const step = Math.max(1, Math.round(ticks[1] - ticks[0]));
  const first = Math.floor(least / step) * step;
  return Array.from({ length: Math.floor((most - first) / step) + 1 }, (_, place) => {
    const from = first + place * step;
    return { from, to: from + step - 1, games: totals.filter((one) => one >= from && one < from + step).length };
  });
}
