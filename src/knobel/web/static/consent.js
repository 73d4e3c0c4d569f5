/* Asking the coach during a game is noted in the record, so players confirm that first. */

import { askYesNo } from "./dialogs.js";
import { isOwnPlayer } from "./table-model.js";
import { loadParts, t } from "./translations.js";

/**
 * Asks before the game is marked as assisted, unless it already is; resolves with whether to go on.
 * @param {GameView} view
 * @param {number} seat
 * @param {string} what
 * @returns {Promise<boolean>}
 */
export async function confirmAssistance(view, seat, what) {
  await loadParts("hint");
  if (view.seats[seat].assisted) return true;
  const several = view.seats.filter(isOwnPlayer).length > 1;
  const title = several ? t(`hint.may.${what}_for`, { name: view.seats[seat].name }) : t(`hint.may.${what}`);
  return askYesNo({ title, text: t("hint.may.text"), yes: t(`hint.may.${what}_yes`), no: t("hint.may.no") });
}
