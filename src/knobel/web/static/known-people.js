/* The people of this device, as the server named them last: offered by name, in their colours. */

import { h } from "./dom.js";
import { prefs } from "./prefs.js";

// How many colours and emblems there are.
export const INKS = 8;

/** @param {KnownPerson[]} people */
export function rememberPeople(people) {
  prefs.set(
    "people",
    people.map(({ id, name, colour, emblem }) => ({ id, name, colour, emblem })),
  );
}

/**
 * Renames somebody in everything this browser remembers, or forgets them.
 * @param {string} name
 * @param {string | null} now
 */
export function replaceName(name, now) {
  /** @type {(names: string[]) => string[]} */
  const replaced = (names) => [...new Set(names.flatMap((one) => (one === name ? (now ?? []) : one)))];
  prefs.set("usual_players", replaced(prefs.get("usual_players")));
  prefs.set("known", replaced(prefs.get("known")));
  if (prefs.get("name") === name) prefs.set("name", now ?? "");
}

/**
 * Draws the emblem of the person of a name, if there is one.
 * @param {string} name
 */
export function drawLookOf(name) {
  const found = prefs.get("people").find((person) => person.name === name);
  return found && drawLook(found);
}

/**
 * Draws the emblem of somebody, in their colour; the name stands beside it.
 * @param {Look} look
 */
export function drawLook({ colour, emblem }) {
  return h("i", { class: "emblem", "data-ink": colour % INKS, "data-emblem": emblem % INKS, "aria-hidden": "true" });
}
