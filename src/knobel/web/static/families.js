/* Families of games: the one table of what differs between them. No other module asks for a game's family. */

import { t } from "./translations.js";

/* What every family has:
   - freeTurns: whether everybody may play at their own pace
   - describeFacts(card): what an edition is played with, for its card
   - help: {lastStep, undo, keys}: keys of sentences, and [key, sentence] for the keyboard
   - load(): fetches the module whose `family` says how a table of it looks; see sheet-family.js for its parts */
const families = new Map([
  ["sheet", {
    freeTurns: true,
    describeFacts: (card) => t("home.boxes", { n: card.boxes }),
    help: { lastStep: "help.choose", undo: "help.undo", keys: [["← → ↑ ↓", "help.key.move"], ["Enter", "help.key.choose"], ["x", "help.key.cross_out"]] },
    load: () => import("./sheet-family.js"),
  }],
  ["rounds", {
    freeTurns: false,
    describeFacts: (card) => t("home.dice", { n: card.dice }),
    help: { lastStep: "help.rounds.stand", undo: "help.rounds.undo", keys: [["s", "help.key.stand"], ["+", "help.key.over"], ["−", "help.key.under"]] },
    load: () => import("./rounds-family.js"),
  }],
]);
const loaded = new Map();

// Adds a family to the table.
export function registerFamily(name, entry) {
  families.set(name, entry);
}

// What is known of a family without its table; without a name, of the usual one.
export function getFamily(name = "sheet") {
  return families.get(name);
}

// How a table of a family looks; null until loadFamily has fetched it.
export function getTableFamily(name) {
  return loaded.get(name) ?? null;
}

// Fetches how a table of a family looks.
export async function loadFamily(name) {
  if (!loaded.has(name)) loaded.set(name, { name, ...(await families.get(name).load()).family });
  return loaded.get(name);
}

// Fetches all families before they are needed.
export function preloadFamilies() {
  return Promise.all([...families.keys()].map(loadFamily));
}
