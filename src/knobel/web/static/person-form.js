/* The form of a person: a name, a colour and an emblem. */

import { openModal } from "./dialogs.js";
import { h, setChildren, setText } from "./dom.js";
import { drawLook, INKS } from "./known-people.js";
import { limitName } from "./name-limit.js";
import { asRefusal } from "./required.js";
import { t } from "./translations.js";

const COLOURS = ["blue", "rust", "green", "purple", "ochre", "teal", "crimson", "grey"];
const EMBLEMS = ["circle", "square", "triangle", "diamond", "star", "cross", "hexagon", "wedge"];

/**
 * Names a colour and an emblem, for those who cannot see them.
 * @param {Look} look
 */
export function describeLook({ colour, emblem }) {
  return t("people.look", {
    colour: t(`people.colour.${COLOURS[colour % INKS]}`),
    emblem: t(`people.emblem.${EMBLEMS[emblem % INKS]}`),
  });
}

/**
 * Asks for a name, a colour and an emblem; save gets them, and what it refuses is said beside the name.
 * @param {{ title: string, start: PersonDraft, save: (draft: PersonDraft) => Promise<unknown> }} wanted
 */
export function openPersonForm({ title, start, save }) {
  const draft = { ...start };
  const preview = h("p", { class: "person-preview", "aria-hidden": "true" });
  const wrong = h("p", { class: "wrong", role: "alert", id: "wrong-person" });
  /** @type {HTMLInputElement} */
  const name = h("input", {
    id: "person-name",
    value: draft.name,
    autocomplete: "off",
    autocapitalize: "words",
    autofocus: true,
    "aria-describedby": wrong.id,
    "data-field": "person-name",
    oninput: (event) => {
      if (!event.isComposing) setText(wrong, limitName(name));
      draft.name = name.value;
      show();
    },
  });
  const show = () => setChildren(preview, drawLook(draft), draft.name.trim());
  /** @type {(event: Event) => Promise<void>} */
  const send = async (event) => {
    event.preventDefault();
    draft.name = name.value.trim();
    if (!draft.name) {
      setText(wrong, t("people.name_missing"));
      return name.focus();
    }
    button.disabled = true;
    try {
      await save(draft);
      dialog.close();
    } catch (refused) {
      setText(wrong, asRefusal(refused).text ?? t("people.offline"));
      name.select();
    } finally {
      button.disabled = false;
    }
  };
  const button = h("button", { class: "button act", "data-act": "save-person" }, t("people.save"));
  /** @type {(part: "colour" | "emblem", names: string[]) => HTMLElement} */
  const choice = (part, names) =>
    buildLookChoice(part, names, draft, (value) => {
      draft[part] = value;
      show();
    });
  show();
  const dialog = h(
    "dialog",
    { class: "paper ask person-form", "aria-labelledby": "person-title" },
    h("h2", { id: "person-title" }, title),
    h(
      "form",
      { onsubmit: send, novalidate: true },
      preview,
      h("label", { for: name.id }, t("people.name")),
      name,
      wrong,
      choice("colour", COLOURS),
      choice("emblem", EMBLEMS),
      h("div", { class: "answers" }, buildCancel(), button),
    ),
  );
  openModal(dialog);
  name.focus();
}

// The way out of a form without doing anything.
export function buildCancel() {
  return h(
    "button",
    {
      class: "button",
      type: "button",
      "data-act": "close",
      onclick: (event) => event.target.closest("dialog")?.close(),
    },
    t("people.cancel"),
  );
}

/**
 * @param {"colour" | "emblem"} part
 * @param {string[]} names
 * @param {PersonDraft} draft
 * @param {(value: number) => void} picked
 */
function buildLookChoice(part, names, draft, picked) {
  /** @type {(value: number) => Look} */
  const look = (value) => (part === "colour" ? { colour: value, emblem: 0 } : { colour: 7, emblem: value });
  return h(
    "fieldset",
    { class: "look-choice" },
    h("legend", {}, t(`people.${part}`)),
    h(
      "div",
      { class: "picks" },
      names.map((name, value) =>
        h(
          "label",
          { class: "pick", "data-pick": `${part}-${value}` },
          h("input", {
            type: "radio",
            name: `person-${part}`,
            value: String(value),
            checked: draft[part] === value,
            onchange: () => picked(value),
          }),
          h("span", {}, drawLook(look(value)), t(`people.${part}.${name}`)),
        ),
      ),
    ),
  );
}
