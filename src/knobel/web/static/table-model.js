/* What the table shows, derived from the server's position and local input; no rules in here. */

import { formatList, t } from "./translations.js";

/**
 * Everything the parts of a table need to draw themselves; family is the table part of the game's family.
 * @param {{ room: Wire.RoomView | null, gameInfo: GameInfo, family: TableFamily, view: GameView, tray: Tray | null, shown: number, kept: Set<number>, away?: boolean, slots?: Map<number, number> | null, rolloffDice?: number[] | null, isHandedOver?: boolean, late?: TableModel["late"], finalDice?: boolean }} parts
 * @returns {TableModel}
 */
export function buildTableModel({
  room,
  gameInfo,
  family,
  view,
  tray,
  shown,
  away = false,
  kept,
  slots = null,
  rolloffDice = null,
  isHandedOver = true,
  late = [],
  finalDice = false,
}) {
  const mine = canAct(view, tray);
  const seat = activeSeat(view, tray);
  const model = {
    room,
    gameInfo,
    family,
    view,
    tray,
    mine,
    seat,
    over: isGameOver(view),
    best: tray ? family.findBest(tray) : 0,
    shown,
    away,
    faces: gameInfo.faces,
    dice: tray?.dice.length ? tray.dice : (rolloffDice ?? []),
    kept,
    locked: tray?.locked ?? [],
    choosing: tray?.phase === "choose",
    slots,
    help: mine ? null : findHelp(view, tray),
    handoverTo:
      tray && mine && !isHandedOver && !tray.dice.length && tray.phase !== "rolloff" ? view.seats[seat].name : null,
    late,
    finalDice,
    ranked:
      family.hasLiveRanking &&
      view.seats.length > 1 &&
      isPadGame(view) &&
      !hidesTurns(view) &&
      view.seats.some((one) => (one.total ?? 0) > 0),
  };
  return { ...model, mainButton: describeMainButton(model) };
}

/**
 * Whether the table is a score pad: a player rolls real dice, or everybody scores at their own pace.
 * @param {GameView} view
 */
export function isPadGame(view) {
  return Boolean(view.free) || view.seats.some((seat) => seat.real_dice);
}

/**
 * Whether turns of others may be hidden: in duplicate, until the game is closed.
 * @param {GameView | SheetView} view
 */
export function hidesTurns(view) {
  return Boolean(view.duplicate) && !view.closed;
}

/**
 * Whether nothing of what somebody else has scored is visible yet.
 * @param {GameView | SheetView} view
 * @param {number} seat
 */
export function isSeatHidden(view, seat) {
  const { yours, entries } = view.seats[seat];
  return hidesTurns(view) && !yours && Boolean(entries?.every((entry) => entry === null));
}

/**
 * The place of a seat among all by what they have so far; equal totals share it.
 * @param {GameView | SheetView} view
 * @param {number} seat
 */
export function placeOf(view, seat) {
  const total = view.seats[seat].total ?? 0;
  return 1 + view.seats.filter((one) => !one.left && (one.total ?? 0) > total).length;
}

/**
 * Whose turn it is; after the end, who won.
 * @param {GameView} view
 * @param {Tray | null} tray
 */
export function activeSeat(view, tray) {
  return tray?.seat ?? view.places?.[0]?.[0] ?? 0;
}

/**
 * Whose sheet is shown where nobody has opened one: whose turn it is; after the end, who won, if that is one of us, else
 * the first of us.
 * @param {GameView} view
 * @param {Tray | null} tray
 */
export function findRestingSeat(view, tray) {
  const seat = activeSeat(view, tray);
  if (!isGameOver(view) || isOwnPlayer(view.seats[seat])) return seat;
  const own = view.seats.findIndex(isOwnPlayer);
  return own < 0 ? seat : own;
}

/**
 * Whether a game has come to its end, in whichever way.
 * @param {{ places: unknown, closed: unknown }} view
 */
export function isGameOver(view) {
  return Boolean(view.places || view.closed);
}

/**
 * The tray this device looks at: its own where everybody plays at once, else the only one.
 * @param {GameView} view
 * @param {number | null} viewed
 * @returns {Tray | null}
 */
export function findTray(view, viewed) {
  const own = view.trays.filter((tray) => view.seats[tray.seat].yours);
  return own.find((tray) => tray.seat === viewed) ?? own[0] ?? view.trays[0] ?? null;
}

/**
 * Whether this device may act for a seat now.
 * @param {GameView} view
 * @param {Tray | null} tray
 */
export function canAct(view, tray) {
  if (!tray || view.waiting.length || view.closed) return false;
  const seat = view.seats[tray.seat];
  return isOwnPlayer(seat) && seat.stand_in === null && !seat.left;
}

/**
 * Whether a person on this device plays a seat.
 * @param {{ yours: boolean, bot: string | null }} seat
 */
export function isOwnPlayer(seat) {
  return seat.yours && seat.bot === null;
}

/**
 * The one seat of this device that can leave; of several, each is left at its own name.
 * @param {GameView} view
 */
export function findOnlyOwn({ seats }) {
  const own = seats.flatMap((seat, place) => (isOwnPlayer(seat) && !seat.left ? [place] : []));
  return own.length === 1 ? own[0] : -1;
}

/**
 * Whether what a seat has entered can be replaced: real dice, ours, and nobody has said yet that it is over.
 * @param {{ closed: string | null }} view
 * @param {{ yours: boolean, bot: string | null, real_dice: boolean }} seat
 */
export function canCorrect(view, seat) {
  return isOwnPlayer(seat) && seat.real_dice && !view.closed;
}

/**
 * Nobody plays on the big screen, even if its device has a seat.
 * @param {Position} position
 * @returns {Position}
 */
export function asSpectator(position) {
  const { view } = position;
  return { ...position, view: { ...view, undo: null, seats: view.seats.map((seat) => ({ ...seat, yours: false })) } };
}

/**
 * Lets sentences say "you" to the only player on this device; where several share it, names are clearer.
 * @param {Position} position
 * @returns {Position}
 */
export function addressPlayer(position) {
  const { view, narration, own } = position;
  const you = findOnlyYou(view);
  if (you < 0) return position;
  /** @type {(tray: Tray) => Tray} */
  const addressed = (tray) => (tray.seat === you ? { ...tray, prompt: tray.own_prompt } : tray);
  return {
    ...position,
    narration: narration.map((text, place) => (own[place]?.seat === you ? (own[place]?.text ?? text) : text)),
    view: /** @type {GameView} */ ({ ...view, trays: view.trays.map(addressed) }),
  };
}

/**
 * The seat of the only player on this device, or -1.
 * @param {GameView} view
 */
export function findOnlyYou({ seats }) {
  const own = seats.flatMap((seat, place) => (isOwnPlayer(seat) ? [place] : []));
  return own.length === 1 ? own[0] : -1;
}

/**
 * What can be done while waiting for another seat: let a bot move at once, or put a bot in for an absent player.
 * @param {GameView} view
 * @param {Tray | null} tray
 * @returns {TableModel["help"]}
 */
export function findHelp(view, tray) {
  if (!tray || view.waiting.length || view.places || view.closed || !view.seats.some((seat) => seat.yours)) return null;
  const { bot, stand_in, away } = view.seats[tray.seat];
  if (bot !== null || stand_in !== null) return "go-on";
  return away ? "put-in" : null;
}

/**
 * What the one button says, and whether it does anything.
 * @param {Omit<TableModel, "mainButton">} model
 * @returns {MainButton}
 */
export function describeMainButton(model) {
  const { view, tray, gameInfo, family, mine, kept, slots, finalDice } = model;
  /** @type {(text: string) => MainButton} */
  const off = (text) => ({ text, ready: false });
  /** @type {(text: string) => MainButton} */
  const roll = (text) => ({ text, ready: true, does: "roll" });
  if (view.waiting.length)
    return off(t("tray.wait_seeds", { names: formatList(view.waiting.map((seat) => view.seats[seat].name)) }));
  if (!tray) return off(t("tray.over"));
  if (!mine) return off(describeOthersTurn(view.seats[tray.seat]));
  if (finalDice && (tray.phase === "roll" || tray.phase === "rolloff")) return off(t("tray.enter_dice"));
  const stands = family.listStands(tray);
  const rolling = gameInfo.dice - (tray.dice.length ? kept.size : 0);
  switch (finalDice && tray.phase === "choose" && stands.length ? "stand" : tray.phase) {
    case "rolloff":
      return roll(family.describeRolloff(view, gameInfo.dice));
    case "roll":
      return roll(t("tray.roll", { n: gameInfo.dice }));
    case "choose":
      return rolling ? roll(t("tray.roll", { n: rolling })) : off(family.describeAllKept());
    case "stand":
      return stands.length === 1
        ? { text: family.describeStand(stands[0], tray), ready: true, does: "stand" }
        : off(t("tray.over_or_under"));
    case "announce":
      return off(t("tray.announce"));
    case "land":
    case "waiting":
      return off(t(slots ? "tray.enter_dice" : "tray.rolling"));
    default:
      return off(t("tray.choose"));
  }
}

/** @param {Seat} seat */
function describeOthersTurn(seat) {
  const { name } = seat;
  if (seat.bot !== null) return t("tray.thinks", { name });
  if (seat.stand_in !== null) return t("tray.stands_in", { name });
  return t(seat.away ? "tray.is_away" : "tray.turn_of", { name });
}
