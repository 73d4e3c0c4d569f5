/* Actions as text, and back: the only place in the browser that knows their form. Mirrors knobel/notation.py. */

// The letter of each face; dice have up to twelve.
export const FACES = "0123456789abc";

const ROLL = /^(?=.*\.)[1-9abc.]{1,8}$/;
const LAND = /^>([1-9abc]{1,8})$/;
const ENTER_DICE = /^=([1-9abc]{1,8})(?::([1-9]))?$/;
const ANNOUNCE = /^!([a-z][a-z0-9_]{0,31})$/;
const SCORE = /^(~)?(\/)?([a-z][a-z0-9_]{0,31})$/;
const ENTER_POINTS = /^(~)?([a-z][a-z0-9_]{0,31})=(\d{1,5}(?:\+\d{1,5})?\*?)$/;
const POINTS = /^(\d+)(?:\+(\d+))?(\*?)$/;
const LEAVE = /^leave ([1-9]\d?)$/;
const STAND = /^stand(?: (over|under))?$/;

// Writes dice as they lie.
export function writeDice(values) {
  return values.map((value) => FACES[value]).join("");
}

export function readDice(text) {
  return [...text].map((face) => FACES.indexOf(face));
}

// Writes a roll: the dice that are kept, and dots for those that are rolled.
export function writeRoll(count, dice, kept) {
  return Array.from({ length: count }, (_, place) => (dice.length && kept.has(place) ? FACES[dice[place]] : ".")).join("");
}

// Writes what real dice show that were just rolled.
export function writeLand(dice) {
  return `>${writeDice(dice)}`;
}

// Writes the dice a turn with real dice ended with; rolls only where they matter.
export function writeEnterDice(dice, rolls = 0) {
  return `=${describeDice(dice, rolls)}`;
}

// Writes dice as a question about a turn names them: with the number of rolls where it matters.
export function describeDice(dice, rolls = 0) {
  return `${writeDice(dice)}${rolls ? `:${rolls}` : ""}`;
}

export function writeAnnounce(box) {
  return `!${box}`;
}

// Writes that the dice are scored in a box.
export function writeScore(box, { crossOut = false, anyway = false } = {}) {
  return `${anyway ? "~" : ""}${crossOut ? "/" : ""}${box}`;
}

// Writes that points are entered in a box, without dice.
export function writeEnterPoints(box, points, { anyway = false } = {}) {
  return `${anyway ? "~" : ""}${box}=${points}`;
}

// Reads points as they are noted: 18, 18+100, 18*.
export function readPoints(text) {
  const [, points, extra, alike] = text.match(POINTS);
  return { text, points: Number(points), extra: Number(extra ?? 0), alike: alike === "*" };
}

// Reads an action: {kind, ...}; null where the text is none.
export function readAction(text) {
  let found;
  if (ROLL.test(text)) return { kind: "roll", keep: [...text].flatMap((face, place) => (face === "." ? [] : [place])) };
  if ((found = text.match(LEAVE))) return { kind: "leave", seat: Number(found[1]) - 1 };
  if ((found = text.match(STAND))) return { kind: "stand", aim: found[1] ?? null };
  if ((found = text.match(LAND))) return { kind: "land", dice: readDice(found[1]) };
  if ((found = text.match(ENTER_DICE))) return { kind: "enter_dice", dice: readDice(found[1]), rolls: Number(found[2] ?? 0) };
  if ((found = text.match(ANNOUNCE))) return { kind: "announce", box: found[1] };
  if ((found = text.match(ENTER_POINTS))) return { kind: "enter_points", box: found[2], points: found[3], anyway: Boolean(found[1]) };
  if ((found = text.match(SCORE))) return { kind: "score", box: found[3], crossOut: Boolean(found[2]), anyway: Boolean(found[1]) };
  return null;
}

// The places a roll keeps; an empty list where the action is no roll.
export function readKept(text) {
  const action = readAction(text);
  return action?.kind === "roll" ? action.keep : [];
}

export function isRoll(text) {
  return readAction(text)?.kind === "roll";
}

// Whether an action fills a box: with dice or with points.
export function fillsBox(text) {
  return ["score", "enter_points"].includes(readAction(text)?.kind);
}
