/* The form in the lobby to seat the players of this device, and bots. */

import { connection } from "./connection.js";
import { h } from "./dom.js";
import { hasRealDice, leads, listReserved, sendIntent, takesSavedSeats } from "./lobby-seats.js";
import { buildBotAdder, buildNameField, isSameName, listOtherNames } from "./player-list.js";
import { prefs } from "./prefs.js";
import { required } from "./required.js";
import { t } from "./translations.js";

// The form; element is the part of the page it fills.
export class SeatingForm {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
  }

  /**
   * What the form depends on.
   * @param {Wire.RoomView} view
   */
  key(view) {
    return [
      listOtherNames(view.seats.map((one) => one.name)),
      leads(view),
      view.family,
      view.seats.some((one) => one.yours),
      this.isSeated(view),
      listReserved(view),
      takesSavedSeats(view),
      view.duplicate,
    ];
  }

  /**
   * Whether a named player sits on this device.
   * @param {Wire.RoomView} view
   */
  isSeated({ seats }) {
    const yours = seats.filter((one) => one.yours);
    return yours.length > 0 && !yours.some(isNameless);
  }

  /**
   * Whether nobody else can sit down on this device: in duplicate each has one seat.
   * @param {Wire.RoomView} view
   */
  isFull(view) {
    return view.duplicate && this.isSeated(view);
  }

  /** @param {Wire.RoomView} view */
  build(view) {
    const isEmpty = !view.seats.some((one) => one.yours);
    const reserved = isEmpty ? this.buildSavedSeats(view) : [];
    const savedOnly = takesSavedSeats(view);
    this.element.hidden = (savedOnly && reserved.length === 0) || (this.isFull(view) && !leads(view));
    const chips = reserved.length > 0 && h("div", { class: "chips reserved" }, reserved);
    if (savedOnly) return this.element.hidden ? [] : [h("h2", {}, t("lobby.take_seat")), chips];
    return this.buildForm(view, chips);
  }

  /**
   * A button for each seat that was reserved, one of which may be that of the user of this device.
   * @param {Wire.RoomView} view
   */
  buildSavedSeats(view) {
    return listReserved(view).map((name) =>
      h(
        "button",
        { class: "button", type: "button", "data-take": name, onclick: () => this.take(name) },
        t("lobby.i_am", { name }),
      ),
    );
  }

  /**
   * @param {Wire.RoomView} view
   * @param {Child} chips
   * @returns {Child[]}
   */
  buildForm(view, chips) {
    const names = view.seats.map((one) => one.name);
    const isEmpty = !view.seats.some((one) => one.yours);
    const seated = this.isSeated(view);
    const field = buildNameField(
      names,
      (name, input) => this.refuseTaken(name) ?? this.sit(name, input),
      t(seated ? "lobby.add" : isEmpty ? "lobby.sit" : "lobby.name_is"),
      "sit",
      seated ? "button" : "button act",
    );
    const input = required(field.querySelector("input"), "name");
    if (isEmpty) input.defaultValue = names.includes(prefs.get("name")) ? "" : prefs.get("name");
    return [
      !this.isFull(view) && [h("h2", {}, seated ? t("lobby.more") : t("lobby.take_seat")), chips, field],
      leads(view) &&
        buildBotAdder(view.family, { room: view.id }, ({ bot, name }) => sendIntent({ want: "sit_bot", bot, name })),
    ];
  }

  /**
   * Why a name cannot be taken: somebody else here has it. Nobody becomes "Otto 2" without being told.
   * @param {string} name
   */
  refuseTaken(name) {
    const { seats } = required(connection.room, "room");
    const taken = seats.find((one) => !one.offered && !isNameless(one) && isSameName(one.name, name));
    return taken ? t("family.taken", { name: taken.name }) : null;
  }

  /**
   * Seats a player on this device: on their reserved seat, or on a new one.
   * @param {string} name
   * @param {HTMLInputElement} [input]
   */
  async sit(name, input) {
    if (!prefs.get("name")) prefs.set("name", name);
    if (input) input.value = "";
    const room = required(connection.room, "room");
    const nameless = room.seats.findIndex(isNameless);
    const reserved = room.seats.findIndex((one) => one.offered && isSameName(one.name, name));
    if (reserved < 0 && nameless >= 0) return sendIntent({ want: "rename", seat: nameless, name });
    await sendIntent(
      reserved < 0 ? { want: "sit", name, real_dice: hasRealDice(room) } : { want: "take", seat: reserved },
    );
    if (nameless >= 0) await sendIntent({ want: "get_up", seat: nameless });
  }

  /**
   * Takes the seat that was reserved for the user of this device.
   * @param {string} name
   */
  take(name) {
    return this.sit(name, this.field ?? undefined);
  }

  // Sends a name that was typed and not sent.
  async submitTyped() {
    const { field } = this;
    const typed = !field || field.value === field.defaultValue ? "" : field.value.trim();
    if (field && typed) await this.sit(typed, field);
  }

  focus() {
    this.field?.focus();
  }

  /** @returns {HTMLInputElement | null} Nothing where only saved seats can be taken. */
  get field() {
    return this.element.querySelector("input[data-field=name]");
  }
}

/**
 * A player seated before we knew their name is called "You", which other players should not see for long.
 * @param {Wire.RoomSeatView} one
 */
function isNameless(one) {
  return one.yours && one.name === t("home.you");
}
