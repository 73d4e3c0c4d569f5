/* What the server knows about tournaments. */

import { getJson, postJson, proofHeaders } from "./api.js";
import { getLanguage } from "./translations.js";

/**
 * The tournaments that this browser may change.
 * @returns {Promise<TournamentLine[]>}
 */
export function fetchTournaments() {
  return getJson(`/api/tournaments?lang=${getLanguage()}`, proofHeaders());
}

/**
 * @param {string} id
 * @returns {Promise<TournamentView>}
 */
export function fetchTournament(id) {
  return getJson(`${buildAddress(id)}?lang=${getLanguage()}`, proofHeaders());
}

/**
 * Creates a tournament; the same id again creates no other. Resolves with the id of the tournament.
 * @param {Wire.TournamentRequest} asked
 * @returns {Promise<string>}
 */
export async function createTournament(asked) {
  return (await postJson("/api/tournaments", asked, getLanguage())).tournament;
}

/**
 * Changes a tournament, and gives it as it is then; one that was deleted is not found any more.
 * @param {TournamentView} seen
 * @param {TournamentChange} change
 * @returns {Promise<TournamentView>}
 */
export function changeTournament({ id, version }, change) {
  return postJson(buildAddress(id), { version, change }, getLanguage());
}

/** @param {string} id */
function buildAddress(id) {
  return `/api/tournaments/${encodeURIComponent(id)}`;
}
