/* Dialogs that are fetched when they are opened. */

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

// Fetches them before they are needed, so that they open without the server too.
export function preloadDialogs() {
  return Promise.all([
    import("./settings.js"),
    import("./help.js"),
    import("./bot-picker.js"),
    loadParts("settings", "help"),
  ]);
}
