/* Moving the seats of a browser to another one by a code, and what to do where a browser lost its secret. */

import { enterRecoveryCode, fetchRecoveryCode, startAsNewDevice } from "./api.js";
import { buildDialogHead, openModal, showToast } from "./dialogs.js";
import { h, setText } from "./dom.js";
import { rememberPeople } from "./known-people.js";
import { fetchPeople } from "./people-api.js";
import { asRefusal } from "./required.js";
import { getLanguage, loadParts, t } from "./translations.js";

let isAsking = false;

// Shows a code with which another browser gets the seats of this one.
export async function showRecoveryCode() {
  try {
    const [{ code, minutes }] = await Promise.all([fetchRecoveryCode(getLanguage()), loadParts("recovery")]);
    openModal(
      h(
        "dialog",
        { class: "paper ask", "aria-labelledby": "recovery-title" },
        buildDialogHead("recovery-title", t("recovery.title")),
        h("p", { class: "recovery-code", "data-recovery-code": code }, code),
        h("p", {}, t("recovery.about", { n: minutes })),
        h("p", { class: "note" }, t("recovery.warning")),
      ),
    );
  } catch (refused) {
    showToast(asRefusal(refused).text ?? "");
  }
}

// Asks for the code another browser shows.
export async function askRecoveryCode() {
  await loadParts("recovery");
  openModal(
    h(
      "dialog",
      { class: "paper ask", "aria-labelledby": "recovery-title" },
      buildDialogHead("recovery-title", t("recovery.enter")),
      h("p", {}, t("recovery.enter_about")),
      buildCodeForm(),
    ),
  );
}

/**
 * Says that this browser cannot prove whose seats it has, and offers both ways on; the page then begins anew.
 * @param {string} text
 */
export async function askAfterLostSecret(text) {
  if (isAsking) return;
  isAsking = true;
  await loadParts("recovery");
  openModal(
    h(
      "dialog",
      { class: "paper ask", role: "alertdialog", "aria-labelledby": "recovery-title" },
      h("h2", { id: "recovery-title" }, t("recovery.lost")),
      h("p", {}, text),
      buildCodeForm(),
      h("p", {}, t("recovery.new_about")),
      h(
        "div",
        { class: "answers" },
        h("button", { class: "button", "data-act": "new-device", onclick: () => startAnew() }, t("recovery.new")),
      ),
    ),
    () => {
      isAsking = false;
      if (location.pathname.startsWith("/room/")) location.assign("/");
    },
  );
}

async function startAnew() {
  try {
    await startAsNewDevice(getLanguage());
    location.reload();
  } catch (refused) {
    showToast(asRefusal(refused).text ?? "");
  }
}

function buildCodeForm() {
  const wrong = h("p", { class: "wrong", role: "alert" });
  const code = h("input", {
    id: "recovery-code",
    maxlength: 16,
    autocomplete: "off",
    autocapitalize: "characters",
    spellcheck: "false",
    "data-field": "recovery-code",
  });
  /** @type {(event: Event) => Promise<void>} */
  const send = async (event) => {
    event.preventDefault();
    if (!code.value.trim()) return code.focus();
    try {
      await enterRecoveryCode(code.value, getLanguage());
      rememberPeople(await fetchPeople().catch(() => []));
      location.reload();
    } catch (refused) {
      setText(wrong, asRefusal(refused).text ?? "");
      code.select();
    }
  };
  return h(
    "form",
    { class: "recovery-form", onsubmit: send },
    h("label", { for: "recovery-code" }, t("recovery.field")),
    code,
    h("button", { class: "button act", "data-act": "recover" }, t("recovery.use")),
    wrong,
  );
}
