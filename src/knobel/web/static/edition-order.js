/* In which order and under which heading the home page lists the editions. */

import { getFamily } from "./families.js";
import { prefs } from "./prefs.js";

/**
 * Sorts the editions: those that were played, the last one first, then those printed in the visitor's language, those
 * made for it alone first; what stands apart comes last.
 * @param {EditionCard[]} cards
 * @param {string} lang
 * @param {string | null} last
 */
export function sortEditions(cards, lang, last) {
  const played = [last, ...prefs.get("played")];
  /** @type {(card: EditionCard) => number[]} */
  const rank = (card) => [
    played.includes(card.id) ? played.indexOf(card.id) : played.length,
    Number(getFamily(card.family).section !== null),
    Number(!card.texts.some((one) => one.text === lang)),
    card.house_rules ? Number.POSITIVE_INFINITY : card.texts.length,
  ];
  return [...cards].sort((one, other) => compareRanks(rank(one), rank(other)));
}

/**
 * Groups sorted editions by section: the usual one without a heading, then those with one.
 * @param {EditionCard[]} cards
 * @returns {[string | null, EditionCard[]][]}
 */
export function groupBySection(cards) {
  const sections = [...new Set([null, ...cards.map((card) => getFamily(card.family).section)])];
  return sections.map((section) => [section, cards.filter((card) => getFamily(card.family).section === section)]);
}

/**
 * @param {number[]} one
 * @param {number[]} other
 */
function compareRanks(one, other) {
  const place = one.findIndex((value, at) => value !== other[at]);
  return place < 0 ? 0 : one[place] < other[place] ? -1 : 1;
}
