/* What the table says about itself: the line under its title and the title of the tab. */

import { required } from "./required.js";
import { t } from "./translations.js";

// Where the round would go on in a second line beside its publisher.
const NARROW = matchMedia("(max-width: 430px)");

/**
 * The line under the title: who only watches, the publisher where there is room, which game and round, how many look on.
 * @param {TableModel} model
 * @param {boolean} screen
 */
export function describeGame({ view, gameInfo, family, over, room: shared }, screen) {
  const room = required(shared, "room");
  const { games, number, totals } = room.series;
  const round = over ? t("table.finished") : family.describeRound(view);
  const game =
    games > 1 ? t("table.game_of", { number: room.running ? number : Math.max(1, totals.length), games }) : null;
  const watches = !screen && !view.seats.some((seat) => seat.yours) && t("table.you_watch");
  const spectators =
    room.spectators > 0 && !watches && !screen && t("table.watching", { n: room.spectators }).replaceAll(" ", "\u00a0");
  return [
    watches,
    gameInfo.continues && t("table.what_if"),
    !NARROW.matches && gameInfo.publisher,
    game,
    round,
    view.practice && t("table.practice"),
    spectators,
  ]
    .filter(Boolean)
    .join(" · ");
}

/**
 * The title of the tab: whose turn it is.
 * @param {TableModel} model
 */
export function describeTurn({ view, tray, mine, over }) {
  if (over || !tray) return t("table.finished");
  const alone = view.seats.filter((seat) => seat.yours).length === 1;
  return mine && alone ? t("table.your_turn") : t("tray.turn_of", { name: view.seats[tray.seat].name });
}
