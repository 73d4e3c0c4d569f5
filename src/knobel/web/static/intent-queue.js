/* What was entered and is not yet on the server: kept on this device, sent in order, each under its first id, so that it arrives once. */

import { newCommandId } from "./commands.js";
import { connection } from "./connection.js";
import { asRefusal } from "./required.js";

const STORAGE_KEY = "knobel.queue.";
const OLD_INTENTS = new Map([
  ["own_dice", "real_dice"],
  ["swap_rows", "swap_boxes"],
]);
/** @type {Map<string, IntentQueue>} */
const queues = new Map();

/**
 * The queue of a room; there is only one, however often its table is opened.
 * @param {string} room
 * @returns {IntentQueue}
 */
export function getQueue(room) {
  const queue = queues.get(room) ?? new IntentQueue(room);
  queues.set(room, queue);
  return queue;
}

export class IntentQueue {
  /** @type {GameView | null} */
  view;
  /** @type {QueuedItem | null} */
  sending;
  /** @type {Set<QueueListener>} */
  listeners;
  /** @type {QueuedItem[]} */
  items;

  /** @param {string} room */
  constructor(room) {
    this.room = room;
    this.items = loadItems(room);
    this.listeners = new Set();
    this.sending = null;
    this.view = null;
  }

  /**
   * Listens: changed() when something joined or left, refused(item, why, dropped) when the server said no; returns how to stop.
   * @param {QueueListener} listener
   * @returns {() => void}
   */
  on(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /**
   * Takes something a seat wants; note holds what is shown of it until the server has it: {box, shown}.
   * @param {GameView} view
   * @param {Unsent<SeatIntent>} intent
   * @param {EntryNote} [note]
   */
  add(view, intent, note = {}) {
    this.view = view;
    const { seat } = intent;
    const ply = Math.max(
      view.seats[seat].ply,
      ...this.items.filter((item) => this.dependsOn(item, seat)).map((item) => item.intent.ply + 1),
    );
    this.items.push({ id: newCommandId(), game: view.game, intent: { ...intent, ply }, ...note });
    this.saveAndNotify();
    this.sendNext();
  }

  /**
   * What of a seat is not in the view yet, in order.
   * @param {GameView} view
   * @param {number} seat
   */
  pendingFor(view, seat) {
    return withoutUndone(
      this.items.filter(
        (item) =>
          item.game === view.game &&
          item.intent.seat === seat &&
          item.done === undefined &&
          item.intent.ply >= view.seats[seat].ply,
      ),
    );
  }

  // How many entries have not arrived.
  get pendingEntries() {
    return withoutUndone(this.items.filter((item) => item.done === undefined)).filter((item) => item.box).length;
  }

  // The last thing that was not sent yet, or that was and is not answered; what is undone already does not count.
  get lastPending() {
    return withoutUndone(this.items.filter((item) => item.done === undefined)).at(-1) ?? null;
  }

  /**
   * Forgets something that was never sent; says whether that was so.
   * @param {QueuedItem} item
   */
  removeUnsent(item) {
    if (item === this.sending || item.sent) return false;
    this.items = this.items.filter((one) => one !== item);
    this.saveAndNotify();
    return true;
  }

  /**
   * On a new position, drops what it already shows.
   * @param {GameView} view
   */
  acknowledge(view) {
    this.view = view;
    const before = this.items.length;
    const late = this.items.filter(
      (item) => item.game !== view.game && item.done === undefined && item !== this.sending,
    );
    this.items = this.items.filter(
      (item) =>
        !late.includes(item) && (item.done === undefined || (item.game === view.game && view.count < item.done)),
    );
    if (late.length) this.notifyRefused(late[0], {}, late.slice(1));
    if (this.items.length !== before) this.saveAndNotify();
    this.sendNext();
  }

  // Resolves as soon as nothing is on its way any more.
  async whenIdle() {
    while (this.sending) await this.sending.answer?.catch(() => {});
  }

  // Sends one after the other: what follows a refusal must not arrive.
  async sendNext() {
    if (this.sending || !this.view || connection.roomId !== this.room) return;
    const item = this.items.find((one) => one.done === undefined);
    if (!item) return;
    this.sending = item;
    item.sent = true;
    saveItems(this.room, this.items);
    item.answer = connection.sendIntent(item.intent, item.id, item.game);
    try {
      item.done = (await item.answer).count ?? 0;
    } catch (refused) {
      this.dropRefused(item, asRefusal(refused));
    }
    this.sending = null;
    if (this.view) this.acknowledge(this.view);
    this.saveAndNotify();
  }

  /**
   * The server said no: whatever the same seat entered after that hangs on it.
   * @param {QueuedItem} item
   * @param {Refusal} refused
   */
  dropRefused(item, refused) {
    const fallen = this.items
      .slice(this.items.indexOf(item) + 1)
      .filter((one) => this.dependsOn(one, item.intent.seat));
    this.items = this.items.filter((one) => one !== item && !fallen.includes(one));
    this.notifyRefused(item, refused, fallen);
  }

  /**
   * @param {QueuedItem} item
   * @param {Refusal} why
   * @param {QueuedItem[]} fallen
   */
  notifyRefused(item, why, fallen) {
    for (const { refused } of this.listeners) refused(item, why, fallen);
  }

  /**
   * At a table where turns go round, everything hangs together.
   * @param {QueuedItem} item
   * @param {number} seat
   */
  dependsOn(item, seat) {
    return item.game === this.view?.game && (!this.view.free || item.intent.seat === seat);
  }

  saveAndNotify() {
    saveItems(this.room, this.items);
    for (const { changed } of this.listeners) changed();
  }
}

/**
 * What stays of things that wait: whatever is undone further on is gone, and so is the wish to undo it.
 * @param {QueuedItem[]} items
 */
function withoutUndone(items) {
  /** @type {QueuedItem[]} */
  let left = [];
  for (const item of items) {
    /** @type {QueuedItem | null | undefined} */
    const back = item.intent.want === "undo" ? left.findLast((one) => one.intent.seat === item.intent.seat) : null;
    left = back?.intent.want === "act" ? left.filter((one) => one !== back) : left.concat(item);
  }
  return left;
}

/**
 * Reads what an earlier page left, of this version or an older one.
 * @param {string} room
 * @returns {QueuedItem[]}
 */
function loadItems(room) {
  try {
    /** @type {(Omit<QueuedItem, "intent"> & { intent: StoredIntent })[]} */
    const stored = JSON.parse(localStorage.getItem(STORAGE_KEY + room) ?? "[]");
    return stored.map((item) => ({ ...item, intent: upgradeIntent(item.intent) }));
  } catch {
    return [];
  }
}

/**
 * Intents of wire version 2 had other names for some keys; only players' actions were ever queued.
 * @param {StoredIntent} intent
 * @returns {SeatIntent}
 */
function upgradeIntent({ chair, own, ...intent }) {
  const want = OLD_INTENTS.get(intent.want) ?? intent.want;
  const seat = chair === undefined ? {} : { seat: chair };
  const real = own === undefined ? {} : { real: own };
  return /** @type {SeatIntent} */ ({ ...intent, want, ...seat, ...real });
}

/**
 * @param {string} room
 * @param {QueuedItem[]} items
 */
function saveItems(room, items) {
  try {
    const left = items.filter((item) => item.done === undefined).map(({ answer: _, ...item }) => item);
    if (left.length) localStorage.setItem(STORAGE_KEY + room, JSON.stringify(left));
    else localStorage.removeItem(STORAGE_KEY + room);
  } catch {
    /* then it lives as long as this page */
  }
}
