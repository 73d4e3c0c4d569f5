/* Chances as whole percentages that add up to what they are together: 100 where one of them must come true. */

const NEARLY = 1e-9;

/**
 * Rounds by largest remainders. What is possible is never 0, and what is open never 100; beside ">99" there is no 0.
 * @param {number[]} chances
 */
export function roundShares(chances) {
  const exact = chances.map((one) => 100 * one);
  const whole = exact.map((one) => Math.floor(one + NEARLY));
  const missing = Math.round(exact.reduce((sum, one) => sum + one, 0)) - whole.reduce((sum, one) => sum + one, 0);
  const places = chances.map((_, place) => place).sort((a, b) => exact[b] - whole[b] - (exact[a] - whole[a]));
  for (const place of places.slice(0, Math.max(0, missing))) whole[place] += 1;
  const isOpen = chances.some((one, place) => whole[place] === 100 && one < 1 - NEARLY);
  return chances.map((one, place) => {
    if (whole[place] === 100 && isOpen) return ">99";
    if (whole[place] === 0 && (isOpen || one > NEARLY)) return "<1";
    return `${whole[place]}`;
  });
}
