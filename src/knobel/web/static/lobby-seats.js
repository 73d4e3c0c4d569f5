/* The row of seats in the lobby. */

import { drawFace } from "./bot-picker.js";
import { connection } from "./connection.js";
import { openMenu, showToast } from "./dialogs.js";
import { h, setLetters, splitName } from "./dom.js";
import { drawSeat } from "./edition-art.js";
import { drawEmblem } from "./inks.js";
import { renameSeat } from "./rename-dialog.js";
import { compact } from "./required.js";
import { isBigScreen } from "./router.js";
import { t } from "./translations.js";

const MIN_SEATS_SHOWN = 4;
// Whether somebody here has asked for a seat to be freed, and the room has not shown it yet.
let leavingSeat = false;

// Draws the seats; form is the seating form, bots what is known of bots by the rules agreed here.
export class SeatRow {
  /** @type {Bot[]} */
  bots = [];

  /** @param {SeatingForm} form */
  constructor(form) {
    this.form = form;
  }

  /** @param {Wire.RoomView} view */
  build(view) {
    return [
      view.seats.map((one, seat) => this.buildSeat(one, seat, view)),
      view.seats.length < MIN_SEATS_SHOWN && !takesSavedSeats(view) && this.buildFreeSeat(view),
    ];
  }

  /**
   * @param {Wire.RoomSeatView} one
   * @param {number} seat
   * @param {Wire.RoomView} view
   */
  buildSeat(one, seat, view) {
    const items = listActions(one, seat, view);
    const couldBeYou = one.offered && !isBigScreen() && !view.seats.some((other) => other.yours);
    const name = h("span", { class: "seat-name" }, one.name);
    setLetters(name, splitName(one.name));
    const isHost = view.seats.findIndex((other) => other.host) === seat;
    /** @type {HTMLButtonElement} */
    const button = h(
      "button",
      {
        class: ["seat", one.offered ? "offered" : one.yours && "yours", !one.present && "away"]
          .filter(Boolean)
          .join(" "),
        "data-seat": seat,
        disabled: !items.length,
        "aria-haspopup": items.length && !couldBeYou ? "menu" : null,
        onclick: () => (couldBeYou ? this.form.take(one.name) : openMenu(button, items, one.name)),
      },
      drawSeat(),
      one.bot && drawFace(one.bot),
      drawEmblem(seat),
      name,
      h("small", {}, listFacts(one, isHost, hasRealDice(view), couldBeYou).join(" · ") || "\u00a0"),
      this.describeBot(one.bot),
    );
    return h("li", {}, button);
  }

  /**
   * The manner of a bot, and what it scores on average here.
   * @param {string | null} bot
   */
  describeBot(bot) {
    const found = this.bots.find((one) => one.bot === bot);
    return (
      found && [
        h("small", { class: "manner" }, found.about),
        found.average && h("small", { class: "average" }, t("agree.bot_average", { n: found.average })),
        found.beats && h("small", { class: "average" }, t("agree.bot_beats", { n: found.beats })),
      ]
    );
  }

  /**
   * A free seat; tapping it asks for a name, if anybody else may sit down on this device.
   * @param {Wire.RoomView} view
   */
  buildFreeSeat(view) {
    return h(
      "li",
      {},
      h(
        "button",
        {
          class: "seat free",
          "data-act": "free-seat",
          disabled: this.form.isFull(view),
          onclick: () => this.form.focus(),
        },
        drawSeat(),
        h("small", {}, t("lobby.free")),
      ),
    );
  }
}

/**
 * Whether this device begins games: as the host, or for a host who is away.
 * @param {Wire.RoomView} view
 */
export function leads(view) {
  return view.host || view.acting_host;
}

/**
 * Sends an intent to the room; shows a refusal.
 * @param {Wire.Intent} intent
 */
export function sendIntent(intent) {
  if (intent.want === "get_up") leavingSeat = true;
  return connection.sendIntent(intent).catch((refused) => showToast(refused.text));
}

/**
 * Who of this device has lost a seat to the host since; nobody where it was wanted here.
 * @param {Wire.RoomView | null} before
 * @param {Wire.RoomView} view
 */
export function listRemoved(before, view) {
  const own = (/** @type {Wire.RoomView | null} */ room) =>
    (room?.seats ?? []).filter((one) => one.yours && !one.offered);
  if (!before || before.id !== view.id || own(view).length >= own(before).length) return [];
  const wanted = leavingSeat || view.host;
  leavingSeat = false;
  const names = view.seats.map((one) => one.name);
  return wanted ? [] : own(before).flatMap((one) => (names.includes(one.name) ? [] : [one.name]));
}

/**
 * Whether this will be a score pad: then everybody has real dice.
 * @param {{ free: boolean, duplicate?: boolean, seats: { real_dice: boolean }[] }} view
 */
export function hasRealDice({ free, duplicate, seats }) {
  return (free && !duplicate) || seats.some((one) => one.real_dice);
}

/**
 * For whom a seat is reserved that nobody has taken yet.
 * @param {Wire.RoomView} view
 */
export function listReserved({ seats }) {
  return seats.filter((one) => one.offered).map((one) => one.name);
}

/**
 * Whether nobody sits down here but on the seats that are saved: the room of a round, until its host unlocks it.
 * @param {Wire.RoomView} view
 */
export function takesSavedSeats({ tournament, locked }) {
  return Boolean(tournament) && locked;
}

/**
 * What you may do with a seat.
 * @param {Wire.RoomSeatView} one
 * @param {number} seat
 * @param {Wire.RoomView} view
 * @returns {MenuItem[]}
 */
function listActions(one, seat, view) {
  /** @type {(intent: Wire.Intent) => () => unknown} */
  const want = (intent) => () => sendIntent(intent);
  const manages = view.host && view.seats.length > 1;
  return compact([
    one.offered && !isBigScreen() && { label: t("lobby.plays_here"), hook: "take", act: want({ want: "take", seat }) },
    (view.host || one.yours) &&
      !one.bot && { label: t("lobby.rename"), hook: "rename", act: () => renameSeat(seat, one.name) },
    manages && { label: t("lobby.earlier"), off: seat === 0, hook: "earlier", act: want({ want: "swap", seat }) },
    manages && {
      label: t("lobby.later"),
      off: seat === view.seats.length - 1,
      hook: "later",
      act: want({ want: "swap", seat: seat + 1 }),
    },
    (view.host || one.yours) &&
      !one.bot &&
      (one.real_dice || !view.duplicate) && {
        label: t(one.real_dice ? "lobby.use_ours" : "lobby.use_real"),
        hook: "real-dice",
        act: want({ want: "real_dice", seat, real: !one.real_dice }),
      },
    view.host &&
      !one.bot &&
      !one.yours && { label: t("lobby.hand_over"), hook: "hand-over", act: want({ want: "hand_over", seat }) },
    (view.host || one.yours || (view.acting_host && one.bot)) && {
      label: one.yours && !one.offered ? t("lobby.get_up") : t("lobby.remove"),
      hook: "get-up",
      act: want({ want: "get_up", seat }),
    },
  ]);
}

/**
 * @param {Wire.RoomSeatView} one
 * @param {boolean} isHost
 * @param {boolean} showsDice
 * @param {boolean} couldBeYou
 */
function listFacts(one, isHost, showsDice, couldBeYou) {
  const who = one.bot
    ? t("lobby.bot")
    : one.offered
      ? t(couldBeYou ? "lobby.is_you" : "lobby.expected")
      : one.yours && t("lobby.you");
  return [
    who,
    showsDice && !one.bot && t(one.real_dice ? "lobby.real" : "lobby.ours"),
    isHost && t("lobby.host"),
    one.handicap > 0 && t("evening.handicap_n", { n: one.handicap }),
    !one.present && !one.offered && t("lobby.away"),
  ].filter(Boolean);
}
