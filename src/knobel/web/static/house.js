/* The line to the house: one socket, commands that are never lost and never done twice, and this device's part in the dice. */

import { hex, joined, sha256, u32, unhex } from "./sha256.js";
import { prefs } from "./prefs.js";

const PATIENCE = 4000;
const SILENCE = 3000;
const DOUBT = 1000;
const LONGEST_PAUSE = 1000;
const LONGEST_OPENING = 12000;
const THOUGHTFUL = ["hint", "ledger"];

class House {
  constructor() {
    this.hello = null;
    this.room = this.block = this.position = this.solving = null;
    this.link = null;
    this.roomId = null;
    this.listeners = new Map();
    this.waiting = new Map();
    this.entering = null;
    this.tries = this.hung = this.heardAt = 0;
    this.watchdog = null;
    this.knocking = false;
    this.sealing = new Set();
    this.counter = 0;
    this.self = random(8);
  }

  // Asks the house who it is, and connects.
  async start(lang) {
    await this.greet(lang);
    this.connect();
    document.addEventListener("visibilitychange", () => document.hidden || this.hurry());
    document.addEventListener("resume", () => this.hurry());
    window.addEventListener("online", () => this.hurry());
    window.addEventListener("pageshow", (event) => event.persisted && this.hurry());
  }

  // Hears in a language what the house offers.
  async greet(lang) {
    const answer = await fetch(`/api/hello${lang ? `?lang=${encodeURIComponent(lang)}` : ""}`);
    this.hello = await answer.json();
    this.lang = this.hello.lang;
  }

  // Lists the boxes one can play, fetched once for each language.
  editions() {
    this.boxes ??= fetch(`/api/editions${this.lang ? `?lang=${encodeURIComponent(this.lang)}` : ""}`)
      .then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error(answer.statusText))))
      .catch((error) => { this.boxes = null; throw error; });
    return this.boxes;
  }

  // Listens to "room", "block", "position", "said", "link" or "refused"; gives back how to stop.
  on(kind, fn) {
    if (!this.listeners.has(kind)) this.listeners.set(kind, new Set());
    this.listeners.get(kind).add(fn);
    return () => this.listeners.get(kind).delete(fn);
  }

  // Looks at a room from now on; resolves with its view.
  enter(roomId) {
    if (this.roomId !== roomId) this.forget();
    this.roomId = roomId;
    return this.expectRoom({ do: "enter", room: roomId });
  }

  // Finds the room with a spoken code and looks at it; resolves with its id.
  enterCode(code) {
    this.forget();
    return this.expectRoom({ do: "enter_code", code }).then((view) => view.room);
  }

  // Opens a room, and begins at once if asked; resolves with its id.
  async open(settle, chairs = [], begin = false) {
    const { room } = await this.command({ do: "open", settle, chairs });
    if (begin) await this.beginAt(room).catch((refused) => this.tell("refused", refused));
    return room;
  }

  // Begins a game as soon as this device's seed is promised.
  async beginAt(room) {
    await this.enter(room);
    if (!this.room.sealed && this.seat !== undefined) {
      await new Promise((sealed) => {
        const stop = this.on("room", (view) => { if (view.sealed) { stop(); sealed(); } });
      });
    }
    return this.want({ want: "begin" });
  }

  // Wants something in the room we are in; resolves when it is on disk.
  want(intent) {
    return this.command({ do: "want", room: this.roomId, intent });
  }

  // Says a ready-made remark.
  say(seat, remark) {
    this.send({ do: "say", room: this.roomId, seat, remark });
  }

  // Is spoken to in another language from now on.
  speak(lang) {
    this.lang = lang;
    this.boxes = this.block = this.position = null;
    this.send({ do: "speak", lang });
    if (this.roomId) this.send({ do: "enter", room: this.roomId });
  }

  // Stops looking at the room.
  leave() {
    if (!this.roomId) return;
    this.forget();
    this.roomId = null;
    this.socket?.close();
  }

  // The lowest seat of this device, or undefined.
  get seat() {
    const place = this.room?.chairs.findIndex((chair) => chair.yours) ?? -1;
    return place < 0 ? undefined : place;
  }

  forget() {
    this.room = this.block = this.position = this.solving = null;
  }

  expectRoom(message) {
    return new Promise((resolve, reject) => {
      this.entering = { message, resolve, reject };
      this.send(message);
    });
  }

  // A name for a command that no other one has.
  newId() {
    return `${this.self}.${++this.counter}`;
  }

  command(message, id = this.newId()) {
    return new Promise((resolve, reject) => {
      const waiting = { message: { ...message, id }, resolve, reject };
      this.waiting.set(id, waiting);
      this.send(waiting.message);
    });
  }

  send(message) {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    this.socket.send(JSON.stringify(message));
    this.watch();
  }

  // A line that stays silent after a message is dead, whatever the socket says.
  watch(patience = PATIENCE) {
    this.watchdog ??= setTimeout(() => {
      this.watchdog = null;
      if (this.hurried || this.entering || this.knocking) this.lost();
    }, patience);
  }

  // Waits no longer for an answer.
  calm() {
    clearTimeout(this.watchdog);
    this.watchdog = null;
  }

  // Whether something waits that is answered at once; the coach may have to think first.
  get hurried() {
    return [...this.waiting.values()].some(({ message }) => !THOUGHTFUL.includes(message.do));
  }

  // A page somebody looks at knocks when it has long heard nothing: a line can be dead without having been closed.
  // A page nobody looks at sleeps, and makes sure when it is looked at again.
  listen() {
    clearTimeout(this.silence);
    this.heardAt = Date.now();
    this.knocking = false;
    this.silence = setTimeout(() => {
      if (document.hidden || !this.roomId || this.waiting.size || this.entering) return;
      if (this.slept) return this.hurry();
      this.knocking = true;
      this.send({ do: "knock" });
    }, SILENCE);
  }

  // Whether nothing was heard for longer than a page that is awake would let pass.
  get slept() {
    return Date.now() - this.heardAt > SILENCE + 1000;
  }

  connect() {
    clearTimeout(this.again);
    const lang = this.lang ? `?lang=${encodeURIComponent(this.lang)}` : "";
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws${lang}`);
    this.socket = socket;
    const mine = (fn) => (event) => socket === this.socket && fn(event);
    this.calm();
    this.watchdog = setTimeout(mine(() => { this.hung++; this.lost(); }), Math.min(LONGEST_OPENING, PATIENCE / 2 * 2 ** this.hung));
    this.began = Date.now();
    socket.addEventListener("open", mine(() => this.opened()));
    socket.addEventListener("message", mine((event) => this.hear(JSON.parse(event.data))));
    socket.addEventListener("close", mine(({ reason }) => { if (reason) this.tell("refused", { code: "closed", text: reason }); this.lost(); }));
  }

  opened() {
    this.calm();
    this.hung = 0;
    this.listen();
    this.sealing.clear();
    this.setLink("open");
    if (this.entering) this.send(this.entering.message);
    else if (this.roomId) {
      this.knocking = true;
      this.send({ do: "enter", room: this.roomId });
    }
    this.resend();
  }

  // Sends again what was not answered, under its old name, so that nothing is done twice.
  resend() {
    for (const { message } of this.waiting.values()) this.send(message);
  }

  lost() {
    const socket = this.socket;
    this.socket = null;
    socket?.close();
    this.calm();
    clearTimeout(this.silence);
    this.setLink("lost");
    clearTimeout(this.again);
    this.again = setTimeout(() => this.connect(), Math.min(LONGEST_PAUSE, 150 * 2 ** this.tries++));
  }

  // Comes back at once: after sleep, or when the network is there again; a line that was silent for long is in doubt.
  hurry() {
    const state = this.socket?.readyState;
    if (state === WebSocket.CONNECTING && Date.now() - this.began < DOUBT) return;
    if (state !== WebSocket.OPEN) {
      this.hung = 0;
      this.socket?.close();
      this.connect();
    } else if (this.roomId) {
      this.calm();
      this.watch(this.slept ? DOUBT : PATIENCE);
      this.enter(this.roomId).catch(() => {});
    }
  }

  setLink(state) {
    if (this.link === state) return;
    this.link = state;
    this.tell("link", state);
  }

  tell(kind, value) {
    for (const fn of [...(this.listeners.get(kind) ?? [])]) fn(value);
  }

  hear(message) {
    this.tries = 0;
    this.listen();
    this.calm();
    if (this.waiting.size > 1 || this.entering) this.watch();
    const told = { room: this.heardRoom, block: this.heardBlock, board: this.heardBlock, position: this.heardPosition, rounds: this.heardPosition, said: this.heardSaid,
      done: this.heardDone, hint: this.heardDone, ledger: this.heardDone, turn: this.heardDone, round_turn: this.heardDone, refused: this.heardRefused, solving: this.heardSolving }[message.is];
    told?.call(this, message);
  }

  heardRoom({ view }) {
    if (this.entering?.message.do === "enter_code") this.roomId = view.room;
    if (view.room !== this.roomId) return;
    this.room = view;
    this.entering?.resolve(view);
    this.entering = null;
    const others = prefs.get("rooms").filter((id) => id !== view.room);
    if (prefs.get("rooms")[0] !== view.room) prefs.set("rooms", [view.room, ...others].slice(0, 12));
    this.tell("room", view);
    this.seal(view);
  }

  heardBlock(block) {
    this.block = { ...block, family: block.is === "board" ? "rounds" : "sheet" };
    if (this.position && this.position.view.game !== block.game) this.position = null;
    this.tell("block", this.block);
  }

  heardPosition(position) {
    if (position.room !== this.roomId) return;
    this.position = position;
    this.tell("position", position);
    this.reveal(position.view);
  }

  heardSaid(said) {
    if (said.room === this.roomId) this.tell("said", said);
  }

  heardSolving(solving) {
    if (solving.room !== this.roomId) return;
    this.solving = solving;
    this.tell("solving", solving);
  }

  heardDone(done) {
    this.waiting.get(done.id)?.resolve(done);
    this.waiting.delete(done.id);
  }

  heardRefused({ id, code, text }) {
    if (id !== null && this.waiting.has(id)) {
      this.waiting.get(id).reject({ code, text });
      this.waiting.delete(id);
    } else if (this.entering) {
      this.entering.reject({ code, text });
      this.entering = null;
      if (!this.room) this.roomId = null;
    } else if (this.waiting.size === 1) [...this.waiting.keys()].forEach((only) => this.heardRefused({ id: only, code, text }));
    else this.tell("refused", { code, text });
  }

  // Promises this device's seed for the next game, under its lowest seat.
  seal(view) {
    const seat = this.seat;
    const once = `${view.coming}/${seat}`;
    if (view.sealed || seat === undefined || this.sealing.has(once)) return;
    this.sealing.add(once);
    const seed = unhex(seedOf(view.coming) ?? newSeed(view.coming, view.commitment));
    const seal = hex(sha256(joined("yz-cs-v1", view.coming, u32(seat), seed)));
    this.want({ want: "seal", game: view.coming, seal }).catch(() => {}).finally(() => this.sealing.delete(once));
  }

  // Shows the seed once the table waits for it.
  reveal(view) {
    const seat = view.seats.findIndex((one) => one.yours);
    const once = `${view.game}!`;
    const seed = seedOf(view.game);
    if (!view.waiting.includes(seat) || !seed || this.sealing.has(once)) return;
    this.sealing.add(once);
    this.want({ want: "reveal", seed }).catch(() => {}).finally(() => this.sealing.delete(once));
  }
}

const seeds = new Map();

function seedOf(game) {
  try {
    return seeds.get(game) ?? localStorage.getItem(`knobel.seed.${game}`);
  } catch {
    return seeds.get(game) ?? null;
  }
}

// Draws a seed, and remembers what the house had promised by then.
function newSeed(game, promise) {
  const seed = random(32);
  seeds.set(game, seed);
  try {
    localStorage.setItem(`knobel.seed.${game}`, seed);
    localStorage.setItem(`knobel.promise.${game}`, promise);
  } catch { /* then it lives as long as this page */ }
  return seed;
}

function random(bytes) {
  return hex(crypto.getRandomValues(new Uint8Array(bytes)));
}

// The house this page belongs to.
export const house = new House();
