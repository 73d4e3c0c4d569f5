/* Whoever asks the coach during a game has it on the record; nobody does without having been told. */

import { askYesNo } from "./dialogs.js";
import { isOwnPlayer } from "./table-model.js";
import { loadParts, t } from "./translations.js";

// Says first that the game will be marked as assisted, unless it is already; resolves with whether to go on.
export async function confirmAssistance(view, seat, what) {
  await loadParts("hint");
  if (view.seats[seat].assisted) return true;
  const several = view.seats.filter(isOwnPlayer).length > 1;
  const title = several ? t(`hint.may.${what}_for`, { name: view.seats[seat].name }) : t(`hint.may.${what}`);
  return askYesNo({ title, text: t("hint.may.text"), yes: t(`hint.may.${what}_yes`), no: t("hint.may.no") });
}
