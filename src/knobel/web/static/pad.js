/* The pad: real dice at the table. Takes what the dice showed or the points, for whichever of our players, and shows what waits. */

import { modal, toast } from "./ask.js";
import { isScreen } from "./app.js";
import { fill, h, wear, write } from "./dom.js";
import { house } from "./house.js";
import { Keypad } from "./keypad.js";
import { isMine, isPerson, placeOf } from "./model.js";
import { mayBend, pickPoints, pointsWords } from "./picker.js";
import { prefs } from "./prefs.js";
import { queueOf } from "./queue.js";
import { showTip } from "./tip.js";
import { aloud } from "./voice.js";
import { t } from "./words.js";

await wear("pad.css");

const SOON = 1500;

// The pad of one table.
export class Pad {
  constructor(table, { block }) {
    this.table = table;
    this.block = block;
    this.active = null;
    this.typed = new Map();
    this.known = new Map();
    this.queue = queueOf(house.roomId);
    this.keypad = new Keypad(block, { face: (value) => this.digit(value), rub: () => this.digit(0), throws: (n) => this.inThrows(n) });
    this.every = h("input", { type: "checkbox", role: "switch", onchange: () => prefs.set("each_throw", this.every.checked) });
    this.switch = h("label", { class: "switch every", "data-act": "every" }, h("span", { class: "switch-name" }, t("pad.every"), " ", h("small", {}, t("pad.every_is"))), this.every);
    this.standing = h("ol", { class: "ranking so-far", "aria-label": t("pad.so_far") });
    table.tray.sum.after(this.keypad.element);
    table.tray.element.append(this.standing, this.switch);
    const waits = () => (this.queue.count ? t("pad.lost_n", { n: this.queue.count }) : this.active === null ? null : t("pad.lost"));
    house.lostWords = waits;
    const stops = [
      this.queue.on({ changed: () => { this.noted(); table.draw(); }, refused: (...told) => this.refused(...told) }), prefs.on("each_throw", () => table.draw()),
      () => { if (house.lostWords === waits) house.lostWords = null; },
    ];
    this.close = () => stops.forEach((stop) => stop());
  }

  // Says again how many wait, where the line is down.
  noted() {
    const line = document.getElementById("lost");
    if (!line.hidden) write(line, house.lostWords() ?? t("bar.reconnecting"));
  }

  // A new position: forgets what has arrived, remembers what every open column can take, and whose turn it should be.
  heard({ view, last }) {
    for (const { seat, dice, announced, options } of view.trays) if (options && !dice.length && announced === null) this.known.set(seat, options);
    this.queue.seen(view);
    this.forget(this.ahead(view));
    const wrote = last.some((event) => event.event === "acted" && event.seat === this.active && /^[~/]?[a-z]/.test(event.action)) && !this.holds(this.active);
    if (view.free && (wrote || !this.ours(this.ahead(view)).some((tray) => tray.seat === this.active))) this.active = this.proposed(view);
  }

  // The trays of our people at a table where everybody writes when he likes.
  ours(view) {
    return view.trays.filter((tray) => isPerson(view.seats[tray.seat]) && tray.phase !== "waits");
  }

  // Who should write next: whoever has written least, then in order.
  proposed(raw) {
    const view = this.ahead(raw);
    const written = ({ seat }) => view.seats[seat].entries.filter((entry) => entry !== null).length + Object.keys(view.seats[seat].waits ?? {}).length;
    const least = Math.min(...this.ours(view).map(written));
    return this.ours(view).find((tray) => written(tray) === least)?.seat ?? null;
  }

  // The position as it will be once everything that waits has arrived, as far as that can be said without the rules.
  ahead(view) {
    const waiting = view.seats.map((_, seat) => this.queue.waiting(view, seat));
    if (!waiting.some((items) => items.length)) return view;
    const seats = view.seats.map((seat, place) => ({ ...seat, waits: Object.fromEntries(waiting[place].filter((item) => item.box).map((item) => [item.box, item.shown])) }));
    return { ...view, seats, trays: view.trays.map((tray) => waiting[tray.seat].reduce((now, item) => this.after(now, item, view), tray)) };
  }

  after(tray, { intent, box }, view) {
    const known = this.known.get(tray.seat) ?? [];
    const bare = { ...tray, phase: "throw", dice: [], thrown: 0 };
    if (intent.want === "undo") return tray.dice.length ? { ...bare, options: known } : tray;
    const { action } = intent;
    if (box && !view.free) return { ...bare, phase: "waits", options: [] };
    if (box) return left({ ...bare, phase: this.block.announced ? "announce" : "throw", announced: null, options: known }, box, this.queue.waiting(view, tray.seat));
    if (action.startsWith("!")) return { ...bare, announced: action.slice(1), options: tray.options.filter((one) => one.box === action.slice(1)).map((one) => ({ ...one, writes: one.writes.length ? one.writes : one.anyway, anyway: [] })) };
    if (!action.startsWith("=")) return { ...bare, phase: "waits", options: [] };
    if (tray.phase === "rolloff" || tray.stands) return { ...bare, phase: "waits", dice: facesIn(action), options: [], stands: tray.stands && [] };
    const blank = { points: null, extra: 0, refusal: null, warn_zero: false, strike: false, writes: [], anyway: [] };
    return { ...bare, phase: "fill", dice: facesIn(action), options: tray.options.map((one) => ({ ...one, ...blank })) };
  }

  // Whether this seat's dice are told by hand, all at the end of the turn.
  byHand(view, tray) {
    return isMine(view, tray) && view.seats[tray.seat].own_dice && !prefs.get("each_throw");
  }

  // Whose sheet is shown where everybody writes when he likes and ours are full: still one of ours.
  rests(view, tray) {
    return view.free && !isMine(view, tray) && view.seats.some(isPerson) ? view.seats.findIndex(isPerson) : null;
  }

  // Which dice must be told now, and what was told so far; nothing where none must be.
  slots(view, tray) {
    if (!tray || !isMine(view, tray) || !view.seats[tray.seat].own_dice) return null;
    const told = this.byHand(view, tray) && ["throw", "rolloff"].includes(tray.phase);
    if (!told && tray.phase !== "land") return null;
    const places = told ? Array.from({ length: this.block.dice }, (_, place) => place) : tray.falling;
    const when = whenOf(view, tray);
    if (this.typed.get(tray.seat)?.when !== when) this.typed.set(tray.seat, { when, dice: new Map(places.map((place) => [place, 0])), times: null });
    return this.typed.get(tray.seat).dice;
  }

  // Dice that were half told go with the throw they belonged to, however it ended: here, on another page, or taken back.
  forget(view) {
    for (const [seat, { when }] of this.typed) {
      const tray = view.trays.find((one) => one.seat === seat);
      if (!tray || whenOf(view, tray) !== when) this.typed.delete(seat);
    }
  }

  // A face was tapped or typed for the next die; 0 takes the last one back.
  digit(value) {
    const { table } = this;
    const { entering } = table;
    if (!entering) return value === 0 && this.pickUp();
    const places = [...entering.keys()];
    const place = value ? places.find((one) => !entering.get(one)) : places.findLast((one) => entering.get(one));
    if (place === undefined || value > this.block.faces) return false;
    if (table.lingering !== null) table.moveOn();
    entering.set(place, value);
    if ([...entering.values()].every(Boolean)) this.tellDice([...entering.values()]);
    else table.draw();
    return true;
  }

  tellDice(values) {
    const { tray } = this.table.model;
    const text = values.map((value) => value.toString(13)).join("");
    const times = this.asksThrows(this.table.model) ? `:${this.timesOf(tray)}` : "";
    this.typed.delete(tray.seat);
    this.table.viewed = null;
    this.act(tray.phase === "land" ? `>${text}` : `=${text}${times}`);
  }

  // Only who opens a round says how many throws he took.
  asksThrows({ view, tray }) {
    return this.block.family === "rounds" && tray?.phase === "throw" && view.aim === null && !view.tie;
  }

  // How many throws somebody says he took; all of them unless he says so.
  timesOf(tray) {
    return this.typed.get(tray.seat)?.times ?? tray.throws;
  }

  inThrows(n) {
    this.typed.get(this.table.model.tray.seat).times = n;
    this.table.draw();
  }

  // Takes dice that were told up again: all of them but those at a place stay told.
  pickUp(place = null) {
    const { model } = this.table;
    const { tray } = model;
    if (!model.hand || !tray.dice.length || (tray.phase === "choose" && !tray.stands) || tray.phase === "waits") return false;
    const away = place ?? tray.dice.length - 1;
    this.want({ want: "undo", seat: tray.seat });
    const when = whenOf(model.view, { ...tray, phase: "throw", thrown: 0 });
    this.typed.set(tray.seat, { when, dice: new Map(tray.dice.map((value, at) => [at, at === away ? 0 : value])), times: tray.stands ? tray.thrown : null });
    this.table.draw();
    return true;
  }

  // A die on the tray was tapped; says whether that was for us.
  tapped(place) {
    const { entering } = this.table;
    if (!entering) return this.pickUp(place);
    if (entering.has(place)) entering.set(place, 0);
    this.table.draw();
    return entering.has(place);
  }

  // Sends what a player of ours does; an entry is shown at once, and the next player is proposed.
  act(action, note = {}) {
    const { model } = this.table;
    const { seat } = model.tray;
    if (note.box && model.view.free) this.table.linger(seat);
    this.want({ want: "act", seat, action }, note);
    if (note.box && model.view.free) this.active = this.proposed(this.table.position.view);
    if (note.box && house.link !== "open") aloud(t("pad.kept", { n: this.queue.count }));
    this.table.draw();
  }

  want(intent, note) {
    this.queue.add(this.table.position.view, intent, note);
  }

  // Whether a seat's wishes go through the queue.
  holds(seat) {
    const one = this.table.position.view.seats[seat];
    return isPerson(one) && one.own_dice;
  }

  get undoable() {
    return this.queue.last !== null || this.table.position.view.undo !== null;
  }

  // Takes the last thing back: what was not sent yet is forgotten, the rest is asked for; gives nothing where that is not ours to do.
  undo() {
    const last = this.queue.last;
    const seat = last?.intent.seat ?? this.table.position.view.undo;
    if (seat === null || !this.holds(seat)) return null;
    if (house.link !== "open" && last?.intent.want !== "act") return toast(t("pad.no_house")) ?? true;
    if (this.table.position.view.free) this.turnTo(seat);
    this.typed.delete(seat);
    if (!last || last.intent.want === "undo" || !this.queue.takeBack(last)) this.want({ want: "undo", seat });
    this.table.draw();
    return true;
  }

  // Makes another player of ours the one who writes; says whether he is one and has something left to write.
  activate(seat) {
    const view = this.ahead(this.table.position.view);
    if (!view.free || !this.ours(view).some((tray) => tray.seat === seat)) return false;
    this.turnTo(seat);
    return true;
  }

  turnTo(seat) {
    if (this.table.lingering !== null) this.table.moveOn();
    this.active = seat;
    this.table.viewed = null;
    this.table.draw();
  }

  // A box of one of our columns was tapped; says whether that was for us.
  press(button, seat, box) {
    const { table } = this;
    const { view } = table.model;
    const one = view.seats[seat];
    if (view.closed || !isPerson(one)) return false;
    if (this.block.family === "rounds") return one.own_dice && this.correct(seat, box);
    if (one.waits && box in one.waits) return this.hint(button, t("pad.on_its_way"));
    if (one.own_dice && one.entries[this.row(box)] !== null) return this.correct(seat, box);
    if (table.model.over || one.entries[this.row(box)] !== null) return false;
    if (seat !== table.model.seat && !this.activate(seat)) return false;
    if (!one.own_dice || !table.mine) return false;
    const option = table.board.option(box);
    const { tray } = table.model;
    if (!option) return this.hint(button, tray.announced ? t("pad.other_announced", { box: this.words(tray.announced).name }) : t("pad.dice_first"));
    if (tray.dice.length) return this.intoBox(button, option);
    if (tray.phase === "announce" && !option.refusal) return this.act(`!${box}`) ?? true;
    this.pick(option);
    return true;
  }

  // The dice lie there: writes them, or asks whether to play it although the rules say no.
  intoBox(button, option) {
    if (!option.refusal) this.table.choose(option);
    else if (option.anyway.length) this.bend(option);
    else this.hint(button, option.refusal);
    return true;
  }

  async bend(option) {
    const [text] = option.anyway;
    if (await mayBend({ box: this.words(option.box), why: option.refusal, text })) this.act(`~${option.box}`, { box: option.box, shown: text });
  }

  // Opens the points a box can take; what is on its way just now may change them, so that arrives first if the line is good.
  async pick({ box }) {
    const { seat } = this.table.model.tray;
    if (house.link === "open") await Promise.race([this.queue.calm(), new Promise((soon) => setTimeout(soon, SOON))]);
    const { tray } = this.table.model;
    const option = tray?.seat === seat && !tray.dice.length && !document.querySelector("dialog[open]") && this.table.board.option(box);
    if (!option) return;
    const picked = await pickPoints({ box: this.words(option.box), name: this.table.model.view.seats[seat].name, faces: this.block.faces, option });
    if (!picked || this.table.model.tray?.seat !== seat) return;
    this.typed.delete(seat);
    this.act(`${picked.anyway ? "~" : ""}${option.box}=${picked.text}`, { box: option.box, shown: picked.text });
  }

  // A zero of dice nobody told, by one key; says whether that can be now.
  zero(option) {
    const { hand, tray } = this.table.model;
    if (!hand || tray.phase !== "throw" || tray.dice.length || !option?.writes.includes("0")) return false;
    this.typed.delete(tray.seat);
    this.act(`${option.box}=0`, { box: option.box, shown: "0" });
    return true;
  }

  // What the menu of a row offers besides: its points, or another entry in place of the one that stands there.
  deeds(box) {
    const { model } = this.table;
    const seat = model.shown;
    const one = model.view.seats[seat];
    if (!one || !isPerson(one) || !one.own_dice || model.view.closed) return [];
    if (one.entries[this.row(box)] !== null) return [{ label: t("table.correct"), act: () => this.correct(seat, box), hook: "correct" }];
    const option = seat === model.seat && model.mine && !model.tray.dice.length ? this.table.board.option(box) : null;
    const any = option && (option.writes.length || option.anyway.length);
    return any ? [{ label: t(option.writes.length ? "pad.points" : "pad.points_anyway"), act: () => this.pick(option), hook: "points" }] : [];
  }

  correct(seat, box) {
    if (house.link !== "open") toast(t("pad.no_house"));
    else import("./correct.js").then(({ correct }) => correct(this, seat, box)).catch(() => toast(t("pad.no_house")));
    return true;
  }

  hint(button, text) {
    showTip(button, text);
    return true;
  }

  row(box) {
    return this.block.boxes.findIndex((one) => one.box === box);
  }

  words(box) {
    return this.block.boxes[this.row(box)];
  }

  // The house refused something that was entered: says what and why, and what fell with it.
  refused({ intent, box, shown }, { text = t("table.finished") }, fallen) {
    const { view } = this.table.position;
    const named = ({ intent: one, box: row, shown: points }) => [view.seats[one.seat]?.name, row && this.words(row)?.name, points && points !== "?" && pointsWords(points)].filter(Boolean).join(", ");
    const entries = fallen.filter((item) => item.box);
    this.typed.delete(intent.seat);
    if (intent.want === "undo" || (!box && !entries.length)) return toast(text);
    modal(h("dialog", { class: "paper ask", role: "alertdialog", "aria-labelledby": "refused-title" },
      h("h2", { id: "refused-title" }, t("pad.refused", { what: named({ intent, box, shown }) })), h("p", {}, text),
      entries.length > 0 && h("p", {}, t("pad.fallen")), entries.length > 0 && h("ul", { class: "fallen" }, entries.map((item) => h("li", {}, named(item)))),
      h("form", { method: "dialog", class: "answers" }, h("button", { class: "button act", "data-act": "ok", autofocus: true }, t("pad.ok")))));
  }

  // Draws the keys, whose they are, and how everybody stands where there is nothing to be told.
  draw(model) {
    const { view, tray, mine, over, block } = model;
    const own = Boolean(mine && !over && view.seats[tray.seat].own_dice);
    const hand = own && this.byHand(view, tray);
    const stands = Boolean(tray?.stands) && tray.dice.length > 0;
    const keys = own && !stands && (hand ? tray.phase !== "choose" : tray.phase === "land");
    const { element, button } = this.table.tray;
    this.keypad.element.hidden = !keys;
    if (keys) this.keypad.draw({ who: this.whoWords(model), open: Boolean(this.table.entering), rub: this.rubs(model), throws: this.asksThrows(model) && hand ? this.timesOf(tray) : 0 });
    button.hidden = keys;
    element.classList.toggle("by-hand", keys);
    this.switch.hidden = !own || isScreen();
    this.every.checked = Boolean(prefs.get("each_throw"));
    const watching = Boolean(view.free) && !mine && block.family === "sheet";
    this.standing.hidden = !watching || over;
    element.classList.toggle("watching", watching);
    if (watching) fill(this.standing, ranked(view).map((seat) => h("li", { class: placeOf(view, seat) === 1 ? "first" : null },
      h("span", { class: "place" }, `${placeOf(view, seat)}.`), h("span", { class: "name" }, view.seats[seat].name), h("b", {}, String(view.seats[seat].total)))));
  }

  rubs({ tray }) {
    const { entering } = this.table;
    return entering ? [...entering.values()].some(Boolean) : tray.dice.length > 0 && tray.phase === "fill";
  }

  // Whose keys these are, and what is to be done.
  whoWords({ view, tray }) {
    const { name } = view.seats[tray.seat];
    const key = { announce: "announces", rolloff: "rolls", fill: "chooses", waits: "waits", land: "lands" }[tray.phase] ?? (this.block.family === "rounds" ? "lands" : "writes");
    return t(`pad.who.${key}`, { name });
  }
}

// Names the throw a tray waits for: which turn of its seat, how far it is.
function whenOf(view, { seat, phase, thrown }) {
  const { entries, waits = {} } = view.seats[seat];
  const turn = entries ? entries.filter((entry) => entry !== null).length + Object.keys(waits).length : `${view.round} ${view.tie?.kind}`;
  return [view.game, turn, phase, thrown].join(" ");
}

// A tray without a box that is taken, or about to be.
function left(tray, box, waiting) {
  const gone = waiting.map((item) => item.box);
  return { ...tray, options: tray.options.filter((one) => one.box !== box && !gone.includes(one.box)) };
}

function facesIn(action) {
  return [...action.slice(1).split(":")[0]].map((face) => parseInt(face, 13));
}

function ranked(view) {
  return view.seats.map((_, seat) => seat).sort((one, other) => placeOf(view, one) - placeOf(view, other) || one - other);
}
