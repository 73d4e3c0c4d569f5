/* What the lines of a record look like, in every format there has been. */

/**
 * What the lines of a record must look like; `may` stand there, or be `none`, only where it is said.
 * @type {(most: number) => Check}
 */
const int = (most) => (value) => typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= most;
/** @type {(most: number) => Check} */
const text = (most) => (value) => typeof value === "string" && [...value].length <= most;
/** @type {(kind: Check) => Check} */
const list = (kind) => (value) => Array.isArray(value) && value.every(kind);
/** @type {(kind: Check) => Check} */
const optional = (kind) => (value) => value === undefined || kind(value);
/** @type {(kind: Check) => Check} */
const nullable = (kind) => (value) => value === null || kind(value);
/** @type {(kind: Check, key: (name: string) => boolean) => Check} */
const map = (kind, key) => (value) =>
  object(value) && Object.entries(value).every(([name, one]) => key(name) && kind(one));
/** @type {(fields: Record<string, Check>) => Check} */
export const shape = (fields) => (value) =>
  object(value) &&
  Object.keys(value).every((name) => Object.keys(fields).includes(name)) &&
  Object.entries(fields).every(([name, kind]) => kind(value[name]));
/** @type {(value: unknown) => value is Record<string, unknown>} */
export const object = isObject;
/** @type {Check} */
const bool = (value) => typeof value === "boolean";
/** @type {Check} */
export const seed = (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
/** @type {(name: string) => boolean} */
const seatKey = (name) => /^(0|[1-9]\d*)$/.test(name) && small(Number(name));
const small = int(255),
  counter = int(1_000_000),
  word = text(80),
  longText = text(131_072);
const seeds = shape({ server: seed, clients: optional(list(seed)) });
/** @type {(seat: Record<string, Check>) => Check} */
const buildHeaderShape = (seat) =>
  shape({
    knobel: Number.isInteger,
    game: word,
    text: word,
    switches: map(word, word),
    fingerprint: word,
    first: nullable(small),
    practice: bool,
    edition: shape({
      id: longText,
      title: longText,
      publisher: longText,
      base: optional(nullable(longText)),
      names: optional(map(map(longText, word), word)),
    }),
    seats: (value) =>
      hasLength(value, 1, 99) &&
      list(shape({ name: optional(word), bot: optional(nullable(word)), beginner: optional(bool), ...seat }))(value),
    dice: shape({
      scheme: word,
      commitment: word,
      seed: optional(nullable(longText)),
      seals: optional(map(seed, seatKey)),
      secret: optional(nullable(seeds)),
    }),
    evening: shape({
      games: counter,
      number: counter,
      totals: optional(list(list(counter))),
      first: optional(nullable(small)),
    }),
    rules: object,
    free: optional(bool),
    start: optional((value) => value === "random" || value === "roll_off"),
    quoted: optional(
      shape({ game: word, first: nullable(small), actions: (value) => hasLength(value, 0, 5000) && list(word)(value) }),
    ),
  });
const TURN = { turn: counter, actions: (/** @type {unknown} */ value) => hasLength(value, 1, 3) && list(word)(value) };
/** @type {(landed: Record<string, Check>) => Record<string, Record<string, Check>>} */
const buildEvents = (landed) => ({
  acted: { seat: small, action: word },
  undone: { number: counter },
  corrected: { seat: small, ...TURN, other: optional(shape(TURN)) },
  revealed: { seat: small, seed },
  without: { seat: small },
  drawn: { seat: small },
  landed: { seat: small, turn: counter, faces: small, positions: list(small), dice: list(small), ...landed },
  away: { seat: small },
  stand_in: { seat: small, bot: word },
  back: { seat: small },
  assisted: { seat: small },
  closed: {
    seeds,
    why: optional((value) => typeof value === "string" && ["over", "stopped", "expired"].includes(value)),
  },
});
/** @type {(events: Record<string, Record<string, Check>>) => Check} */
const buildEventShape = (events) => (value) =>
  object(value) &&
  typeof value.event === "string" &&
  Object.keys(events).includes(value.event) &&
  shape({ event: word, ...events[value.event] })(value);

// Until format 2 a roll was called a throw and real dice were called one's own; since format 2 lines are chained.
const OLD_HEADER = buildHeaderShape({ own_dice: optional(bool) });
const OLD_EVENT = buildEventShape(buildEvents({ throw: small, own: optional(bool) }));
const EVENT = buildEventShape(buildEvents({ roll: small, real: optional(bool) }));
/** @type {Record<number, { header: Check, event: Check, isChained: boolean }>} */
export const FORMATS = {
  1: { header: OLD_HEADER, event: OLD_EVENT, isChained: false },
  2: { header: OLD_HEADER, event: OLD_EVENT, isChained: true },
  3: { header: buildHeaderShape({ real_dice: optional(bool) }), event: EVENT, isChained: true },
};
export const NAMES = shape({ names: list(word) });
export const DIGEST = shape({ sha256: (value) => typeof value === "string" });

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>}
 */
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @type {(value: unknown, least: number, most: number) => boolean} */
function hasLength(value, least, most) {
  return Array.isArray(value) && value.length >= least && value.length <= most;
}
