/* The way from the room of a round back to its tournament. */

import { h } from "./dom.js";
import { followLink } from "./router.js";
import { t } from "./translations.js";

/** @param {string} tournament */
export function addressTournament(tournament) {
  return `/tournament/${encodeURIComponent(tournament)}`;
}

/**
 * @param {Wire.RoomView} room
 * @param {string} style
 * @returns {Child} Nothing where no tournament is played.
 */
export function buildTournamentLink({ tournament }, style) {
  if (!tournament) return null;
  const address = addressTournament(tournament);
  return h(
    "a",
    { class: style, "data-act": "tournament", href: address, onclick: (event) => followLink(event, address) },
    t("bar.tournament"),
  );
}
