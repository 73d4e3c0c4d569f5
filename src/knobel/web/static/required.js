/* What must be there: where it is not, the page has a mistake, and it is better to see it at once. */

/**
 * Gives a value that must be there.
 * @template T
 * @param {T | null | undefined} value
 * @param {string} what
 * @returns {T}
 */
export function required(value, what) {
  if (value === null || value === undefined) throw new Error(`missing: ${what}`);
  return value;
}

/**
 * Leaves out what is not there.
 * @template T
 * @param {(T | false | null | undefined | "" | 0)[]} list
 * @returns {T[]}
 */
export function compact(list) {
  return /** @type {T[]} */ (list.filter(Boolean));
}

/**
 * Reads what was thrown as a refusal; a failure of the network has no code, and often no text.
 * @param {unknown} thrown
 * @returns {Refusal}
 */
export function asRefusal(thrown) {
  return typeof thrown === "object" && thrown !== null ? thrown : { text: String(thrown) };
}
