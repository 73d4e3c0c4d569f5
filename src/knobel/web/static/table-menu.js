/* What stands in the menu of a table. */

import { connection } from "./connection.js";
import { find } from "./dom.js";
import { hasListeners } from "./reactions.js";
import { renameSeat } from "./rename-dialog.js";
import { compact, required } from "./required.js";
import { isBigScreen, navigate } from "./router.js";
import { nameSoundSwitch, toggleSound } from "./sound-button.js";
import { findOnlyOwn, isOwnPlayer } from "./table-model.js";
import { addressTournament } from "./tournament-link.js";
import { t } from "./translations.js";
import { buildLevelsSwitch, buildWinBarSwitch } from "./win-bar-switch.js";

/**
 * @param {TablePage} table
 * @returns {MenuItem[]}
 */
export function listTableMenu(table) {
  const { view } = table.position;
  const room = required(connection.room, "room");
  const own = isBigScreen() ? -1 : view.seats.findIndex(isOwnPlayer);
  const alone = isBigScreen() ? -1 : findOnlyOwn(view);
  return compact([
    own >= 0 &&
      !view.duplicate && {
        label: t("table.ask_coach"),
        act: () => table.coach.ask(),
        hook: "ask-coach",
        off: !table.coach.canAsk,
      },
    own >= 0 &&
      hasListeners(view) && {
        label: t("player.say"),
        act: () =>
          table.players.openRemarkMenu(find(table, ".tray:not([hidden]) .main-button") ?? table.undoButton, own),
        hook: "say",
      },
    own >= 0 && {
      label: t("player.rename"),
      act: () => renameSeat(own, view.seats[own].name),
      hook: "rename",
    },
    {
      label: nameSoundSwitch(),
      act: toggleSound,
      hook: "sound",
    },
    !table.model.over && !view.duplicate && buildWinBarSwitch(view),
    !table.model.over && !view.duplicate && table.model.family.review.hasWinChart && buildLevelsSwitch(),
    !isBigScreen() && {
      label: t("table.screen"),
      act: () => open(`/room/${connection.roomId}/screen`, "_blank", "noopener"),
      hook: "screen",
    },
    room.tournament
      ? {
          label: t("bar.tournament"),
          act: () => navigate(addressTournament(room.tournament ?? "")),
          hook: "tournament",
        }
      : false,
    alone >= 0 &&
      !table.model.over && {
        label: t("player.leave"),
        act: () => table.players.confirmLeave(alone),
        hook: "leave",
      },
    room.host &&
      !isBigScreen() &&
      !view.closed && {
        label: t(hasListeners(view) ? "table.stop" : "table.stop_alone"),
        act: () => table.actions.stopGame(hasListeners(view)),
        hook: "stop",
      },
  ]);
}
