/* Help: how a turn works, the keys, and the rules of the edition. */

import { fetchRules } from "./api.js";
import { connection } from "./connection.js";
import { buildDialogHead, openModal } from "./dialogs.js";
import { h, setChildren, setText } from "./dom.js";
import { getFamily } from "./families.js";
import { getLanguage, hasText, t } from "./translations.js";

// Opens the help: how a turn works, and the keys, of the game that is played here.
export function openHelp() {
  const { help } = getFamily(connection.gameInfo?.family);
  openModal(
    h(
      "dialog",
      { class: "paper help", "aria-labelledby": "help-title" },
      buildDialogHead("help-title", t("help.title")),
      h(
        "ol",
        { class: "turn" },
        ["help.roll", "help.keep", "help.again", help.lastStep].map((step) => h("li", {}, t(step))),
      ),
      h("p", {}, t(help.undo)),
      h("h3", {}, t("help.keys")),
      h(
        "dl",
        { class: "keys" },
        listKeys(connection.gameInfo, help).map(([key, text]) => [
          h("dt", {}, h("kbd", {}, keyLabel(key))),
          h("dd", {}, t(text)),
        ]),
      ),
      h("p", { class: "note" }, t("help.fair")),
    ),
  );
}

/**
 * Opens the rules of an edition; without one, those of the room we are in.
 * @param {string} [edition]
 * @param {string} [text]
 * @param {Record<string, string>} [switches]
 */
export async function openRules(edition, text, switches) {
  const chosen = edition ? { edition, text, switches } : connection.room;
  if (!chosen) return;
  const body = h("div", { class: "chapters", "aria-busy": "true" });
  const title = h("span", {}, t("rules.title"));
  openModal(
    h(
      "dialog",
      { class: "paper rules", "aria-labelledby": "rules-title" },
      buildDialogHead("rules-title", title),
      body,
    ),
  );
  try {
    const found = await fetchRules(chosen, getLanguage());
    setText(title, found.title);
    setChildren(body, found.chapters.map(buildChapter));
  } catch {
    setChildren(body, h("p", { class: "note" }, t("rules.none")));
  }
  body.removeAttribute("aria-busy");
}

/**
 * @param {GameInfo | null} gameInfo
 * @param {FamilyEntry["help"]} help
 * @returns {[string, string][]}
 */
function listKeys(gameInfo, { keys }) {
  /** @type {[string, string][]} */
  const real = connection.position?.view.seats.some((seat) => seat.yours && seat.real_dice)
    ? [
        [`1 – ${gameInfo?.faces ?? 6}`, "help.key.enter"],
        ["Backspace", "help.key.erase"],
      ]
    : [];
  return [
    ...real,
    [`1 – ${gameInfo?.dice ?? 5}`, "help.key.keep"],
    ["Space", "help.key.roll"],
    ...keys,
    ["u", "help.key.undo"],
    ["g", "help.key.go_on"],
    ["h", "help.key.hint"],
    ["?", "help.key.help"],
  ];
}

/**
 * What is printed on a key: words as the language has them, signs as they are.
 * @param {string} key
 */
function keyLabel(key) {
  const cap = `help.cap.${key.toLowerCase()}`;
  return hasText(cap) ? t(cap) : key;
}

/**
 * @param {RulesChapter} chapter
 * @param {number} place
 */
export function buildChapter({ title, rules }, place) {
  return h(
    "details",
    { open: place < 2 },
    h("summary", {}, title),
    h(
      "ul",
      {},
      rules.map(({ rule, source }) => h("li", {}, rule, source && h("small", {}, source))),
    ),
  );
}
