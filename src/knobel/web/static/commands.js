/* Commands that are never lost and never done twice: each keeps its id until it is answered. */

import { randomHex } from "./sha256.js";

const SLOW_COMMANDS = ["hint", "ledger"];

const clientId = randomHex(8);
let commandCount = 0;

// A command id that no other command has.
export function newCommandId() {
  return `${clientId}.${++commandCount}`;
}

// Commands of all rooms that are not answered yet; only those of the room we are in are sent again.
export class CommandTracker {
  constructor() {
    this.pending = new Map();
  }

  // Remembers a command until it is answered; the promise resolves with the answer.
  add(room, message) {
    return new Promise((resolve, reject) => this.pending.set(message.id, { room, message, resolve, reject }));
  }

  listMessages(room) {
    return [...this.pending.values()].filter((one) => one.room === room).map((one) => one.message);
  }

  // Whether something waits that is answered at once; the coach may have to think first.
  hasUrgent(room) {
    return this.listMessages(room).some((message) => !SLOW_COMMANDS.includes(message.do));
  }

  resolve(answer) {
    this.pending.get(answer.id)?.resolve(answer);
    this.pending.delete(answer.id);
  }

  // Rejects the command a refusal is about: the one it names, or the only one there is. Returns whether there was one.
  reject(room, { id, code, text }) {
    const waiting = this.listMessages(room);
    const about = id ?? (waiting.length === 1 ? waiting[0].id : null);
    const found = this.pending.get(about);
    this.pending.delete(about);
    found?.reject({ code, text });
    return Boolean(found);
  }
}
