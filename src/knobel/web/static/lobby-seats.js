/* The row of seats in the lobby. */

import { connection } from "./connection.js";
import { openMenu, showToast } from "./dialogs.js";
import { h } from "./dom.js";
import { drawSeat } from "./edition-art.js";
import { isBigScreen } from "./router.js";
import { t } from "./translations.js";

const MIN_SEATS_SHOWN = 4;

// Draws the seats; form is the seating form.
export class SeatRow {
  constructor(form) {
    this.form = form;
  }

  build(view) {
    return [view.seats.map((one, seat) => this.buildSeat(one, seat, view)), view.seats.length < MIN_SEATS_SHOWN && this.buildFreeSeat()];
  }

  buildSeat(one, seat, view) {
    const items = listActions(one, seat, view);
    const couldBeYou = one.offered && !isBigScreen() && !view.seats.some((other) => other.yours);
    const isHost = view.seats.findIndex((other) => other.host) === seat;
    const button = h("button", { class: ["chair", one.offered ? "offered" : one.yours && "yours", !one.present && "away"].filter(Boolean).join(" "), "data-chair": seat, disabled: !items.length,
      "aria-haspopup": items.length && !couldBeYou ? "menu" : null, onclick: () => (couldBeYou ? this.form.take(one.name) : openMenu(button, items, one.name)) },
      drawSeat(), h("span", { class: "plate" }, one.name), h("small", {}, listFacts(one, isHost, hasRealDice(view), couldBeYou).join(" · ") || "\u00a0"));
    return h("li", {}, button);
  }

  // A free seat; tapping it asks for a name.
  buildFreeSeat() {
    return h("li", {}, h("button", { class: "chair free", "data-act": "free-seat", onclick: () => this.form.focus() }, drawSeat(), h("small", {}, t("lobby.free"))));
  }
}

// Sends an intent to the room; shows a refusal.
export function sendIntent(intent) {
  return connection.sendIntent(intent).catch((refused) => showToast(refused.text));
}

// Whether this will be a score pad: then everybody has real dice.
export function hasRealDice({ free, seats }) {
  return free || seats.some((one) => one.real_dice);
}

// For whom a seat is reserved that nobody has taken yet.
export function listReserved({ seats }) {
  return seats.filter((one) => one.offered).map((one) => one.name);
}

// What you may do with a seat.
function listActions(one, seat, view) {
  const want = (intent) => () => sendIntent(intent);
  const manages = view.host && view.seats.length > 1;
  return [
    one.offered && !isBigScreen() && { label: t("lobby.plays_here"), hook: "take", act: want({ want: "take", seat }) },
    manages && { label: t("lobby.earlier"), off: seat === 0, hook: "earlier", act: want({ want: "swap", seat }) },
    manages && { label: t("lobby.later"), off: seat === view.seats.length - 1, hook: "later", act: want({ want: "swap", seat: seat + 1 }) },
    (view.host || one.yours) && !one.bot && { label: t(one.real_dice ? "lobby.use_ours" : "lobby.use_real"), hook: "real-dice", act: want({ want: "real_dice", seat, real: !one.real_dice }) },
    view.host && !one.bot && !one.yours && { label: t("lobby.hand_over"), hook: "hand-over", act: want({ want: "hand_over", seat }) },
    (view.host || one.yours) && { label: one.yours && !one.offered ? t("lobby.get_up") : t("lobby.remove"), hook: "get-up", act: want({ want: "get_up", seat }) },
  ].filter(Boolean);
}

function listFacts(one, isHost, showsDice, couldBeYou) {
  const who = one.bot ? t("lobby.bot") : one.offered ? t(couldBeYou ? "lobby.is_you" : "lobby.expected") : one.yours && t("lobby.you");
  return [who, showsDice && !one.bot && t(one.real_dice ? "lobby.real" : "lobby.ours"), isHost && t("lobby.host"), !one.present && t("lobby.away")].filter(Boolean);
}
