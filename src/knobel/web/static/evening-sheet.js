/* All games of an evening on one sheet, as on a printed pad with numbered columns. */

import { fetchEveningSheet, sheetQuery } from "./api.js";
import { connection } from "./connection.js";
import { buildDialogHead, openModal, showToast } from "./dialogs.js";
import { h, setChildren } from "./dom.js";
import { buildUnavailable, findMissing } from "./extras.js";
import { buildSelect } from "./game-setup.js";
import { asRefusal, required } from "./required.js";
import { getLanguage, t } from "./translations.js";

/**
 * Opens the sheet of whoever sits here, else of the first seat; another player can be chosen.
 * @param {string} room
 */
export async function openEveningSheet(room) {
  const { seats } = required(connection.room, "room");
  const names = seats.map((one) => one.name);
  const own = seats.find((one) => one.yours && !one.bot)?.name ?? names[0];
  const body = h("div", { class: "evening-sheet" });
  /** @param {string} player */
  const show = async (player) => {
    try {
      const sheet = await fetchEveningSheet(room, player, getLanguage());
      setChildren(body, buildSheet(sheet), buildPrintLink(room, player));
    } catch (refused) {
      showToast(asRefusal(refused).text ?? "");
    }
  };
  await show(own);
  if (!body.hasChildNodes()) return;
  openModal(
    h(
      "dialog",
      { class: "paper evening-dialog", "aria-labelledby": "evening-sheet-title" },
      buildDialogHead("evening-sheet-title", t("evening.sheet")),
      names.length > 1 &&
        buildSelect(
          t("player.player"),
          names.map((name) => /** @type {[string, string]} */ ([name, name])),
          own,
          show,
          "evening-player",
        ),
      body,
    ),
  );
}

/**
 * The sheet as a table: a column for each game.
 * @param {EveningSheet} sheet
 */
function buildSheet({ title, owner, names, lines, notes }) {
  return [
    h(
      "div",
      { class: "evening-scroll", tabindex: "0", role: "region", "aria-label": t("evening.sheet") },
      h(
        "table",
        {},
        h("caption", {}, [title, owner].filter(Boolean).join(" · ")),
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("th", { scope: "col" }, h("span", { class: "unseen" }, t("evening.box"))),
            names.map((name, game) => h("th", { scope: "col" }, name || String(game + 1))),
          ),
        ),
        h(
          "tbody",
          {},
          lines.map(({ kind, name, lang, entries }) =>
            h(
              "tr",
              { class: kind },
              h("th", { scope: "row", lang: lang || null }, name),
              entries.map((entry) => h("td", {}, entry)),
            ),
          ),
        ),
      ),
    ),
    notes.map((note) => h("p", { class: "note" }, note)),
  ];
}

/**
 * @param {string} room
 * @param {string} player
 */
function buildPrintLink(room, player) {
  const missing = findMissing("paper");
  if (missing) return buildUnavailable("button", "print-evening", t("end.print"), missing);
  const href = `/rooms/${encodeURIComponent(room)}/sheet.pdf?${sheetQuery(player, getLanguage())}`;
  return h("a", { class: "button", "data-act": "print-evening", href, download: "" }, t("end.print"));
}
