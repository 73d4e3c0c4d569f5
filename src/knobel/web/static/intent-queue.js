/* What was entered and is not yet on the server: kept on this device, sent in order, each under its first id, so that it arrives once. */

import { newCommandId } from "./commands.js";
import { connection } from "./connection.js";

const STORAGE_KEY = "knobel.queue.";
const queues = new Map();

// The queue of a room; there is only one, however often its table is opened.
export function getQueue(room) {
  if (!queues.has(room)) queues.set(room, new IntentQueue(room));
  return queues.get(room);
}

class IntentQueue {
  constructor(room) {
    this.room = room;
    this.items = loadItems(room);
    this.listeners = new Set();
    this.sending = null;
    this.view = null;
  }

  // Listens: changed() when something joined or left, refused(item, why, dropped) when the server said no; returns how to stop.
  on(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  // Takes something a seat wants; note holds what is shown of it until the server has it: {box, shown}.
  add(view, intent, note = {}) {
    this.view = view;
    const { seat } = intent;
    const ply = Math.max(view.seats[seat].ply, ...this.items.filter((item) => this.dependsOn(item, seat)).map((item) => item.intent.ply + 1));
    this.items.push({ id: newCommandId(), game: view.game, intent: { ...intent, ply }, ...note });
    this.saveAndNotify();
    this.sendNext();
  }

  // What of a seat is not in the view yet, in order.
  pendingFor(view, seat) {
    return withoutUndone(this.items.filter((item) => item.game === view.game && item.intent.seat === seat && item.done === undefined && item.intent.ply >= view.seats[seat].ply));
  }

  // How many entries have not arrived.
  get pendingEntries() {
    return withoutUndone(this.items.filter((item) => item.done === undefined)).filter((item) => item.box).length;
  }

  // The last thing that was not sent yet, or that was and is not answered; what is undone already does not count.
  get lastPending() {
    return withoutUndone(this.items.filter((item) => item.done === undefined)).at(-1) ?? null;
  }

  // Forgets something that was never sent; says whether that was so.
  removeUnsent(item) {
    if (item === this.sending || item.sent) return false;
    this.items = this.items.filter((one) => one !== item);
    this.saveAndNotify();
    return true;
  }

  // On a new position, drops what it already shows.
  acknowledge(view) {
    this.view = view;
    const before = this.items.length;
    const late = this.items.filter((item) => item.game !== view.game && item.done === undefined && item !== this.sending);
    this.items = this.items.filter((item) => !late.includes(item) && (item.done === undefined || (item.game === view.game && view.count < item.done)));
    if (late.length) this.notifyRefused(late[0], {}, late.slice(1));
    if (this.items.length !== before) this.saveAndNotify();
    this.sendNext();
  }

  // Resolves as soon as nothing is on its way any more.
  async whenIdle() {
    while (this.sending) await this.sending.answer.catch(() => {});
  }

  // Sends one after the other: what follows a refusal must not arrive.
  async sendNext() {
    if (this.sending || !this.view || connection.roomId !== this.room) return;
    const item = this.items.find((one) => one.done === undefined);
    if (!item) return;
    this.sending = item;
    item.sent = true;
    saveItems(this.room, this.items);
    item.answer = connection.sendIntent(item.intent, item.id);
    try {
      item.done = (await item.answer).count ?? 0;
    } catch (refused) {
      this.dropRefused(item, refused);
    }
    this.sending = null;
    if (this.view) this.acknowledge(this.view);
    this.saveAndNotify();
  }

  // The server said no: whatever the same seat entered after that hangs on it.
  dropRefused(item, refused) {
    const fallen = this.items.slice(this.items.indexOf(item) + 1).filter((one) => this.dependsOn(one, item.intent.seat));
    this.items = this.items.filter((one) => one !== item && !fallen.includes(one));
    this.notifyRefused(item, refused, fallen);
  }

  notifyRefused(item, why, fallen) {
    for (const { refused } of this.listeners) refused(item, why, fallen);
  }

  // At a table where turns go round, everything hangs together.
  dependsOn(item, seat) {
    return item.game === this.view.game && (!this.view.free || item.intent.seat === seat);
  }

  saveAndNotify() {
    saveItems(this.room, this.items);
    for (const { changed } of this.listeners) changed();
  }
}

// What stays of things that wait: whatever is undone further on is gone, and so is the wish to undo it.
function withoutUndone(items) {
  return items.reduce((left, item) => {
    const back = item.intent.want === "undo" ? left.findLast((one) => one.intent.seat === item.intent.seat) : null;
    return back?.intent.want === "act" ? left.filter((one) => one !== back) : [...left, item];
  }, []);
}

// Reads what an earlier page left, of this version or an older one.
function loadItems(room) {
  try {
    return (JSON.parse(localStorage.getItem(STORAGE_KEY + room)) ?? []).map((item) => ({ ...item, intent: upgradeIntent(item.intent) }));
  } catch {
    return [];
  }
}

// Intents of wire version 2 had other names for some keys; only players' actions were ever queued.
function upgradeIntent({ chair, own, ...intent }) {
  const want = { own_dice: "real_dice", swap_rows: "swap_boxes" }[intent.want] ?? intent.want;
  return { ...intent, want, ...(chair === undefined ? {} : { seat: chair }), ...(own === undefined ? {} : { real: own }) };
}

function saveItems(room, items) {
  try {
    const left = items.filter((item) => item.done === undefined).map(({ answer: _, ...item }) => item);
    if (left.length) localStorage.setItem(STORAGE_KEY + room, JSON.stringify(left));
    else localStorage.removeItem(STORAGE_KEY + room);
  } catch { /* then it lives as long as this page */ }
}
