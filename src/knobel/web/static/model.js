/* What the table shows, worked out from what the house said and what the fingers did; no rules in here. */

import { standWords } from "./rounds.js";
import { listed, t } from "./words.js";

// Everything the parts of a table need to draw themselves: where the game stands, and what was done to it here since.
export function modelOf({ room, block, view, tray, shown, away = false, keep, entering = null, rolled = null, passed = true, late = [], hand = false }) {
  const mine = isMine(view, tray);
  const seat = seatOf(view, tray);
  const model = {
    room, block, view, tray, mine, seat, over: isOver(view), best: bestOf(tray), shown, away,
    faces: block.faces, dice: tray?.dice.length ? tray.dice : rolled ?? [], keep, locked: tray?.locked ?? [],
    choosing: tray?.phase === "choose", entering, helps: mine ? null : helpOf(view, tray),
    passTo: mine && !passed && !tray.dice.length && tray.phase !== "rolloff" ? view.seats[seat].name : null, late, hand,
    ranked: block.family === "sheet" && view.seats.length > 1 && isPad(view) && view.seats.some((one) => one.total > 0),
  };
  return { ...model, doing: doingOf(model) };
}

// Says whether somebody at a table throws real dice, or everybody writes when he likes: then it is a pad.
export function isPad(view) {
  return Boolean(view.free) || view.seats.some((seat) => seat.own_dice);
}

// The place of a seat among all by what they have so far; equal totals share it.
export function placeOf(view, seat) {
  return 1 + view.seats.filter((one) => !one.left && one.total > view.seats[seat].total).length;
}

// Whose turn it is; after the end, who won.
export function seatOf(view, tray) {
  return tray?.seat ?? view.places?.[0]?.[0] ?? 0;
}

// Says whether a game has come to its end, in whichever way.
export function isOver(view) {
  return Boolean(view.places || view.closed);
}

// Finds the tray this device looks at: its own where everybody plays at once, else the only one.
export function trayOf(view, viewed) {
  const own = view.trays.filter((tray) => view.seats[tray.seat].yours);
  return own.find((tray) => tray.seat === viewed) ?? own[0] ?? view.trays[0] ?? null;
}

// Says whether this device may act for a seat now.
export function isMine(view, tray) {
  if (!tray || view.waiting.length || view.closed) return false;
  const seat = view.seats[tray.seat];
  return seat.yours && seat.bot === null && seat.stand_in === null && !seat.left;
}

// Says whether somebody of this device plays a seat.
export function isPerson(seat) {
  return seat.yours && seat.bot === null;
}

// On the big screen nobody sits: whoever owns it plays elsewhere.
export function unseated(position) {
  const { view } = position;
  return { ...position, view: { ...view, undo: null, seats: view.seats.map((seat) => ({ ...seat, yours: false })) } };
}

// How somebody at the table can help when another is to move: let a bot go on, put a bot in for one who is away.
export function helpOf(view, tray) {
  if (!tray || view.waiting.length || view.places || view.closed || !view.seats.some((seat) => seat.yours)) return null;
  const { bot, stand_in, away } = view.seats[tray.seat];
  if (bot !== null || stand_in !== null) return "go-on";
  return away ? "put-in" : null;
}

// The best a box can bring just now, to be tinted; 0 where nothing brings points.
export function bestOf(tray) {
  if (!tray?.dice.length || !tray.options) return 0;
  return Math.max(0, ...tray.options.filter((option) => !option.refusal).map((option) => option.points + option.extra));
}

// Reads the positions a throw left lying, from its text.
export function keptIn(action) {
  return [...action].flatMap((face, place) => (face === "." ? [] : [place]));
}

// Says whether an action is a throw.
export function isThrow(action) {
  return /^[1-9abc.]*\.[1-9abc.]*$/.test(action);
}

// Writes a throw: the tray with dots for the dice that are thrown.
export function throwText(count, dice, keep) {
  return Array.from({ length: count }, (_, place) => (dice.length && keep.has(place) ? dice[place].toString(13) : ".")).join("");
}

// What the one button says, and whether it does anything.
export function doingOf(model) {
  const { view, tray, block, mine, keep, entering, hand } = model;
  const off = (key, values) => ({ words: t(`tray.${key}`, values), ready: false });
  if (view.waiting.length) return off("wait_seeds", { names: listed(view.waiting.map((seat) => view.seats[seat].name)) });
  if (!tray) return off("over");
  const seat = view.seats[tray.seat];
  if (!mine) return theirs(seat, off);
  const free = block.dice - (tray.dice.length ? keep.size : 0);
  if (hand && (tray.phase === "throw" || tray.phase === "rolloff")) return off("enter_dice");
  switch (hand && tray.stands && tray.phase === "choose" ? "stand" : tray.phase) {
    case "rolloff": return { words: view.tie && view.tie.kind !== "start" ? t("tray.throw", { n: block.dice }) : t("tray.throw_start"), ready: true, does: "throw" };
    case "throw": return { words: t("tray.throw", { n: block.dice }), ready: true, does: "throw" };
    case "choose": return free ? { words: t("tray.throw", { n: free }), ready: true, does: "throw" } : off(tray.stands ? "all_kept_stay" : "choose_all_kept");
    case "stand": return tray.stands.length === 1 ? { words: standWords(tray.stands[0], tray.sum), ready: true, does: "stand" } : off("over_or_under");
    case "announce": return off("announce");
    case "land": case "waits": return off(entering ? "enter_dice" : "falling");
    default: return off("choose");
  }
}

function theirs(seat, off) {
  if (seat.bot !== null) return off("thinks", { name: seat.name });
  if (seat.stand_in !== null) return off("stands_in", { name: seat.name });
  return off(seat.away ? "is_away" : "turn_of", { name: seat.name });
}
