/* The settings of this browser; each works at once. */

import { buildDialogHead, openModal, showToast } from "./dialogs.js";
import { find, h } from "./dom.js";
import { findMissing } from "./extras.js";
import { buildLanguageChoice } from "./language-choice.js";
import { limitName } from "./name-limit.js";
import { prefs } from "./prefs.js";
import { allowShaking, canShake } from "./shake.js";
import { t } from "./translations.js";

// Opens the settings.
export function openSettings() {
  const dialog = h(
    "dialog",
    { class: "paper settings", "aria-labelledby": "settings-title" },
    buildDialogHead("settings-title", t("settings.title")),
    buildNameSetting(),
    buildRadioGroup("theme", ["auto", "light", "dark"]),
    buildRadioGroup("view", ["usual", "children"]),
    buildRadioGroup("faces", ["pips", "digits"]),
    buildRadioGroup("motion", ["full", "short", "off"]),
    buildRadioGroup("sound", [false, true]),
    buildRadioGroup("pace", [2, 1, 0.3], ["slow", "even", "quick"]),
    buildRadioGroup("fill_last", [false, true]),
    canShake() && buildRadioGroup("shake", [false, true], undefined, allowShaking),
    buildRadioGroup("ledger", [false, true], undefined, allowCoach),
    buildLanguageChoice(),
    buildRecoverySetting(),
  );
  openModal(dialog);
}

// Whether the coach can be asked here; where not, says why.
async function allowCoach() {
  const reason = findMissing("solver");
  if (reason) showToast(reason);
  return !reason;
}

function buildRecoverySetting() {
  /** @type {(act: "showRecoveryCode" | "askRecoveryCode") => (event: { target: HTMLElement }) => Promise<void>} */
  const open = (act) => async (event) => {
    event.target.closest("dialog")?.close();
    (await import("./recovery.js"))[act]();
  };
  return h(
    "fieldset",
    { class: "setting", "data-setting": "recovery" },
    h("legend", {}, t("settings.recovery")),
    h(
      "div",
      { class: "recovery-buttons" },
      h(
        "button",
        { class: "button", "data-act": "show-code", onclick: open("showRecoveryCode") },
        t("settings.recovery.show"),
      ),
      h(
        "button",
        { class: "button", "data-act": "enter-code", onclick: open("askRecoveryCode") },
        t("settings.recovery.enter"),
      ),
    ),
  );
}

function buildNameSetting() {
  return h(
    "label",
    { class: "setting" },
    h("span", {}, t("settings.name")),
    h("input", {
      value: prefs.get("name"),
      autocomplete: "off",
      "data-field": "name",
      oninput: (event) => {
        if (event.isComposing) return;
        const why = limitName(event.target);
        if (why) showToast(why);
        prefs.set("name", event.target.value.trim());
      },
    }),
  );
}

/**
 * Draws a choice; allow, if given, is asked first, and where it says no the first value stays.
 * @template {keyof Preferences} K
 * @param {K} what
 * @param {Preferences[K][]} values
 * @param {unknown[]} [names]
 * @param {() => Promise<boolean>} [allow]
 */
function buildRadioGroup(what, values, names = values, allow = undefined) {
  const now = prefs.get(what);
  /** @type {(value: Preferences[K], group: HTMLElement | null) => Promise<void>} */
  const choose = async (value, group) => {
    const allowed = value === values[0] || !allow || (await allow());
    prefs.set(what, allowed ? value : values[0]);
    if (!allowed && group) find(group, "input")?.click();
  };
  return h(
    "fieldset",
    { class: "setting", "data-setting": what },
    h("legend", {}, t(`settings.${what}`)),
    h(
      "div",
      { class: "picks" },
      values.map((value, place) =>
        h(
          "label",
          { class: "pick" },
          h("input", {
            type: "radio",
            name: `set-${what}`,
            value: String(value),
            checked: value === now,
            onchange: (event) => choose(value, event.target.closest("fieldset")),
          }),
          h("span", {}, t(`settings.${what}.${names[place]}`)),
        ),
      ),
    ),
  );
}
