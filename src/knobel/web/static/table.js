/* The table: draws where the game stands, and sends what the players want. */

import { ask, toast } from "./ask.js";
import { bar, isScreen, toLobby } from "./app.js";
import { beginNext, End, headline } from "./end.js";
import { isMine, isPad, isPerson, isThrow, keptIn, modelOf, seatOf, throwText, trayOf, unseated } from "./model.js";
import { fill, h } from "./dom.js";
import { guideFirstTurn } from "./guide.js";
import { tumbling } from "./dice.js";
import { hideTip } from "./tip.js";
import { house } from "./house.js";
import { listen } from "./keys.js";
import { Lateness } from "./late.js";
import { Players } from "./players.js";
import { prefs } from "./prefs.js";
import { RoundsBoard } from "./rounds.js";
import { SheetBlock } from "./sheet.js";
import { solvingLine } from "./solving.js";
import { sound } from "./sound.js";
import { bestWords, boxName, titleWords, underWords } from "./telling.js";
import { language, moreWords, t } from "./words.js";
import { Tray } from "./tray.js";
import { aloud } from "./voice.js";

const ONE_PRESS = 400;
let Pad = null;

class Table extends HTMLElement {
  connectedCallback() {
    this.keep = new Set();
    this.viewed = this.lingering = this.lastOwn = this.entering = null;
    this.passed = true;
    this.pressed = -ONE_PRESS;
    this.told = undefined;
    this.built = this.pad = null;
    this.lateness = new Lateness(() => this.draw());
    this.stops = [
      house.on("position", (position) => this.heard(position)), house.on("room", () => this.draw()),
      house.on("said", ({ seat, remark }) => this.players?.said(seat, remark)),
      prefs.on("faces", () => this.draw()), prefs.on("view", () => this.draw()), prefs.on("ledger", () => this.draw()), listen(this),
    ];
    if (house.position) this.heard(house.position);
  }

  disconnectedCallback() {
    for (const stop of [...this.stops, () => this.pad?.close(), () => this.lateness.stop()]) stop();
    clearTimeout(this.moving);
    hideTip();
  }

  // Lays out the table for a game; afterwards everything is only redrawn in place.
  build(view) {
    const key = JSON.stringify([view.game, view.seats.map((seat) => seat.yours), language()]);
    if (this.built === key) return;
    const again = this.built !== null;
    if (this.contains(document.activeElement)) queueMicrotask(() => this.tray.home.focus({ preventScroll: true }));
    this.built = key;
    this.pad?.close();
    const { block } = house;
    this.players = new Players(view.seats, { show: (seat) => this.show(seat), follow: () => this.follow(), want: (intent) => this.want(intent) });
    const Board = block.family === "rounds" ? RoundsBoard : SheetBlock;
    this.board = new Board(block, view.seats, { choose: (option) => this.choose(option), strike: (option) => this.strike(option),
      player: (button, seat) => (seat !== this.model.seat && this.pad?.activate(seat)) || this.players.open(button, seat), follow: () => this.follow(),
      press: (button, seat, box) => this.pad?.press(button, seat, box), deeds: (box) => this.pad?.deeds(box) ?? [] });
    this.tray = new Tray(block, { tap: (place) => this.tap(place), act: (event) => this.press(event), goOn: () => this.goOn(),
      putIn: (button) => this.players.standIns(button, this.model.seat), passed: () => this.pass(), without: (seat) => this.want({ want: "start_without", seat }), stand: (way) => this.stand(way) });
    this.end = new End({ begin: () => this.begin(), lobby: toLobby, undo: () => this.undo(), goOn: () => this.goOn() });
    const felt = h("div", { class: ["felt", view.seats.length > 5 && "crowd", block.family === "rounds" && "of-rounds"].filter(Boolean).join(" ") }, this.board.element, h("div", { class: "side" }, this.tray.element, this.end.element));
    this.tray.status.after(solvingLine());
    felt.style.setProperty("--seats", view.seats.length);
    felt.style.setProperty("--rows", (block.boxes?.length ?? 0) + (block.bonus ? 2 : 1));
    fill(this, block.family === "sheet" && this.players.element, felt);
    this.undoButton = h("button", { class: "quiet", "aria-label": t("table.undo"), title: t("table.undo"), "data-act": "undo", onclick: () => this.undo() },
      "↶", h("span", { class: "word" }, t("table.undo")));
    this.hintButton = h("button", { class: "quiet", hidden: isScreen() || !view.seats.some(isPerson), "data-act": "hint", onclick: () => this.hint() }, t("table.hint"));
    this.bar = bar({ title: block.title, buttons: [this.hintButton, this.undoButton], more: () => this.more() });
    this.hinted = this.ledger = null;
    this.pad = isPad(view) ? new Pad(this, house) : null;
    if (block.family === "sheet" && !this.pad) queueMicrotask(() => guideFirstTurn(this));
    if (again) Object.assign(this, { keep: new Set(), viewed: null, lingering: null, lastOwn: null, told: undefined });
  }

  more() {
    const { view } = house.position;
    const own = isScreen() ? -1 : view.seats.findIndex(isPerson);
    return [
      own >= 0 && { label: t("table.ask_coach"), act: () => this.hint(), hook: "ask-coach", off: !this.deciding },
      own >= 0 && { label: t("player.say"), act: () => this.players.remarks(this.querySelector(".tray:not([hidden]) .throw") ?? this.undoButton, own), hook: "say" },
      !isScreen() && { label: t("table.screen"), act: () => open(`/room/${house.roomId}/screen`, "_blank", "noopener"), hook: "screen" },
      house.room.host && !isScreen() && !view.closed && { label: t("table.stop"), act: () => this.stop(), hook: "stop" },
    ].filter(Boolean);
  }

  // A new position: takes over what was kept, draws it, lets dice tumble, says what happened.
  heard(said) {
    const position = isScreen() ? unseated(said) : said;
    if (!house.block || house.block.game !== position.view.game) return;
    if (isPad(position.view) && !Pad) return this.fetchPad();
    const before = this.position?.view.game === position.view.game ? this.position : null;
    this.build(position.view);
    this.position = position;
    this.pad?.heard(position);
    const fresh = before !== null && position.view.count > before.view.count;
    const landed = fresh ? position.last.findLast((event) => event.event === "landed") : null;
    this.turnOver(before, position, landed);
    this.lateness.watch(position.view, house.room?.host);
    this.draw();
    this.tell(before, fresh);
    if (landed) this.tumble(landed.positions);
    else if (fresh && position.last.some((event) => event.event === "acted")) sound("write");
    if (this.busy && this.busy.count !== position.view.count) this.busy = null;
  }

  // Whoever has real dice gets a pad; it is fetched when the first one is laid.
  fetchPad() {
    Promise.all([import("./pad.js"), moreWords("pad")]).then(([found]) => {
      Pad = found.Pad;
      if (this.isConnected && house.position) this.heard(house.position);
    }).catch(() => setTimeout(() => this.isConnected && this.fetchPad(), 1000));
  }

  // The tray this table looks at.
  trayIn(view) {
    return trayOf(view, this.pad?.active ?? this.viewed);
  }

  // Carries the kept dice through a turn, and notices when the turn goes to another person at this screen.
  turnOver(before, { view, last }, landed) {
    const tray = this.trayIn(view);
    const old = before && this.trayIn(before.view);
    const same = old && tray && old.seat === tray.seat && tray.dice.length && tray.thrown >= old.thrown && old.dice.length;
    const acted = last.findLast((event) => event.event === "acted");
    if (!same) this.keep = new Set();
    if (tray && acted && acted.seat === tray.seat && isThrow(acted.action)) this.keep = new Set(keptIn(acted.action));
    for (const place of tray?.locked ?? []) this.keep.add(place);
    this.rolled = landed && !tray?.dice.length ? landed.dice : tray?.phase === "rolloff" && before ? this.rolled : null;
    if (old && old.seat !== tray?.seat) this.linger(old.seat);
    if (!isMine(view, tray)) return;
    if (old?.seat !== tray.seat) this.viewed = null;
    if (this.lastOwn !== null && this.lastOwn !== tray.seat && view.trays.length === 1 && !view.seats[tray.seat].own_dice) this.passed = false;
    this.lastOwn = tray.seat;
  }

  // The sheet just written on stays in sight for a moment before the next one comes.
  linger(seat) {
    clearTimeout(this.moving);
    const long = tumbling() * 1.5;
    this.lingering = long ? seat : null;
    if (long) this.moving = setTimeout(() => this.moveOn(), long);
  }

  moveOn() {
    clearTimeout(this.moving);
    this.lingering = null;
    this.draw();
  }

  // Everything the parts need to draw themselves.
  look() {
    const view = this.pad?.ahead(this.position.view) ?? this.position.view;
    const tray = this.trayIn(view);
    const seat = seatOf(view, tray);
    this.entering = this.pad?.slots(view, tray) ?? null;
    return modelOf({
      room: isScreen() ? { ...house.room, host: false } : house.room, block: house.block, view, tray, shown: this.viewed ?? this.lingering ?? this.pad?.rests(view, tray) ?? seat, away: this.viewed !== null && this.viewed !== seat,
      keep: this.keep, entering: this.entering, rolled: this.rolled, passed: this.passed, late: this.lateness.ones, hand: this.pad?.byHand(view, tray),
    });
  }

  get mine() {
    return this.model?.mine && !this.model.over;
  }

  draw() {
    if (!this.position || !house.room) return;
    const focus = [this, this.undoButton, this.hintButton].some((one) => one?.contains(document.activeElement)) ? document.activeElement : null;
    const model = this.model = this.look();
    this.players.draw(model);
    this.board.draw(model);
    this.tray.draw(model);
    this.tray.element.hidden = model.over;
    this.pad?.draw(model);
    this.end.draw(model);
    this.undoButton.disabled = !(this.pad ? this.pad.undoable : model.view.undo !== null);
    this.hintButton.disabled = !this.deciding;
    this.hinted?.draw(model);
    if (this.ledger || prefs.get("ledger")) this.tally(model);
    this.bar.under(underWords(model, isScreen()));
    document.title = `${titleWords(model)} · ${house.block.title}`;
    this.refocus(focus, model);
  }

  // The focus follows the turn, and is never lost with something that went away.
  refocus(focus, { mine, over }) {
    const cell = focus?.matches(".cell") ? focus : null;
    const gone = focus && (focus.disabled || focus.getClientRects().length === 0);
    if (over && (gone || !this.wasOver)) this.end.element.focus({ preventScroll: true });
    else if (cell && mine && !cell.dataset.box) this.board.rove()?.focus({ preventScroll: true });
    else if (gone) this.tray.home.focus({ preventScroll: true });
    this.wasOver = over;
  }

  // One announcement for each action: what happened, then whose turn it is if that changed.
  tell(before, fresh) {
    const { view, tray, seat, over } = this.model;
    const player = tray && !over && !view.waiting.length ? seat : null;
    const turned = player !== this.told;
    if (before && !fresh && !turned) return;
    this.told = player;
    const turn = turned && player !== null && (view.trays.length === 1 ? tray.asked ?? t(tray.phase === "rolloff" ? "tray.rolloff_of" : "tray.turn", { name: view.seats[seat].name }) : before && this.model.hand && this.pad.whoWords(this.model));
    const told = this.position.told.join(" ");
    const text = [told, turn].filter(Boolean).join(" ");
    if (text) this.tray.say(this.model.hand && told ? told : text);
    aloud(text, text && bestWords(this.model), turned && over && view.places && headline(view));
    if (turned && before && this.model.mine) sound("turn");
  }

  tumble(places) {
    sound("throw");
    const long = this.tray.tumble(places);
    if (!long) return;
    this.classList.add("tumbling");
    clearTimeout(this.still);
    this.still = setTimeout(() => this.classList.remove("tumbling"), long * 0.8);
  }

  // One command at a time: until the new position is here, or a refusal, further clicks do nothing.
  async want(intent) {
    if (this.busy) return;
    const mine = this.busy = { count: this.position.view.count };
    const ended = this.model.over;
    try {
      await house.want(intent);
      setTimeout(() => this.free(mine), 1000);
    } catch (refused) {
      this.free(mine);
      this.pressed = -ONE_PRESS;
      const late = intent.want === "go_on" && refused.code === "stale" && !ended;
      if (!late) toast(refused.text ?? String(refused));
    }
    if (this.position.view.count !== mine.count) this.free(mine);
  }

  free(command) {
    if (this.busy === command) this.busy = null;
  }

  act(action, note) {
    const { seat } = this.model.tray;
    if (this.lingering !== null) this.moveOn();
    this.pass();
    if (this.pad?.holds(seat)) return this.pad.act(action, note);
    return this.want({ want: "act", seat, ply: this.position.view.seats[seat].ply, action });
  }

  // A second press within a moment is the same press: nobody throws again before having seen the dice.
  press(event) {
    const since = event.timeStamp - this.pressed;
    if (since < ONE_PRESS / 2 || (since < ONE_PRESS && event.detail > 1)) return;
    if (this.throwNow()) this.pressed = event.timeStamp;
  }

  throwNow() {
    const { doing, tray, block } = this.model;
    if (!this.mine || !doing.ready || this.busy) return false;
    if (doing.does === "stand") this.stand(tray.stands[0]);
    else this.act(throwText(block.dice, tray.dice, this.keep));
    return true;
  }

  // Stops throwing; an opener says with it what the others must do.
  stand(way) {
    if (!this.mine || this.busy) return false;
    this.pressed = -ONE_PRESS;
    this.act(way.action);
    return true;
  }

  // Stops by keyboard: over, under, or the only way there is.
  standKey(aim) {
    const ways = this.mine && this.model.tray.stands || [];
    const way = ways.find((one) => one.aim === aim) ?? (ways.length === 1 && ways[0]);
    return Boolean(way) && this.stand(way);
  }

  // A box was chosen: announced before the first throw, written afterwards; a zero that hurts is asked about.
  async choose(option) {
    if (!this.mine || this.busy) return;
    this.pressed = -ONE_PRESS;
    if (!this.model.tray.dice.length) return this.act(`!${option.box}`);
    const box = boxName(house.block, option.box);
    if (option.warn_zero && !await ask({ title: t("table.zero_title", { box }), text: t("table.zero_text"), yes: t("table.zero_yes"), no: t("table.zero_no") })) return;
    this.act(option.box, { box: option.box, shown: option.points === null ? "?" : String(option.points) });
  }

  async strike(option) {
    const box = boxName(house.block, option.box);
    if (await ask({ title: t("table.strike_title", { box }), text: t("table.strike_text", { n: option.points }), yes: t("table.zero_yes"), no: t("table.zero_no") })) this.act(`/${option.box}`, { box: option.box, shown: "0" });
  }

  strikeFocused(target) {
    const option = this.mine && target.dataset.box ? this.board.option(target.dataset.box) : null;
    if (!option || option.refusal || !this.model.tray.dice.length) return this.pad?.zero(option) ?? false;
    if (option.strike) this.strike(option);
    else this.choose(option);
    return true;
  }

  // Keeps a die or lets it go; a real one that was told is told anew.
  tap(place) {
    this.pressed = -ONE_PRESS;
    const { tray, choosing } = this.model;
    if (!this.mine || this.pad?.tapped(place)) return;
    if (!choosing || tray.locked.includes(place)) return;
    else if (!this.keep.delete(place)) this.keep.add(place);
    sound("keep");
    this.draw();
  }

  // A number on the keyboard: a position to keep, or what the next real die shows; 0 takes the last one back.
  number(n) {
    if (!this.mine) return false;
    if (this.entering || !n) return this.pad?.digit(n) ?? false;
    if (this.model.hand) return false;
    return n <= house.block.dice && (this.tap(n - 1), true);
  }

  // Whether there is anything a coach could advise on here.
  get deciding() {
    return this.mine && (this.model.tray.dice.length > 0 || this.model.tray.phase === "announce") && this.model.tray.phase !== "land";
  }

  // Asks the coach what is best; the page says first that this is noted.
  hint() {
    if (!this.deciding || this.busy || this.asking || this.hinted) return false;
    this.asking = import("./hint.js").then(({ askHint }) => askHint(this)).then((slip) => {
      this.hinted = slip;
      if (slip) this.draw();
    }).catch(() => toast(t("table.no_hint"))).finally(() => { this.asking = null; });
    return true;
  }

  closeHint() {
    const slip = this.hinted;
    slip?.close();
    return Boolean(slip);
  }

  // The running ledger stands under the totals of whoever wants it.
  tally(model) {
    this.ledger ??= import("./ledger.js").then(({ Ledger }) => new Ledger(this.board.element));
    this.ledger.then((ledger) => ledger.draw(model)).catch(() => { this.ledger = null; });
  }

  undo() {
    const { undo, seats } = this.position.view;
    if (this.pad?.undo()) return true;
    if (undo === null) return false;
    this.want({ want: "undo", seat: undo, ply: seats[undo].ply });
    return true;
  }

  goOn() {
    const { over, helps, view } = this.model;
    if (helps !== "go-on" && !(over && !view.closed)) return false;
    this.want({ want: "go_on", ply: view.ply });
    return true;
  }

  pass() {
    if (this.passed) return;
    this.passed = true;
    this.draw();
  }

  async begin() {
    if (this.busy) return;
    const mine = this.busy = { count: null };
    await beginNext(ask).catch((refused) => toast(refused.text ?? String(refused)));
    this.free(mine);
  }

  async stop() {
    if (await ask({ title: t("table.stop_title"), text: t("table.stop_text"), yes: t("table.stop"), no: t("table.play_on") })) this.want({ want: "stop" });
  }

  // Shows another player's sheet; where everybody plays at once, his tray too if it is ours.
  show(seat) {
    if (this.pad?.activate(seat)) return;
    this.viewed = seat;
    this.draw();
  }

  follow() {
    if (this.viewed === null) return false;
    this.viewed = null;
    this.draw();
    return true;
  }
}

customElements.define("knobel-table", Table);
