/* A socket that comes back: it notices a dead connection, reconnects with growing delays, and at once after sleep. */

import { getDeviceSecret } from "./device-secret.js";
import { Emitter } from "./emitter.js";

const ANSWER_TIMEOUT = 4000;
const IDLE_TIMEOUT = 3000;
const DOUBT_TIMEOUT = 1000;
const MAX_RETRY_DELAY = 1000;
const SECRET_PROTOCOL = "secret.";
const MAX_OPEN_TIMEOUT = 12000;
const REFUSED_CODES = 4000; // from here on the server has said no, and trying again would not help

// Calls lost() where nothing was heard for too long after a message.
class Watchdog {
  /** @type {number | null} */
  timer;

  /** @param {() => void} lost */
  constructor(lost) {
    this.lost = lost;
    this.timer = null;
  }

  /** @param {number} [patience] */
  start(patience = ANSWER_TIMEOUT) {
    this.timer ??= setTimeout(() => {
      this.timer = null;
      this.lost();
    }, patience);
  }

  stop() {
    clearTimeout(this.timer ?? undefined);
    this.timer = null;
  }
}

/**
 * Emits "open", "message" (parsed), "state" ("open", "lost" or null) and "closed" ({reason, forGood}).
 * @extends {Emitter<SocketEvents>}
 */
export class ReconnectingSocket extends Emitter {
  /** @type {number} */
  connectStartedAt;
  /** @type {number | undefined} */
  idleTimer;
  /** @type {number | undefined} */
  retryTimer;
  /** @type {SocketState} */
  state;
  /** @type {WebSocket | null} */
  socket;
  /** @type {(() => string) | null} */
  address;

  /**
   * isWaiting() says whether an answer that comes at once is still missing.
   * @param {() => boolean} isWaiting
   */
  constructor(isWaiting) {
    super();
    this.isWaiting = isWaiting;
    this.address = this.socket = this.state = null;
    this.watchdog = new Watchdog(() => this.handleSilence());
    this.attempts = this.failedOpens = this.lastMessageAt = 0;
    this.isPinging = false;
  }

  /**
   * Talks to this address from now on; null stops.
   * @param {(() => string) | null} address
   */
  setAddress(address) {
    this.address = address;
    this.drop();
    if (address) this.connect();
    else this.setState(null);
  }

  // Keeps looking after the connection: after sleep and when the network returns it is tried at once.
  listenToPage() {
    document.addEventListener("visibilitychange", () => document.hidden || this.reconnectNow());
    document.addEventListener("resume", () => this.reconnectNow());
    window.addEventListener("online", () => this.reconnectNow());
    window.addEventListener("pageshow", (event) => event.persisted && this.reconnectNow());
  }

  connect() {
    if (!this.address) return;
    clearTimeout(this.retryTimer);
    const socket = new WebSocket(this.address(), ["knobel", SECRET_PROTOCOL + getDeviceSecret()]);
    this.socket = socket;
    /** @type {<E>(fn: (event: E) => void) => (event: E) => void} */
    const mine = (fn) => (event) => socket === this.socket && fn(event);
    this.watchdog.stop();
    this.watchdog.start(Math.min(MAX_OPEN_TIMEOUT, (ANSWER_TIMEOUT / 2) * 2 ** this.failedOpens));
    this.connectStartedAt = Date.now();
    socket.addEventListener(
      "open",
      mine(() => this.handleOpen()),
    );
    socket.addEventListener(
      "message",
      mine((event) => this.handleMessage(JSON.parse(event.data))),
    );
    socket.addEventListener(
      "close",
      mine((event) => this.handleClose(event)),
    );
  }

  /** @param {Wire.ClientMessage} message */
  send(message) {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    this.socket.send(JSON.stringify(message));
    this.watchdog.start();
  }

  handleOpen() {
    this.watchdog.stop();
    this.failedOpens = 0;
    this.resetIdleTimer();
    this.isPinging = true; // the first message of the server is the answer
    this.watchdog.start();
    this.emit("open", undefined);
  }

  /** @param {Wire.ServerMessage} message */
  handleMessage(message) {
    this.attempts = 0;
    this.resetIdleTimer();
    this.watchdog.stop();
    // Not before: a server whose database is gone takes every connection, and says nothing.
    this.setState("open");
    this.emit("message", message);
    if (this.isWaiting()) this.watchdog.start();
  }

  /** @param {CloseEvent} event */
  handleClose({ code, reason }) {
    if (code >= REFUSED_CODES) this.setAddress(null);
    else this.handleLost();
    this.emit("closed", { reason, forGood: code >= REFUSED_CODES });
  }

  // A connection that does not open, or stays silent after a message, is dead, whatever the socket says.
  handleSilence() {
    const isOpening = this.socket?.readyState === WebSocket.CONNECTING;
    if (isOpening) this.failedOpens++;
    if (isOpening || this.isPinging || this.isWaiting()) this.handleLost();
  }

  handleLost() {
    this.drop();
    this.setState("lost");
    this.retryTimer = setTimeout(() => this.connect(), Math.min(MAX_RETRY_DELAY, 150 * 2 ** this.attempts++));
  }

  drop() {
    const { socket } = this;
    this.socket = null;
    socket?.close();
    this.watchdog.stop();
    clearTimeout(this.idleTimer);
    clearTimeout(this.retryTimer);
  }

  // A visible page pings when it has heard nothing for long: a connection can be dead without having been closed.
  // A hidden page sleeps, and makes sure when it is looked at again.
  resetIdleTimer() {
    clearTimeout(this.idleTimer);
    this.lastMessageAt = Date.now();
    this.isPinging = false;
    this.idleTimer = setTimeout(() => {
      if (document.hidden || this.isWaiting()) return;
      if (wasAsleep(this.lastMessageAt)) this.reconnectNow();
      else this.ping();
    }, IDLE_TIMEOUT);
  }

  ping() {
    this.isPinging = true;
    this.send({ do: "ping" });
  }

  // Reconnects at once; an open connection that was silent for long is in doubt and gets little time to answer.
  reconnectNow() {
    if (!this.address) return;
    const state = this.socket?.readyState;
    if (state === WebSocket.CONNECTING && Date.now() - this.connectStartedAt < DOUBT_TIMEOUT) return;
    if (state !== WebSocket.OPEN) {
      this.failedOpens = 0;
      this.drop();
      this.connect();
      return;
    }
    this.watchdog.stop();
    this.watchdog.start(wasAsleep(this.lastMessageAt) ? DOUBT_TIMEOUT : ANSWER_TIMEOUT);
    this.ping();
  }

  /** @param {SocketState} state */
  setState(state) {
    if (this.state === state) return;
    this.state = state;
    this.emit("state", state);
  }
}

/**
 * Whether nothing was heard for longer than an awake page would let pass.
 * @param {number} lastMessageAt
 */
function wasAsleep(lastMessageAt) {
  return Date.now() - lastMessageAt > IDLE_TIMEOUT + 1000;
}
