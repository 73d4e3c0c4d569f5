/* What was entered and is not yet in the house: kept on this device, sent in order, each under its first name, so that it arrives once. */

import { house } from "./house.js";

const KEY = "knobel.queue.";
const queues = new Map();

// The queue of a room; there is one for each, however often a table is laid.
export function queueOf(room) {
  if (!queues.has(room)) queues.set(room, new Queue(room));
  return queues.get(room);
}

class Queue {
  constructor(room) {
    this.room = room;
    this.items = read(room);
    this.listeners = new Set();
    this.sending = null;
    this.view = null;
  }

  // Listens: changed() when something joined or left, refused(item, why, dropped) when the house said no; gives back how to stop.
  on(listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  // Takes something a seat wants; note holds what is shown of it until the house has it: {box, shown}.
  add(view, intent, note = {}) {
    this.view = view;
    const { seat } = intent;
    const ply = Math.max(view.seats[seat].ply, ...this.items.filter((item) => this.near(item, seat)).map((item) => item.intent.ply + 1));
    this.items.push({ id: house.newId(), game: view.game, intent: { ...intent, ply }, ...note });
    this.changed();
    this.send();
  }

  // What of a seat is not in the view yet, in order.
  waiting(view, seat) {
    return standing(this.items.filter((item) => item.game === view.game && item.intent.seat === seat && item.done === undefined && item.intent.ply >= view.seats[seat].ply));
  }

  // How many entries have not arrived.
  get count() {
    return standing(this.items.filter((item) => item.done === undefined)).filter((item) => item.box).length;
  }

  // The last thing that was not sent yet, or that was and is not answered; what is taken back already does not count.
  get last() {
    return standing(this.items.filter((item) => item.done === undefined)).at(-1) ?? null;
  }

  // Forgets something that was never sent; says whether that was so.
  takeBack(item) {
    if (item === this.sending || item.sent) return false;
    this.items = this.items.filter((one) => one !== item);
    this.changed();
    return true;
  }

  // Looks at a new position: what it shows needs no keeping.
  seen(view) {
    this.view = view;
    const before = this.items.length;
    const late = this.items.filter((item) => item.game !== view.game && item.done === undefined && item !== this.sending);
    this.items = this.items.filter((item) => !late.includes(item) && (item.done === undefined || (item.game === view.game && view.count < item.done)));
    if (late.length) this.tell(late[0], {}, late.slice(1));
    if (this.items.length !== before) this.changed();
    this.send();
  }

  // Resolves as soon as nothing is on its way any more.
  async calm() {
    while (this.sending) await this.sending.answer.catch(() => {});
  }

  // Sends one after the other: what follows a refusal must not arrive.
  async send() {
    if (this.sending || !this.view) return;
    const item = this.items.find((one) => one.done === undefined);
    if (!item) return;
    this.sending = item;
    item.sent = true;
    save(this.room, this.items);
    item.answer = house.command({ do: "want", room: this.room, intent: item.intent }, item.id);
    try {
      item.done = (await item.answer).count ?? 0;
    } catch (refused) {
      this.drop(item, refused);
    }
    this.sending = null;
    if (this.view) this.seen(this.view);
    this.changed();
  }

  // The house said no: whatever the same seat entered after that hangs on it.
  drop(item, refused) {
    const fallen = this.items.slice(this.items.indexOf(item) + 1).filter((one) => this.near(one, item.intent.seat));
    this.items = this.items.filter((one) => one !== item && !fallen.includes(one));
    this.tell(item, refused, fallen);
  }

  tell(item, why, fallen) {
    for (const { refused } of this.listeners) refused(item, why, fallen);
  }

  // At a table where turns go round, everything hangs together.
  near(item, seat) {
    return item.game === this.view.game && (!this.view.free || item.intent.seat === seat);
  }

  changed() {
    save(this.room, this.items);
    for (const { changed } of this.listeners) changed();
  }
}

// What stays of things that wait: whatever is taken back further on is gone, and so is the wish to take it back.
function standing(items) {
  return items.reduce((left, item) => {
    const back = item.intent.want === "undo" ? left.findLast((one) => one.intent.seat === item.intent.seat) : null;
    return back?.intent.want === "act" ? left.filter((one) => one !== back) : [...left, item];
  }, []);
}

function read(room) {
  try {
    return JSON.parse(localStorage.getItem(KEY + room)) ?? [];
  } catch {
    return [];
  }
}

function save(room, items) {
  try {
    const left = items.filter((item) => item.done === undefined).map(({ answer: _, ...item }) => item);
    if (left.length) localStorage.setItem(KEY + room, JSON.stringify(left));
    else localStorage.removeItem(KEY + room);
  } catch { /* then it lives as long as this page */ }
}
