/* Whether this page shows the win bar: the big screen has a setting of its own. */

import { showToast } from "./dialogs.js";
import { findMissing } from "./extras.js";
import { prefs } from "./prefs.js";
import { isBigScreen } from "./router.js";
import { t } from "./translations.js";

function nameSetting() {
  return isBigScreen() ? "win_bar_screen" : "win_bar";
}

// Whether it is switched on, and may be shown; children see none.
export function isWinBarOn() {
  return prefs.get(nameSetting()) && prefs.get("view") !== "children" && !findMissing("solver");
}

/**
 * The switch in the menu of a table; nothing where there is nobody to win against.
 * @param {GameView} view
 * @returns {MenuItem | false}
 */
export function buildWinBarSwitch({ seats }) {
  return (
    seats.length > 1 &&
    prefs.get("view") !== "children" && {
      label: t(isWinBarOn() ? "chances.hide" : "chances.show"),
      act: toggleWinBar,
      hook: "win-bar",
    }
  );
}

function toggleWinBar() {
  const reason = findMissing("solver");
  if (reason) showToast(reason);
  else prefs.set(nameSetting(), !prefs.get(nameSetting()));
}

/**
 * The switch beside it: best play, or the level everybody has shown.
 * @returns {MenuItem | false}
 */
export function buildLevelsSwitch() {
  return (
    isWinBarOn() && {
      label: t(prefs.get("win_levels") ? "chances.best_play" : "chances.levels"),
      act: () => prefs.set("win_levels", !prefs.get("win_levels")),
      hook: "win-levels",
    }
  );
}
