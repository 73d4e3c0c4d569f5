/* The settings of this browser; each works at once. */

import { h } from "./dom.js";
import { modal } from "./ask.js";
import { house } from "./house.js";
import { prefs } from "./prefs.js";
import { t } from "./words.js";

// Opens the settings.
export function openSettings() {
  const dialog = h("dialog", { class: "paper settings", "aria-labelledby": "settings-title" },
    heading("settings-title", t("settings.title")),
    name(),
    pick("theme", ["auto", "light", "dark"]),
    pick("view", ["usual", "children"]),
    pick("faces", ["pips", "digits"]),
    pick("motion", ["full", "short", "off"]),
    pick("sound", [false, true]),
    pick("pace", [2, 1, 0.3], ["slow", "even", "quick"]),
    pick("ledger", [false, true]),
    tongue());
  modal(dialog);
}

// Draws the head of a dialog: its title, and the way out.
export function heading(id, title) {
  return h("div", { class: "dialog-head" }, h("h2", { id }, title),
    h("button", { class: "quiet", autofocus: true, "data-act": "close", onclick: (event) => event.target.closest("dialog").close() }, t("settings.close")));
}

function name() {
  return h("label", { class: "setting" }, h("span", {}, t("settings.name")),
    h("input", { value: prefs.get("name"), maxlength: 40, autocomplete: "off", "data-field": "name",
      oninput: (event) => prefs.set("name", event.target.value.trim()) }));
}

function pick(what, values, names = values) {
  const now = prefs.get(what);
  return h("fieldset", { class: "setting", "data-setting": what }, h("legend", {}, t(`settings.${what}`)),
    h("div", { class: "picks" }, values.map((value, place) => h("label", { class: "pick" },
      h("input", { type: "radio", name: `set-${what}`, value: String(value), checked: value === now, onchange: () => prefs.set(what, value) }),
      h("span", {}, t(`settings.${what}.${names[place]}`))))));
}

// Draws the choice of a language, each by its own name; it is spoken at once.
export function tongue() {
  const chosen = ({ target }) => {
    target.closest("dialog")?.close();
    prefs.set("lang", target.value);
  };
  return h("label", { class: "setting tongue" }, h("span", {}, t("settings.lang")),
    h("select", { "data-field": "lang", onchange: chosen }, (house.hello?.languages ?? []).map(({ lang, name }) =>
      h("option", { value: lang, lang, selected: lang === document.documentElement.lang }, name))));
}
