/* The settings of this browser; each works at once. */

import { h } from "./dom.js";
import { buildDialogHead, openModal } from "./dialogs.js";
import { connection } from "./connection.js";
import { prefs } from "./prefs.js";
import { t } from "./translations.js";

// Opens the settings.
export function openSettings() {
  const dialog = h("dialog", { class: "paper settings", "aria-labelledby": "settings-title" },
    buildDialogHead("settings-title", t("settings.title")),
    buildNameSetting(),
    buildRadioGroup("theme", ["auto", "light", "dark"]),
    buildRadioGroup("view", ["usual", "children"]),
    buildRadioGroup("faces", ["pips", "digits"]),
    buildRadioGroup("motion", ["full", "short", "off"]),
    buildRadioGroup("sound", [false, true]),
    buildRadioGroup("pace", [2, 1, 0.3], ["slow", "even", "quick"]),
    buildRadioGroup("ledger", [false, true]),
    buildLanguageChoice());
  openModal(dialog);
}

function buildNameSetting() {
  return h("label", { class: "setting" }, h("span", {}, t("settings.name")),
    h("input", { value: prefs.get("name"), maxlength: 40, autocomplete: "off", "data-field": "name",
      oninput: (event) => prefs.set("name", event.target.value.trim()) }));
}

function buildRadioGroup(what, values, names = values) {
  const now = prefs.get(what);
  return h("fieldset", { class: "setting", "data-setting": what }, h("legend", {}, t(`settings.${what}`)),
    h("div", { class: "picks" }, values.map((value, place) => h("label", { class: "pick" },
      h("input", { type: "radio", name: `set-${what}`, value: String(value), checked: value === now, onchange: () => prefs.set(what, value) }),
      h("span", {}, t(`settings.${what}.${names[place]}`))))));
}

// Draws the language menu, each language by its own name; a choice applies at once.
export function buildLanguageChoice() {
  const chosen = ({ target }) => {
    target.closest("dialog")?.close();
    prefs.set("lang", target.value);
  };
  return h("label", { class: "setting tongue" }, h("span", {}, t("settings.lang")),
    h("select", { "data-field": "lang", onchange: chosen }, (connection.serverInfo?.languages ?? []).map(({ lang, name }) =>
      h("option", { value: lang, lang, selected: lang === document.documentElement.lang }, name))));
}
