/* The form in the lobby to seat the players of this device, and bots. */

import { connection } from "./connection.js";
import { h } from "./dom.js";
import { hasRealDice, listReserved, sendIntent } from "./lobby-seats.js";
import { buildBotAdder, buildNameField, isSameName, listOtherNames } from "./player-list.js";
import { prefs } from "./prefs.js";
import { t } from "./translations.js";

// The form; element is the part of the page it fills.
export class SeatingForm {
  constructor(element) {
    this.element = element;
  }

  // What the form depends on.
  key(view) {
    return [listOtherNames(view.seats.map((one) => one.name)), view.host, view.family, view.seats.some((one) => one.yours), this.isSeated(view), listReserved(view)];
  }

  // Whether a named player sits on this device.
  isSeated({ seats }) {
    const yours = seats.filter((one) => one.yours);
    return yours.length > 0 && !yours.some(isNameless);
  }

  build(view) {
    const names = view.seats.map((one) => one.name);
    const isEmpty = !view.seats.some((one) => one.yours);
    const seated = this.isSeated(view);
    const field = buildNameField(names, (name, input) => this.sit(name, input), seated ? t("lobby.add") : t("lobby.sit"), "sit");
    if (isEmpty) field.querySelector("input").defaultValue = names.includes(prefs.get("name")) ? "" : prefs.get("name");
    const reserved = isEmpty ? listReserved(view).map((name) => h("button", { class: "button", type: "button", "data-take": name, onclick: () => this.take(name) }, t("lobby.i_am", { name }))) : [];
    return [
      h("h2", {}, seated ? t("lobby.more") : t("lobby.take_seat")), reserved.length > 0 && h("div", { class: "chips laid" }, reserved), field,
      view.host && buildBotAdder(view.family, ({ bot, name }) => sendIntent({ want: "sit_bot", bot, name })),
    ];
  }

  // Seats a player on this device: on their reserved seat, or on a new one.
  async sit(name, input) {
    if (!prefs.get("name")) prefs.set("name", name);
    if (input) input.value = "";
    const { room } = connection;
    const nameless = room.seats.findIndex(isNameless);
    const reserved = room.seats.findIndex((one) => one.offered && isSameName(one.name, name));
    await sendIntent(reserved < 0 ? { want: "sit", name, real_dice: hasRealDice(room) } : { want: "take", seat: reserved });
    if (nameless >= 0) await sendIntent({ want: "get_up", seat: nameless });
  }

  // Takes the seat that was reserved for the user of this device.
  take(name) {
    return this.sit(name, this.field);
  }

  // Sends a name that was typed and not sent.
  async submitTyped() {
    const { field } = this;
    const typed = field.value === field.defaultValue ? "" : field.value.trim();
    if (typed) await this.sit(typed, field);
  }

  focus() {
    this.field.focus();
  }

  get field() {
    return this.element.querySelector("[data-field=name]");
  }
}

// A player seated before we knew their name is called "You", which other players should not see for long.
function isNameless(one) {
  return one.yours && one.name === t("home.you");
}
