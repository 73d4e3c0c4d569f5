/* Asks for another name for a player; the seat stays theirs, also during a game. */

import { connection } from "./connection.js";
import { askText, showToast } from "./dialogs.js";
import { prefs } from "./prefs.js";
import { t } from "./translations.js";

const MAX_NAME_LENGTH = 20;

/**
 * @param {number} seat
 * @param {string} before
 */
export async function renameSeat(seat, before) {
  const name = await askText({
    title: t("lobby.rename_title", { name: before }),
    value: before,
    yes: t("lobby.rename_yes"),
    maxlength: MAX_NAME_LENGTH,
  });
  if (!name || name === before) return;
  try {
    await connection.sendIntent({ want: "rename", seat, name });
    if (prefs.get("name") === before) prefs.set("name", name);
  } catch (refused) {
    showToast(/** @type {Refusal} */ (refused).text ?? "");
  }
}
