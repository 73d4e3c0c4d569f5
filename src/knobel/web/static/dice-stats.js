/* How odd dice look, and how often fair ones look so. */

const MIN_EXPECTED = 5;

/**
 * Counts for each seat how often each face was rolled, and the longest run of dice without it.
 * @param {Landing[]} landings
 * @param {number} seats
 * @param {number} faces
 * @returns {FaceTally[]}
 */
export function tallyFaces(landings, seats, faces) {
  const found = Array.from({ length: seats }, () => ({
    dice: 0,
    real: 0,
    counts: Array(faces).fill(0),
    waits: Array(faces).fill(0),
    since: Array(faces).fill(0),
  }));
  for (const { seat, dice, real } of landings) for (const die of dice) countFace(found[seat], die - 1, real);
  return found;
}

/**
 * @param {FaceTally} seat
 * @param {number} fell
 * @param {boolean} real
 */
function countFace(seat, fell, real) {
  seat.dice += 1;
  seat.real += Number(real);
  seat.counts[fell] += 1;
  seat.since.forEach((since, face) => {
    seat.since[face] = face === fell ? 0 : since + 1;
    seat.waits[face] = Math.max(seat.waits[face], seat.since[face]);
  });
}

/**
 * Says how often this many fair dice look at least as uneven as these counts: exactly for few dice, by chi-square for many.
 * @param {number[]} counts
 */
export function chanceOfUneven(counts) {
  const dice = counts.reduce((sum, one) => sum + one, 0),
    faces = counts.length;
  const squares = counts.reduce((sum, one) => sum + one * one, 0);
  if (dice < MIN_EXPECTED * faces) return exactTail(dice, faces, squares);
  return chiSquareTail((squares * faces) / dice - dice, faces - 1);
}

/**
 * Adds up all ways to roll this many dice whose counts have at least these squares; every face takes its share in turn.
 * @param {number} dice
 * @param {number} faces
 * @param {number} least
 */
export function exactTail(dice, faces, least) {
  const width = dice * dice + 1;
  let ways = Array.from({ length: dice + 1 }, () => new Float64Array(width));
  ways[0][0] = 1;
  for (let face = 0; face < faces; face++) {
    const next = ways.map(() => new Float64Array(width));
    for (let rolled = 0; rolled <= dice; rolled++) {
      for (let more = 0, share = 1; rolled + more <= dice; share /= ++more * faces) {
        for (let sum = 0; sum <= rolled * rolled; sum++)
          next[rolled + more][sum + more * more] += ways[rolled][sum] * share;
      }
    }
    ways = next;
  }
  let often = 0;
  for (let sum = least; sum < width; sum++) often += ways[dice][sum];
  for (let one = 2; one <= dice; one++) often *= one;
  return Math.min(1, often);
}

/**
 * The upper tail of chi-square: one minus the series of the incomplete gamma function.
 * @param {number} square
 * @param {number} freedom
 */
export function chiSquareTail(square, freedom) {
  const half = freedom / 2,
    x = square / 2;
  if (x <= 0) return 1;
  let gamma = freedom % 2 ? Math.sqrt(Math.PI) : 1;
  for (let one = freedom % 2 ? 0.5 : 1; one < half; one++) gamma *= one;
  let term = Math.exp(half * Math.log(x) - x) / (gamma * half),
    sum = term;
  for (let n = 1; term > sum * 1e-17; n++) sum += term *= x / (half + n);
  return Math.max(0, 1 - sum);
}

/**
 * Says how often a face named beforehand is missing from this many dice in a row, somewhere among all that are rolled.
 * @param {number} dice
 * @param {number} wait
 * @param {number} faces
 */
export function chanceOfDrought(dice, wait, faces) {
  if (wait === 0) return 1;
  const miss = 1 - 1 / faces;
  const all = miss ** wait;
  /** @type {number[]} */
  const none = [];
  for (let n = 0; n <= dice; n++) {
    if (n < wait) none.push(1);
    else if (n === wait) none.push(1 - all);
    else none.push(none[n - 1] - (1 - miss) * all * none[n - wait - 1]);
  }
  return 1 - none[dice];
}
