/* Whoever asks the coach during a game has it on the record; nobody does without having been told. */

import { ask } from "./ask.js";
import { moreWords, t } from "./words.js";

// Says first that the game will be marked as assisted, unless it is already; resolves with whether to go on.
export async function mayHelp(view, seat, what) {
  await moreWords("hint");
  if (view.seats[seat].assisted) return true;
  const several = view.seats.filter((one) => one.yours && one.bot === null).length > 1;
  const title = several ? t(`hint.may.${what}_for`, { name: view.seats[seat].name }) : t(`hint.may.${what}`);
  return ask({ title, text: t("hint.may.text"), yes: t(`hint.may.${what}_yes`), no: t("hint.may.no") });
}
