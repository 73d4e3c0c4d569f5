/* The heads of a score sheet: the players above their columns, and the names of the boxes before their lines. */

import { findAll, h, setAttribute, setChildren, setLetters, setText, splitName } from "./dom.js";
import { drawEmblem, inkOf } from "./inks.js";
import { showTooltip } from "./tooltip.js";
import { getBoxLanguage, t } from "./translations.js";

/**
 * The head of a player's column.
 * @param {number} place
 * @param {BoardHandlers} handlers
 */
export function buildHead(place, handlers) {
  /** @type {HTMLButtonElement} */
  const button = h("button", { class: "name", "aria-haspopup": "menu", onclick: () => handlers.player(button, place) });
  const name = h("span");
  button.append(drawEmblem(place), name);
  const helped = h("small", { class: "assisted" });
  const th = h(
    "th",
    { scope: "col", role: "columnheader", "data-seat": place, "data-ink": inkOf(place) },
    button,
    helped,
  );
  return { button, name, helped, th };
}

/**
 * Whose columns these are, above each half of a sheet whose halves lie side by side; the strip of players names them too.
 * @param {number} count
 */
export function buildColumnNames(count) {
  return h(
    "tr",
    { class: "column-names", "aria-hidden": "true" },
    h("th"),
    Array.from({ length: count }, (_, place) =>
      h("td", { "data-ink": inkOf(place) }, drawEmblem(place), h("span", { "data-column": place })),
    ),
  );
}

/**
 * @param {HTMLElement} sheet
 * @param {readonly { name: string }[]} seats
 */
export function drawColumnNames(sheet, seats) {
  for (const one of findAll(sheet, "[data-column]")) setText(one, seats[Number(one.dataset.column)].name);
}

/**
 * @param {Wire.BoxInfo} box
 * @param {(button: HTMLElement) => void} openMenuAt
 */
export function buildBoxName(box, openMenuAt) {
  /** @type {HTMLButtonElement} */
  const button = h(
    "button",
    { class: "name", "aria-haspopup": "menu", onclick: () => openMenuAt(button) },
    h("span", { lang: getBoxLanguage() }, box.name),
  );
  return button;
}

/**
 * The name of the bonus with what it takes; pressed, it says what the figures in its line mean.
 * @param {NonNullable<Wire.SheetGameMessage["bonus"]>} bonus
 */
export function buildBonusName(bonus) {
  /** @type {HTMLButtonElement} */
  const button = h(
    "button",
    {
      class: "name",
      type: "button",
      "data-act": "explain-bonus",
      onclick: () => showTooltip(button, t("table.bonus_means", { ...bonus })),
    },
    h("span", {}, bonus.name, " ", h("small", {}, t("table.bonus_line", { ...bonus }))),
  );
  return button;
}

/**
 * @param {ReturnType<typeof buildHead>} head
 * @param {SheetSeat} seat
 * @param {boolean} now
 * @param {boolean} shown
 */
export function drawHead({ th, button, name, helped }, seat, now, shown) {
  setText(name, seat.name);
  setLetters(th, splitName(seat.name));
  setText(helped, seat.assisted ? t("player.assisted") : "");
  th.classList.toggle("now", now);
  th.classList.toggle("left", seat.left);
  setAttribute(th, "aria-current", now ? "true" : null);
  setAttribute(button, "aria-label", now ? t("player.now", { name: seat.name }) : null);
  th.classList.toggle("shown", shown);
}

/**
 * Says whose column is shown, where there is room for one only.
 * @param {HTMLElement} owner
 * @param {string} name
 * @param {number} place
 */
export function drawOwner(owner, name, place) {
  const key = `${place} ${name}`;
  if (owner.dataset.shown === key) return;
  owner.dataset.shown = key;
  setChildren(owner, drawEmblem(place), h("b", {}, name));
}

/**
 * @param {HTMLElement} name
 * @param {Wire.BoxInfo} box
 * @param {TableModel<SheetKind>} model
 */
export function drawBoxName(name, box, { tray, mine, view }) {
  const announced = tray?.announced === box.box && (mine || !view.free);
  name.closest("tr")?.classList.toggle("announced", announced);
  setAttribute(name, "data-note", announced ? t("table.announced") : null);
  setAttribute(name, "aria-label", announced ? `${box.name}, ${t("table.announced")}` : null);
}
