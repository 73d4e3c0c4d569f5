/* What the server knows about people, their past games and their statistics. */

import { getJson, postJson, proofHeaders } from "./api.js";
import { findMidnight } from "./times.js";
import { getLanguage } from "./translations.js";

// Stands for all people of a server that shows the games of everybody.
export const EVERYBODY = "*";

/**
 * The people of this device.
 * @returns {Promise<Person[]>}
 */
export async function fetchPeople() {
  return (await ask("/api/people")).people;
}

/**
 * @param {PersonDraft} draft
 * @returns {Promise<Person>}
 */
export function createPerson(draft) {
  return send("/api/people", draft);
}

/**
 * @param {string} id
 * @param {Partial<PersonDraft> & { hidden?: boolean }} change
 * @returns {Promise<Person>}
 */
export function changePerson(id, change) {
  return send(personAddress(id), change);
}

/**
 * Makes one person of two; the games of both are then those of the second.
 * @param {string} id
 * @param {string} into
 */
export function mergePerson(id, into) {
  return send(`${personAddress(id)}/merge`, { into });
}

/**
 * Deletes a person with everything that is known about them.
 * @param {string} id
 */
export function deletePerson(id) {
  return send(`${personAddress(id)}/delete`, {});
}

/**
 * Draws a code with which another device has this person too.
 * @param {string} id
 * @returns {Promise<PersonCode>}
 */
export function fetchPersonCode(id) {
  return send(`${personAddress(id)}/code`, {});
}

/**
 * Takes over the person of a code.
 * @param {string} code
 * @returns {Promise<Person>}
 */
export function redeemPersonCode(code) {
  return send("/api/people/redeem", { code });
}

/**
 * Past games, the newest first, from where the last answer ended.
 * @param {Partial<GameFilter>} filter
 * @param {string | null} [before]
 * @param {string} [limit]
 * @returns {Promise<PastGames>}
 */
export function fetchHistory(filter, before = null, limit = "") {
  const { person = "", since, until } = filter;
  return ask("/api/history", {
    ...filter,
    ...(person === EVERYBODY ? { person: "", everybody: "1" } : { person }),
    since: since ? String(findMidnight(since)) : "",
    until: until ? String(findMidnight(until, 1)) : "",
    before: before ?? "",
    limit,
  });
}

/** @returns {Promise<HomeMemory>} */
export function fetchHomeMemory() {
  return ask("/api/home");
}

/**
 * The statistics of a person in every edition they played, and whom they can be compared with.
 * @param {string} person
 * @returns {Promise<StatisticsAnswer>}
 */
export function fetchStatistics(person) {
  return ask("/api/statistics", { person });
}

/**
 * @param {string} person
 * @param {string} other
 * @returns {Promise<VersusAnswer>}
 */
export function fetchVersus(person, other) {
  return ask("/api/versus", { person, other });
}

/**
 * A puzzle: of the day, the next of a theme, or a mistake that is due.
 * @param {string} kind
 * @param {Record<string, string>} asked
 * @returns {Promise<any>}
 */
export function fetchPuzzle(kind, asked) {
  return ask(`/api/practice/${kind === "practice" ? "puzzle" : kind}`, asked);
}

/**
 * Grades an answer to a puzzle.
 * @param {Wire.AnswerRequest} answer
 * @returns {Promise<GradedAnswer>}
 */
export function sendAnswer(answer) {
  return send("/api/practice/answer", answer);
}

/**
 * The lessons by some rules.
 * @param {Record<string, string>} asked
 * @returns {Promise<LessonList>}
 */
export function fetchLessons(asked) {
  return ask("/api/practice/lessons", asked);
}

/**
 * A lesson with its positions and choices.
 * @param {Record<string, string>} asked
 * @returns {Promise<ShownLesson>}
 */
export function fetchLesson(asked) {
  return ask("/api/practice/lesson", asked);
}

/**
 * Remembers that a person has finished a lesson.
 * @param {Wire.FinishedRequest} finished
 */
export function finishLesson(finished) {
  return send("/api/practice/lesson", finished);
}

/**
 * Plays all moves of a game of the day so far, and gives where they lead.
 * @param {Wire.DailyGameRequest} game
 * @returns {Promise<DailyGame>}
 */
export function playDailyGame(game) {
  return send("/api/practice/game", game);
}

/**
 * The records of the tables at which people of this device sat.
 * @returns {Promise<TableRecords[]>}
 */
export async function fetchTableRecords() {
  return (await ask("/api/table-records")).editions;
}

/** @param {string} id */
function personAddress(id) {
  return `/api/people/${encodeURIComponent(id)}`;
}

/**
 * @param {string} address
 * @param {Record<string, string>} [values]
 * @returns {Promise<any>}
 */
function ask(address, values = {}) {
  const asked = new URLSearchParams(Object.entries({ ...values, lang: getLanguage() }).filter(([, value]) => value));
  return getJson(`${address}?${asked}`, proofHeaders());
}

/**
 * @param {string} address
 * @param {object} content
 * @returns {Promise<any>}
 */
function send(address, content) {
  return postJson(address, content, getLanguage());
}
