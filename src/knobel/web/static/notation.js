/* Actions as text, and back: the only place in the browser that knows their form. Mirrors knobel/notation.py. */

// The letter of each face; dice have up to twelve.
export const FACES = "0123456789abc";

const POINTS = /^(\d+)(?:\+(\d+))?(\*?)$/;

/**
 * What an action looks like, and what it says; the first that fits. A box may be called as another action begins.
 * @type {[RegExp, (found: RegExpMatchArray) => NotedAction][]}
 */
const ACTIONS = [
  [/^(?=.*\.)[1-9abc.]{1,8}$/, ([text]) => ({ kind: "roll", keep: readKeptPlaces(text) })],
  [/^leave ([1-9]\d?)$/, ([, seat]) => ({ kind: "leave", seat: Number(seat) - 1 })],
  [/^stand(?: (over|under))?$/, ([, aim = null]) => ({ kind: "stand", aim })],
  [/^>([1-9abc]{1,8})$/, ([, dice]) => ({ kind: "land", dice: readDice(dice) })],
  [
    /^=([1-9abc]{1,8})(?::([1-9]))?$/,
    ([, dice, rolls = "0"]) => ({ kind: "enter_dice", dice: readDice(dice), rolls: Number(rolls) }),
  ],
  [/^!([a-z][a-z0-9_]{0,31})$/, ([, box]) => ({ kind: "announce", box })],
  [
    /^(~)?([a-z][a-z0-9_]{0,31})=(\d{1,5}(?:\+\d{1,5})?\*?)$/,
    ([, anyway, box, points]) => ({ kind: "enter_points", box, points, anyway: Boolean(anyway) }),
  ],
  [
    /^(~)?(\/)?([a-z][a-z0-9_]{0,31})$/,
    ([, anyway, crossOut, box]) => ({ kind: "score", box, crossOut: Boolean(crossOut), anyway: Boolean(anyway) }),
  ],
];

/**
 * Writes dice as they lie.
 * @param {number[]} values
 */
export function writeDice(values) {
  return values.map((value) => FACES[value]).join("");
}

/** @param {string} text */
export function readDice(text) {
  return [...text].map((face) => FACES.indexOf(face));
}

/**
 * Writes a roll: the dice that are kept, and dots for those that are rolled.
 * @param {number} count
 * @param {number[]} dice
 * @param {Set<number>} kept
 */
export function writeRoll(count, dice, kept) {
  return Array.from({ length: count }, (_, place) => (dice.length && kept.has(place) ? FACES[dice[place]] : ".")).join(
    "",
  );
}

/**
 * Writes what real dice show that were just rolled.
 * @param {number[]} dice
 */
export function writeLand(dice) {
  return `>${writeDice(dice)}`;
}

/**
 * Writes the dice a turn with real dice ended with; rolls only where they matter.
 * @param {number[]} dice
 * @param {number} [rolls]
 */
export function writeEnterDice(dice, rolls = 0) {
  return `=${describeDice(dice, rolls)}`;
}

/**
 * Writes dice as a question about a turn names them: with the number of rolls where it matters.
 * @param {number[]} dice
 * @param {number} [rolls]
 */
export function describeDice(dice, rolls = 0) {
  return `${writeDice(dice)}${rolls ? `:${rolls}` : ""}`;
}

/** @param {string} box */
export function writeAnnounce(box) {
  return `!${box}`;
}

/**
 * Writes that the dice are scored in a box.
 * @param {string} box
 * @param {{ crossOut?: boolean, anyway?: boolean }} [how]
 */
export function writeScore(box, { crossOut = false, anyway = false } = {}) {
  return `${anyway ? "~" : ""}${crossOut ? "/" : ""}${box}`;
}

/**
 * Writes that points are entered in a box, without dice.
 * @param {string} box
 * @param {string} points
 * @param {{ anyway?: boolean }} [how]
 */
export function writeEnterPoints(box, points, { anyway = false } = {}) {
  return `${anyway ? "~" : ""}${box}=${points}`;
}

/**
 * Reads points as they are noted: 18, 18+100, 18*.
 * @param {string} text
 * @returns {NotedPoints}
 */
export function readPoints(text) {
  const [, points, extra, alike] = text.match(POINTS) ?? [];
  return { text, points: Number(points), extra: Number(extra ?? 0), alike: alike === "*" };
}

/**
 * Reads an action: {kind, ...}; null where the text is none.
 * @param {string} text
 * @returns {NotedAction | null}
 */
export function readAction(text) {
  for (const [pattern, read] of ACTIONS) {
    const found = text.match(pattern);
    if (found) return read(found);
  }
  return null;
}

/** @param {string} roll */
function readKeptPlaces(roll) {
  return [...roll].flatMap((face, place) => (face === "." ? [] : [place]));
}

/**
 * The places a roll keeps; an empty list where the action is no roll.
 * @param {string} text
 */
export function readKept(text) {
  const action = readAction(text);
  return action?.kind === "roll" ? (action.keep ?? []) : [];
}

/**
 * The dice an action enters; nothing where it enters none.
 * @param {string} text
 */
export function readEntered(text) {
  const action = readAction(text);
  return action?.kind === "enter_dice" ? (action.dice ?? null) : null;
}

/** @param {string} text */
export function isRoll(text) {
  return readAction(text)?.kind === "roll";
}

/**
 * Whether an action fills a box: with dice or with points.
 * @param {string} text
 */
export function fillsBox(text) {
  return ["score", "enter_points"].includes(readAction(text)?.kind ?? "");
}
