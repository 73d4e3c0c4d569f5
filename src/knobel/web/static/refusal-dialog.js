/* Shows that the server refused an entry, why, and which later entries were removed with it. */

import { openModal, showToast } from "./dialogs.js";
import { h } from "./dom.js";
import { describePoints } from "./points-picker.js";
import { t } from "./translations.js";

/**
 * Shows a refusal; describeBox(box) names a box, seats are those of the table.
 * @param {QueuedItem} item
 * @param {Refusal} refusal
 * @param {QueuedItem[]} dropped
 * @param {{ seats: Seat[], describeBox: (box: string) => string | null | undefined }} table
 */
export function showRefusal(item, { text = t("table.finished") }, dropped, { seats, describeBox }) {
  /** @type {(item: QueuedItem) => string} */
  const describe = ({ intent, box, shown }) =>
    [seats[intent.seat]?.name, box && describeBox(box), shown && shown !== "?" && describePoints(shown)]
      .filter(Boolean)
      .join(", ");
  const entries = dropped.filter((one) => one.box);
  if (item.intent.want === "undo" || (!item.box && !entries.length)) return showToast(text);
  openModal(
    h(
      "dialog",
      { class: "paper ask", role: "alertdialog", "aria-labelledby": "refused-title" },
      h("h2", { id: "refused-title" }, t("pad.refused", { what: describe(item) })),
      h("p", {}, text),
      entries.length > 0 && h("p", {}, t("pad.fallen")),
      entries.length > 0 &&
        h(
          "ul",
          { class: "undone-list" },
          entries.map((one) => h("li", {}, describe(one))),
        ),
      h(
        "form",
        { method: "dialog", class: "answers" },
        h("button", { class: "button act", "data-act": "ok", autofocus: true }, t("pad.ok")),
      ),
    ),
  );
}
