/* What can be done with a person: moved to another device, merged with another one, deleted. */

import { buildDialogHead, openModal } from "./dialogs.js";
import { h, setChildren, setText } from "./dom.js";
import { deletePerson, fetchPersonCode, mergePerson, redeemPersonCode } from "./people-api.js";
import { buildCancel } from "./person-form.js";
import { asRefusal } from "./required.js";
import { t } from "./translations.js";

/**
 * Shows a code, and a picture of it, with which another device has this person too.
 * @param {Person} person
 */
export async function showPersonCode({ id, name }) {
  const body = h("div", { class: "person-code", "aria-busy": "true" }, h("div", { class: "placeholder box" }));
  openModal(
    h(
      "dialog",
      { class: "paper ask", "aria-labelledby": "person-title" },
      buildDialogHead("person-title", t("people.move_title", { name })),
      body,
    ),
  );
  try {
    const { code, minutes, link, picture } = await fetchPersonCode(id);
    setChildren(
      body,
      h("p", { class: "recovery-code", "data-person-code": code }, code),
      picture && h("img", { class: "qr", src: picture, alt: t("people.move_qr"), width: 180, height: 180 }),
      h("p", {}, t("people.move_about", { n: minutes })),
      link && h("p", { class: "person-link", tabindex: "0" }, link),
      h("p", { class: "note" }, t("people.move_warning", { name })),
    );
  } catch (refused) {
    setChildren(body, h("p", { class: "wrong", role: "alert" }, asRefusal(refused).text ?? t("people.offline")));
  } finally {
    body.removeAttribute("aria-busy");
  }
}

/**
 * Asks for the code that another device shows.
 * @param {string} given
 * @param {(person: Person) => unknown} taken
 */
export function askPersonCode(given, taken) {
  const code = h("input", {
    id: "person-code",
    value: given,
    maxlength: 32,
    autocomplete: "off",
    autocapitalize: "characters",
    spellcheck: "false",
    "data-field": "person-code",
  });
  openActionDialog({
    title: t("people.redeem_title"),
    text: t("people.redeem_about"),
    fields: [h("label", { for: code.id }, t("people.code")), code],
    focus: code,
    label: t("people.redeem"),
    hook: "redeem",
    act: async () => taken(await redeemPersonCode(code.value.trim())),
  });
}

/**
 * Asks whose games these are too.
 * @param {Person} person
 * @param {Person[]} others
 * @param {(into: Person) => unknown} done
 */
export function askMerge({ id, name }, others, done) {
  const into = h(
    "select",
    { id: "merge-into", "data-field": "into" },
    others.map((other) => h("option", { value: other.id }, other.name)),
  );
  openActionDialog({
    title: t("people.merge_title", { name }),
    text: t("people.merge_about", { name }),
    fields: [h("label", { for: into.id }, t("people.merge_into")), into],
    focus: into,
    label: t("people.merge_yes"),
    hook: "merge-yes",
    act: async () => {
      await mergePerson(id, into.value);
      const stays = others.find((other) => other.id === into.value);
      if (stays) done(stays);
    },
  });
}

/**
 * Asks before a person is deleted with all data; the name has to be typed, so that nobody does it by accident.
 * @param {Person} person
 * @param {() => unknown} done
 */
export function askDeletion({ id, name, games }, done) {
  const typed = h("input", {
    id: "delete-name",
    autocomplete: "off",
    spellcheck: "false",
    "data-field": "delete-name",
  });
  openActionDialog({
    title: t("people.delete_title", { name }),
    text: t("people.delete_about", { n: games }),
    fields: [h("label", { for: typed.id }, t("people.delete_type", { name })), typed],
    focus: typed,
    label: t("people.delete_yes"),
    hook: "delete-yes",
    harmful: true,
    act: async () => {
      if (typed.value.trim() !== name) throw { text: t("people.delete_differs", { name }) };
      await deletePerson(id);
      done();
    },
  });
}

/**
 * Asks for something, does it, and says beside the field why it did not work.
 * @param {{ title: string, text: string, fields: Child[], focus: HTMLElement, label: string, hook: string, harmful?: boolean, act: () => Promise<unknown> }} question
 */
function openActionDialog({ title, text, fields, focus, label, hook, harmful = false, act }) {
  const wrong = h("p", { class: "wrong", role: "alert" });
  const button = h("button", { class: harmful ? "button danger" : "button act", "data-act": hook }, label);
  /** @type {(event: Event) => Promise<void>} */
  const send = async (event) => {
    event.preventDefault();
    button.disabled = true;
    setText(wrong, "");
    try {
      await act();
      dialog.close();
    } catch (refused) {
      setText(wrong, asRefusal(refused).text ?? t("people.offline"));
      focus.focus();
    } finally {
      button.disabled = false;
    }
  };
  const dialog = h(
    "dialog",
    { class: "paper ask", "aria-labelledby": "person-title" },
    h("h2", { id: "person-title" }, title),
    h("p", {}, text),
    h(
      "form",
      { class: "recovery-form", onsubmit: send },
      fields,
      wrong,
      h("div", { class: "answers" }, buildCancel(), button),
    ),
  );
  openModal(dialog);
  focus.focus();
}
