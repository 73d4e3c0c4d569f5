/* Asks for another name for a player; the seat stays theirs, also during a game. */

import { connection } from "./connection.js";
import { openModal, showToast } from "./dialogs.js";
import { h, setText } from "./dom.js";
import { limitName } from "./name-limit.js";
import { isSameName } from "./player-list.js";
import { prefs } from "./prefs.js";
import { t } from "./translations.js";

/**
 * @param {number} seat
 * @param {string} before
 */
export async function renameSeat(seat, before) {
  const name = await askName(
    before,
    (connection.room?.seats ?? []).map((one) => one.name),
  );
  if (!name || name === before) return;
  try {
    await connection.sendIntent({ want: "rename", seat, name });
    if (prefs.get("name") === before) prefs.set("name", name);
  } catch (refused) {
    showToast(/** @type {Refusal} */ (refused).text ?? "");
  }
}

/**
 * Asks for a name that nobody else has; null where it was not given.
 * @param {string} before
 * @param {string[]} names Everybody's.
 * @returns {Promise<string | null>}
 */
export function askName(before, names) {
  const others = names.filter((one) => one !== before);
  return new Promise((answer) => {
    const note = h("p", { class: "wrong-name", id: "ask-note", role: "status" });
    const field = h("input", {
      class: "text-field",
      value: before,
      autocomplete: "off",
      autofocus: true,
      "data-field": "text",
      "aria-labelledby": "ask-title",
      "aria-describedby": note.id,
      oninput: (event) => !event.isComposing && setText(note, limitName(event.target)),
    });
    /** @type {HTMLDialogElement} */
    const dialog = h(
      "dialog",
      { class: "paper ask", "aria-labelledby": "ask-title" },
      h("h2", { id: "ask-title" }, t("lobby.rename_title", { name: before })),
      h(
        "form",
        {
          method: "dialog",
          onsubmit: (event) => {
            const taken = others.find((one) => isSameName(one, field.value.trim()));
            if (!taken) return;
            event.preventDefault();
            setText(note, t("family.taken", { name: taken }));
            field.select();
          },
        },
        h("p", {}, field),
        note,
        h(
          "div",
          { class: "answers" },
          h(
            "button",
            { class: "button", type: "button", "data-act": "no", onclick: () => dialog.close() },
            t("ask.no"),
          ),
          h("button", { class: "button act", value: "yes", "data-act": "yes" }, t("lobby.rename_yes")),
        ),
      ),
    );
    openModal(dialog, () => answer(dialog.returnValue === "yes" && field.value.trim() ? field.value.trim() : null));
    field.select();
  });
}
