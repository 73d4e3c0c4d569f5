/* What is fetched when it is opened: dialogs, and the ways to play an edition. */

import { loadParts } from "./translations.js";

export async function openSettings() {
  const [settings] = await Promise.all([import("./settings.js"), loadParts("settings")]);
  settings.openSettings();
}

export async function openHelp() {
  const [help] = await Promise.all([import("./help.js"), loadParts("help")]);
  help.openHelp();
}

/** @type {typeof import("./help.js").openRules} */
export async function openRules(...chosen) {
  const [help] = await Promise.all([import("./help.js"), loadParts("help")]);
  return help.openRules(...chosen);
}

export async function loadPlayModes() {
  const { PlayModes } = await import("./play-modes.js");
  return PlayModes;
}

// Fetches them before they are needed, so that they open without the server too.
export function preloadDialogs() {
  return Promise.all([
    import("./settings.js"),
    import("./help.js"),
    import("./bot-picker.js"),
    import("./play-modes.js"),
    loadParts("settings", "help"),
  ]);
}
