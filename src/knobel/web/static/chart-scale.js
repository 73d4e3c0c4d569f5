/* Where a value lies in a drawing: round steps of an axis, and the way from values to places. */

const ROUND_STEPS = [1, 2, 2.5, 5, 10];

/**
 * Lists round values that span what is given, about as many as wanted.
 * @param {number} least
 * @param {number} most
 * @param {number} [wanted]
 */
export function listTicks(least, most, wanted = 5) {
  const span = most - least || Math.abs(most) || 1;
  const rough = span / wanted;
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
