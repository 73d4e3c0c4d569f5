/* Families of games: the one table of what differs between them. No other module asks for a game's family. */

import { required } from "./required.js";
import { t } from "./translations.js";

/* What every family has:
   - freeTurns: whether everybody may play at their own pace
   - hasPoints: whether a game ends with points for everybody, of which more are better
   - section: the heading it stands under on the home page, apart from the usual games; null for these
   - describeFacts(card): what an edition is played with, for its card
   - help: {lastStep, undo, keys}: keys of sentences, and [key, sentence] for the keyboard
   - load(): fetches the module whose `family` says how a table of it looks; see sheet-family.js for its parts */
/** @type {Map<string, FamilyEntry>} */
const families = new Map([
  [
    "sheet",
    {
      freeTurns: true,
      hasPoints: true,
      section: null,
      describeFacts: (card) => t("home.boxes", { n: card.boxes }),
      help: {
        lastStep: "help.choose",
        undo: "help.undo",
        keys: [
          ["← → ↑ ↓", "help.key.move"],
          ["Enter", "help.key.choose"],
          ["x", "help.key.cross_out"],
        ],
      },
      load: () => import("./sheet-family.js"),
    },
  ],
  [
    "rounds",
    {
      freeTurns: false,
      hasPoints: false,
      section: "home.apart.rounds",
      describeFacts: (card) => t("home.dice", { n: card.dice }),
      help: {
        lastStep: "help.rounds.stand",
        undo: "help.rounds.undo",
        keys: [
          ["s", "help.key.stand"],
          ["+", "help.key.over"],
          ["−", "help.key.under"],
        ],
      },
      load: () => import("./rounds-family.js"),
    },
  ],
]);
/** @type {Map<string, TableFamily>} */
const loaded = new Map();

/**
 * Adds a family to the table.
 * @param {string} name
 * @param {FamilyEntry} entry
 */
export function registerFamily(name, entry) {
  families.set(name, entry);
}

/**
 * What is known of a family without its table; without a name, of the usual one.
 * @param {string} [name]
 * @returns {FamilyEntry}
 */
export function getFamily(name = "sheet") {
  return required(families.get(name), name);
}

/**
 * How a table of a family looks; null until loadFamily has fetched it.
 * @param {string} name
 * @returns {TableFamily | null}
 */
export function getTableFamily(name) {
  return loaded.get(name) ?? null;
}

/**
 * Fetches how a table of a family looks.
 * @param {string} name
 * @returns {Promise<TableFamily>}
 */
export async function loadFamily(name) {
  const known = loaded.get(name);
  if (known) return known;
  const family = { name, ...(await getFamily(name).load()).family };
  loaded.set(name, family);
  return family;
}

// Fetches all families before they are needed.
export function preloadFamilies() {
  return Promise.all([...families.keys()].map(loadFamily));
}
