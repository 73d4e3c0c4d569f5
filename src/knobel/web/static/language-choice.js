/* The menu of languages. */

import { connection } from "./connection.js";
import { h } from "./dom.js";
import { prefs } from "./prefs.js";
import { t } from "./translations.js";

// Draws the language menu, each language by its own name; a choice applies at once.
export function buildLanguageChoice() {
  /** @type {(event: { target: HTMLSelectElement }) => void} */
  const chosen = ({ target }) => {
    target.closest("dialog")?.close();
    prefs.set("lang", target.value);
  };
  return h(
    "label",
    { class: "setting language" },
    h("span", {}, t("settings.lang")),
    h(
      "select",
      { "data-field": "lang", onchange: chosen },
      (connection.serverInfo?.languages ?? []).map(({ lang, name }) =>
        h("option", { value: lang, lang, selected: lang === document.documentElement.lang }, name),
      ),
    ),
  );
}
