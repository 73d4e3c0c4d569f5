/* How a game ended, in words. */

import { formatList, t } from "./translations.js";

/**
 * Says in a few words how a game ended.
 * @param {GameView} view
 */
export function describeOutcome(view) {
  if (!view.places) return t(view.closed === "expired" ? "end.expired" : "end.stopped");
  const best = view.places[0].map((seat) => view.seats[seat]);
  if (view.seats.length === 1) return t("end.alone", { n: best[0].total });
  if (best.length > 1) return t("end.tie", { names: formatList(best.map((seat) => seat.name)) });
  const only = view.seats.filter((seat) => seat.yours).length === 1;
  return best[0].yours && only ? t("end.you_win") : t("end.wins", { name: best[0].name });
}

/**
 * Says who won the game, for somebody who was not there.
 * @param {GameView} view
 */
export function nameWinners(view) {
  const names = formatList((view.places?.[0] ?? []).map((seat) => view.seats[seat].name));
  return !view.places ? describeOutcome(view) : t("end.wins", { name: names });
}

/**
 * The players by place: each with the place they share with those who have as much.
 * @param {GameView} view
 */
export function listPlaces(view) {
  let place = 1;
  return (view.places ?? []).flatMap((seats) => {
    const first = place;
    place += seats.length;
    return seats.map((seat) => ({ place: first, seat }));
  });
}
