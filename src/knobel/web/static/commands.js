/* Commands that are never lost and never done twice: each keeps its id until it is answered. */

import { required } from "./required.js";
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
  /** @type {Map<string | null, PendingCommand>} */
  pending;

  constructor() {
    this.pending = new Map();
  }

  /**
   * Remembers a command until it is answered; the promise resolves with the answer.
   * @param {string | null} room
   * @param {AskedCommand} message
   * @returns {Promise<CommandAnswer>}
   */
  add(room, message) {
    return new Promise((resolve, reject) => this.pending.set(message.id, { room, message, resolve, reject }));
  }

  /** @param {string | null} room */
  listMessages(room) {
    return [...this.pending.values()].filter((one) => one.room === room).map((one) => one.message);
  }

  /**
   * Whether something waits that is answered at once; the coach may have to think first.
   * @param {string | null} room
   */
  hasUrgent(room) {
    return this.listMessages(room).some((message) => !SLOW_COMMANDS.includes(message.do));
  }

  /**
   * Whether a refusal leaves open if the command was carried out: the database did not answer.
   * @param {Wire.RefusedMessage} refusal
   */
  isUnsure({ id, code }) {
    return this.pending.get(id)?.message.do === "want" && Boolean(code?.startsWith("database"));
  }

  /**
   * Notes that a command is in doubt; tells whether it was not before.
   * @param {string | null} id
   */
  noteUnsure(id) {
    const command = required(this.pending.get(id), "command");
    const isNew = !command.isUnsure;
    command.isUnsure = true;
    return isNew;
  }

  /** @param {CommandAnswer} answer */
  resolve(answer) {
    this.pending.get(answer.id)?.resolve(answer);
    this.pending.delete(answer.id);
  }

  /**
   * Rejects the command a refusal is about: the one it names, or the only one there is. Returns whether there was one.
   * @param {string | null} room
   * @param {Wire.RefusedMessage} refusal
   */
  reject(room, { id, code, text }) {
    const waiting = this.listMessages(room);
    const about = id ?? (waiting.length === 1 ? waiting[0].id : null);
    const found = this.pending.get(about);
    this.pending.delete(about);
    found?.reject({ code, text });
    return Boolean(found);
  }
}
