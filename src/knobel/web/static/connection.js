/* The connection to the server: one socket, one room. */

import { fetchServerInfo } from "./api.js";
import { CommandTracker, newCommandId } from "./commands.js";
import { reportUnproven, UNPROVEN } from "./device-secret.js";
import { RoomState } from "./room-state.js";
import { SeedKeeper } from "./seeds.js";
import { ReconnectingSocket } from "./socket.js";

const WIRE_VERSION = 5;
const RESEND_DELAY = 1000;
const SEEN_KEY = "knobel.seen.";
// What is wanted of a room; everything else is wanted of a game, and names it.
const ROOM_INTENTS = "sit take sit_bot rename get_up swap settle real_dice hand_over lock seal begin".split(" ");

// Emits besides what RoomState emits "remark", "chances", "state" ("open", "lost" or null), "refused" and "closed" (a text, for good).
class Connection extends RoomState {
  /** @type {string | undefined} */
  lang;
  /** @type {Entering | null} */
  entering;
  /** @type {string | null} */
  roomId;
  /** @type {ServerInfo | null} */
  serverInfo;

  constructor() {
    super();
    this.serverInfo = this.roomId = this.entering = null;
    this.commands = new CommandTracker();
    this.seeds = new SeedKeeper((intent) => this.sendIntent(intent));
    this.socket = new ReconnectingSocket(() => Boolean(this.entering) || this.commands.hasUrgent(this.roomId));
    this.socket.on("open", () => {
      this.seeds.reset();
      const seen = this.roomId === null ? null : loadSeen(this.roomId);
      if (seen) this.socket.send({ do: "seen", ...seen });
      // What was not answered is sent again under its old id, so that nothing is done twice.
      for (const message of this.commands.listMessages(this.roomId)) this.socket.send(message);
    });
    this.socket.on("message", (message) => this.handleMessage(message));
    this.socket.on("state", (state) => this.emit("state", state));
    this.socket.on("closed", (closed) => this.handleClosed(closed));
    this.on("room", (view) => this.seeds.seal(view));
    this.on("position", ({ view }) => {
      if (this.roomId !== null) saveSeen(this.roomId, view);
      this.seeds.reveal(view);
    });
  }

  // "open", "lost", or null where there is no room.
  get state() {
    return this.socket.state;
  }

  /** @param {string | null} lang */
  async fetchServerInfo(lang) {
    this.serverInfo = await fetchServerInfo(lang);
    this.lang = this.serverInfo.lang;
  }

  /**
   * Enters a room and stays in it; resolves with its view.
   * @param {string} roomId
   * @returns {Promise<Wire.RoomView>}
   */
  enterRoom(roomId) {
    if (this.roomId === roomId && this.room) return Promise.resolve(this.room);
    if (this.roomId === roomId && this.entering) return this.entering.promise;
    this.clearRoom();
    this.roomId = roomId;
    const entering = createEntering();
    this.entering = entering;
    this.socket.setAddress(() => socketAddress(roomId, this.lang));
    return entering.promise;
  }

  leaveRoom() {
    if (!this.roomId) return;
    this.clearRoom();
    this.roomId = this.entering = null;
    this.socket.setAddress(null);
  }

  /**
   * Sends an intent to the current room, or to its game unless another is named; resolves when it is on disk.
   * @param {Wire.Intent} intent
   * @param {string} [id]
   * @param {string | null} [game]
   * @returns {Promise<Wire.DoneMessage>}
   */
  sendIntent(intent, id, game = this.position?.view.game ?? this.room?.game) {
    return this.sendCommand({ do: "want", intent, ...(ROOM_INTENTS.includes(intent.want) ? {} : { game }) }, id);
  }

  /**
   * Sends a command; without a connection it waits for the next one.
   * @template {AskedCommand["do"]} D
   * @param {Omit<Extract<AskedCommand, { do: D }>, "id"> & { do: D }} message
   * @param {string} [id]
   * @returns {Promise<AnswerTo[D]>}
   */
  sendCommand(message, id = newCommandId()) {
    const command = /** @type {AskedCommand} */ (/** @type {unknown} */ ({ ...message, id }));
    const answer = this.commands.add(this.roomId, command);
    this.socket.send(command);
    return /** @type {Promise<AnswerTo[D]>} */ (answer);
  }

  /**
   * @param {number} seat
   * @param {Wire.SayRemark["remark"]} remark
   */
  sendRemark(seat, remark) {
    this.socket.send({ do: "say", seat, remark });
  }

  /**
   * Switches the language; the server sends everything again in it.
   * @param {string} lang
   */
  setLanguage(lang) {
    this.lang = lang;
    this.clearGame();
    this.socket.send({ do: "set_language", lang });
  }

  /** @param {Wire.ServerMessage} message */
  handleMessage(message) {
    switch (message.is) {
      case "room":
        return this.handleRoom(message.view);
      case "game":
        return this.setGame(message);
      case "position":
        return this.setPosition(message);
      case "solving":
        return this.setSolveProgress(message);
      case "remark":
        return this.emit("remark", message);
      case "chances":
        return this.emit("chances", message);
      case "refused":
        return this.handleRefusal(message);
      case "done":
      case "hint":
      case "ledger":
      case "turn":
        return this.commands.resolve(message);
    }
  }

  /** @param {Wire.RoomView} view */
  handleRoom(view) {
    const { entering } = this;
    this.entering = null;
    this.setRoom(view);
    entering?.resolve(view);
  }

  /** @param {Wire.RefusedMessage} refusal */
  handleRefusal(refusal) {
    if (this.commands.isUnsure(refusal)) {
      this.resendLater(refusal);
      return;
    }
    if (refusal.code === UNPROVEN) {
      // The page stays where it is: once the dialog is answered it begins anew, with what waits to be sent.
      this.entering = null;
      reportUnproven(refusal.text);
      return;
    }
    if (this.commands.reject(this.roomId, refusal)) return;
    if (this.entering) this.failEntering(refusal);
    else this.emit("refused", refusal);
  }

  /**
   * Nobody knows whether it was carried out: under its old id it can be sent until there is an answer.
   * @param {Wire.RefusedMessage} refusal
   */
  resendLater({ id, text }) {
    const { roomId } = this;
    if (this.commands.noteUnsure(id)) this.emit("refused", { text });
    setTimeout(() => {
      const message = this.commands.listMessages(roomId).find((one) => one.id === id);
      if (message && roomId === this.roomId) this.socket.send(message);
    }, RESEND_DELAY);
  }

  /**
   * For good: this page is older than the server, which says so in the reason.
   * @param {SocketEvents["closed"]} closed
   */
  handleClosed({ reason, forGood }) {
    if (forGood && reason) this.emit("closed", reason);
    else if (forGood && this.entering) this.failEntering({ code: "closed", text: reason });
    else if (reason) this.emit("refused", { code: "closed", text: reason });
  }

  /** @param {Refusal} refusal */
  failEntering({ code, text }) {
    const { entering } = this;
    this.leaveRoom();
    entering?.reject({ code, text });
  }
}

/**
 * The last that was seen of a room's game: a server that knows less has lost something, and says so.
 * @param {string} room
 * @returns {SeenGame | null}
 */
function loadSeen(room) {
  try {
    return JSON.parse(localStorage.getItem(SEEN_KEY + room) ?? "null");
  } catch {
    return null;
  }
}

/**
 * @param {string} room
 * @param {SeenGame} seen
 */
function saveSeen(room, { game, count, head }) {
  try {
    localStorage.setItem(SEEN_KEY + room, JSON.stringify({ game, count, head }));
  } catch {
    /* then a server that lost something is noticed by this page alone */
  }
}

/** @returns {Entering} */
function createEntering() {
  /** @type {Omit<Entering, "promise">} */
  const settle = { resolve: () => {}, reject: () => {} };
  const promise = new Promise((resolve, reject) => Object.assign(settle, { resolve, reject }));
  return { promise, resolve: (room) => settle.resolve(room), reject: (refusal) => settle.reject(refusal) };
}

/**
 * @param {string} room
 * @param {string | undefined} lang
 */
function socketAddress(room, lang) {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const asked = new URLSearchParams(lang ? { lang } : {});
  // A big screen sees what a spectator sees, although its device may have a seat.
  if (location.pathname.endsWith("/screen")) asked.set("screen", "1");
  return `${scheme}://${location.host}/ws/${WIRE_VERSION}/${encodeURIComponent(room)}?${asked}`;
}

// The connection of this page.
export const connection = new Connection();
