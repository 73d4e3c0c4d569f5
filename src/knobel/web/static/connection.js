/* The connection to the server: one socket, one room. */

import { fetchServerInfo } from "./api.js";
import { CommandTracker, newCommandId } from "./commands.js";
import { RoomState } from "./room-state.js";
import { SeedKeeper } from "./seeds.js";
import { ReconnectingSocket } from "./socket.js";

const WIRE_VERSION = 3;

// Emits besides what RoomState emits "remark", "state" ("open", "lost" or null), "refused" and "closed" (a text, for good).
class Connection extends RoomState {
  constructor() {
    super();
    this.serverInfo = this.roomId = this.entering = null;
    this.commands = new CommandTracker();
    this.seeds = new SeedKeeper((intent) => this.sendIntent(intent));
    this.socket = new ReconnectingSocket(() => Boolean(this.entering) || this.commands.hasUrgent(this.roomId));
    this.socket.on("open", () => {
      this.seeds.reset();
      // What was not answered is sent again under its old id, so that nothing is done twice.
      for (const message of this.commands.listMessages(this.roomId)) this.socket.send(message);
    });
    this.socket.on("message", (message) => this.handleMessage(message));
    this.socket.on("state", (state) => this.emit("state", state));
    this.socket.on("closed", (closed) => this.handleClosed(closed));
    this.on("room", (view) => this.seeds.seal(view));
    this.on("position", ({ view }) => this.seeds.reveal(view));
  }

  // "open", "lost", or null where there is no room.
  get state() {
    return this.socket.state;
  }

  async start(lang) {
    await this.fetchServerInfo(lang);
    this.socket.listenToPage();
  }

  async fetchServerInfo(lang) {
    this.serverInfo = await fetchServerInfo(lang);
    this.lang = this.serverInfo.lang;
  }

  // Enters a room and stays in it; resolves with its view.
  enterRoom(roomId) {
    if (this.roomId === roomId && this.room) return Promise.resolve(this.room);
    if (this.roomId === roomId && this.entering) return this.entering.promise;
    this.clearRoom();
    this.roomId = roomId;
    const entering = this.entering = {};
    entering.promise = new Promise((resolve, reject) => Object.assign(entering, { resolve, reject }));
    this.socket.setAddress(() => socketAddress(roomId, this.lang));
    return entering.promise;
  }

  leaveRoom() {
    if (!this.roomId) return;
    this.clearRoom();
    this.roomId = this.entering = null;
    this.socket.setAddress(null);
  }

  // Sends an intent to the current room; resolves when it is on disk.
  sendIntent(intent, id) {
    return this.sendCommand({ do: "want", intent }, id);
  }

  // Sends a command; without a connection it waits for the next one.
  sendCommand(message, id = newCommandId()) {
    const command = { ...message, id };
    const answer = this.commands.add(this.roomId, command);
    this.socket.send(command);
    return answer;
  }

  sendRemark(seat, remark) {
    this.socket.send({ do: "say", seat, remark });
  }

  // Switches the language; the server sends everything again in it.
  setLanguage(lang) {
    this.lang = lang;
    this.clearGame();
    this.socket.send({ do: "set_language", lang });
  }

  handleMessage(message) {
    const resolve = () => this.commands.resolve(message);
    const handlers = {
      room: () => this.handleRoom(message.view), game: () => this.setGame(message), position: () => this.setPosition(message), solving: () => this.setSolveProgress(message),
      remark: () => this.emit("remark", message), refused: () => this.handleRefusal(message), done: resolve, hint: resolve, ledger: resolve, turn: resolve,
    };
    handlers[message.is]?.();
  }

  handleRoom(view) {
    const { entering } = this;
    this.entering = null;
    this.setRoom(view);
    entering?.resolve(view);
  }

  handleRefusal(refusal) {
    if (this.commands.reject(this.roomId, refusal)) return;
    if (this.entering) this.failEntering(refusal);
    else this.emit("refused", refusal);
  }

  // For good: this page is older than the server, which says so in the reason.
  handleClosed({ reason, forGood }) {
    if (forGood && reason) this.emit("closed", reason);
    else if (forGood && this.entering) this.failEntering({ code: "closed", text: reason });
    else if (reason) this.emit("refused", { code: "closed", text: reason });
  }

  failEntering({ code, text }) {
    const { reject } = this.entering;
    this.leaveRoom();
    reject({ code, text });
  }
}

function socketAddress(room, lang) {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  return `${scheme}://${location.host}/ws/${WIRE_VERSION}/${encodeURIComponent(room)}${lang ? `?lang=${encodeURIComponent(lang)}` : ""}`;
}

// The connection of this page.
export const connection = new Connection();
