/* The lobby: a row of chairs before the table, an invitation, what is agreed, and the start. */

import { fill, h, write } from "./dom.js";
import { agreementFor, agreementForm, boxes, choice, settle, turned } from "./agree.js";
import { bar, isScreen } from "./app.js";
import { ask, menu, toast } from "./ask.js";
import { botAdder, nameField, others, practice, remember, same } from "./family.js";
import { openRules } from "./guide.js";
import { house } from "./house.js";
import { chair as wood, colours, lid } from "./lids.js";
import { prefs } from "./prefs.js";
import { solvingLine } from "./solving.js";
import { listed, t } from "./words.js";

const SEAL_TIME = 700;
const FEW = 4;

class Lobby extends HTMLElement {
  async connectedCallback() {
    this.drawn = new Map();
    this.cards = await boxes().catch(() => []);
    if (!this.isConnected) return;
    this.parts = {
      top: h("div", { class: "tabletop" }),
      chairs: h("ol", { class: "chairs", "aria-label": t("lobby.chairs") }),
      seating: h("section", { class: "seating paper", "aria-label": t("lobby.seating") }),
      invite: h("section", { class: "invite paper", "aria-label": t("lobby.invite") }),
      agreed: h("section", { class: "agreed paper", "aria-label": t("lobby.agreed") }),
    };
    this.status = h("p", { class: "ready-say", role: "status" });
    this.note = h("p", { class: "ready-say practice" });
    this.begins = h("button", { class: "button act start", "data-act": "start", onclick: () => this.begin() }, t("lobby.start"));
    const { top, chairs, seating, invite, agreed } = this.parts;
    fill(this,
      h("div", { class: "room-side" }, h("section", { class: "scene" }, top, chairs), seating, agreed),
      h("div", { class: "door-side" }, h("section", { class: "ready" }, this.status, this.note, solvingLine(), this.begins), invite));
    this.stop = house.on("room", (view) => this.draw(view));
    if (house.room) this.draw(house.room);
  }

  disconnectedCallback() {
    this.stop?.();
  }

  // Draws what has changed and leaves the rest alone, so that nobody loses what he is typing.
  draw(seen) {
    const view = isScreen() ? { ...seen, host: false, chairs: seen.chairs.map((one) => ({ ...one, yours: false })) } : seen;
    const card = this.cards.find((one) => one.id === view.edition && Boolean(one.house) === view.house);
    const names = view.chairs.map((one) => one.name);
    const yours = view.chairs.filter((one) => one.yours);
    const under = view.games > 1 ? t("lobby.game_of", { number: view.number, games: view.games }) : t("lobby.under");
    this.part("bar", [view.title, under], () => bar({ title: view.title, under }));
    this.part("top", [view.edition, view.house], () => this.tabletop(view, card));
    this.part("chairs", [view.chairs, view.host], () => [view.chairs.map((one, place) => this.chair(one, place, view)), names.length < FEW && this.free()]);
    this.part("seating", [others(names), view.host, view.family, yours.length > 0, yours.some(nameless), laidFor(view)], () => this.seating(names, view, yours));
    this.part("invite", [view.room, view.code], () => invitation(view));
    this.part("agreed", this.mine(view) ?? [settled(view), view.host], () => this.agreement(view, card));
    this.toggleAttribute("data-guest", !yours.length || yours.some(nameless));
    write(this.status, status(view, yours));
    write(this.note, [view.host && laidFor(view).length > 0 && t("lobby.laid", { names: listed(laidFor(view)) }), practice(card, names.length)].filter(Boolean).join(" "));
    this.begins.hidden = !view.host;
    this.begins.disabled = Boolean(view.missing);
    if (view.host && this.host === false) toast(t("lobby.host_now"));
    this.host = view.host;
  }

  part(name, value, make) {
    const key = JSON.stringify(value);
    if (this.drawn.get(name) === key) return;
    this.drawn.set(name, key);
    const made = make();
    if (this.parts[name]) refilled(this.parts[name], made);
  }

  // The form that is open already says what the room says: then it stays as it is.
  mine(view) {
    return view.host && this.sent === JSON.stringify(settled(view)) ? JSON.parse(this.drawn.get("agreed") ?? "null") : null;
  }

  tabletop(view, card) {
    const colour = colours(this.cards.map((one) => one.id)).get(view.edition) ?? 0;
    return h("div", { class: "lid small", "data-lid": colour }, lid(card ?? { id: view.edition, title: view.title, publisher: view.publisher }));
  }

  chair(one, place, view) {
    const items = this.deeds(one, place, view);
    const whose = one.offered && !isScreen() && !view.chairs.some((other) => other.yours);
    const told = facts(one, view.chairs.findIndex((other) => other.host) === place, byHand(view), whose);
    const button = h("button", { class: ["chair", one.offered ? "offered" : one.yours && "yours", !one.here && "away"].filter(Boolean).join(" "), "data-chair": place, disabled: !items.length,
      "aria-haspopup": items.length && !whose ? "menu" : null, onclick: () => (whose ? this.take(one.name) : menu(button, items, one.name)) },
      wood(), h("span", { class: "plate" }, one.name), h("small", {}, told.join(" · ") || "\u00a0"));
    return h("li", {}, button);
  }

  // A chair nobody has taken yet; whoever taps it is asked for a name.
  free() {
    const ask = () => this.parts.seating.querySelector("input").focus();
    return h("li", {}, h("button", { class: "chair free", "data-act": "free-chair", onclick: ask }, wood(), h("small", {}, t("lobby.free"))));
  }

  // Lists what you may do with a chair.
  deeds(one, place, view) {
    const want = (intent) => () => this.want(intent);
    return [
      one.offered && !isScreen() && { label: t("lobby.plays_here"), hook: "take", act: want({ want: "take", chair: place }) },
      view.host && view.chairs.length > 1 && { label: t("lobby.earlier"), off: place === 0, hook: "earlier", act: want({ want: "swap", chair: place }) },
      view.host && view.chairs.length > 1 && { label: t("lobby.later"), off: place === view.chairs.length - 1, hook: "later", act: want({ want: "swap", chair: place + 1 }) },
      (view.host || one.yours) && !one.bot && { label: t(one.own_dice ? "lobby.use_ours" : "lobby.use_real"), hook: "own-dice", act: want({ want: "own_dice", chair: place, own: !one.own_dice }) },
      view.host && !one.bot && !one.yours && { label: t("lobby.hand_over"), hook: "hand-over", act: want({ want: "hand_over", chair: place }) },
      (view.host || one.yours) && { label: one.yours && !one.offered ? t("lobby.get_up") : t("lobby.remove"), hook: "get-up", act: want({ want: "get_up", chair: place }) },
    ].filter(Boolean);
  }

  // Seats somebody on this device: on the chair that was laid for him, or on a new one.
  async sit(name, input) {
    if (!prefs.get("name")) prefs.set("name", name);
    if (input) input.value = "";
    const place = house.room.chairs.findIndex(nameless);
    const laid = house.room.chairs.findIndex((one) => one.offered && same(one.name, name));
    await this.want(laid < 0 ? { want: "sit", name, own_dice: byHand(house.room) } : { want: "take", chair: laid });
    if (place >= 0) await this.want({ want: "get_up", chair: place });
  }

  // Takes the chair that was laid for whoever holds this device.
  take(name) {
    return this.sit(name, this.parts.seating.querySelector("[data-field=name]"));
  }

  seating(names, view, yours) {
    const named = yours.length > 0 && !yours.some(nameless);
    const field = nameField(names, (name, input) => this.sit(name, input), named ? t("lobby.add") : t("lobby.sit"), "sit");
    if (!yours.length) field.querySelector("input").defaultValue = names.includes(prefs.get("name")) ? "" : prefs.get("name");
    const laid = yours.length ? [] : laidFor(view).map((name) => h("button", { class: "button", type: "button", "data-take": name, onclick: () => this.take(name) }, t("lobby.i_am", { name })));
    return [
      h("h2", {}, named ? t("lobby.more") : t("lobby.take_chair")), laid.length > 0 && h("div", { class: "chips laid" }, laid), field,
      view.host && botAdder(view.family, (bot) => this.want({ want: "sit_bot", ...pick(bot) })),
    ];
  }

  agreement(view, card) {
    if (!view.host) return [h("h2", {}, t("lobby.agreed")), terms(view, card)];
    const agreed = { ...settled(view), switches: { ...view.switches } };
    const send = (box, what) => {
      this.sent = box === card ? JSON.stringify({ ...settled(view), ...what }) : null;
      house.want(settle(box, what)).catch((refused) => {
        toast(refused.text);
        this.drawn.delete("agreed");
        this.sent = null;
        this.draw(house.room);
      });
    };
    const known = this.cards.map((one) => [one.id, t("lobby.box_by", { title: one.title, publisher: one.publisher || t("home.own") })]);
    if (!card) known.unshift([view.edition, view.title]);
    const box = choice(t("lobby.box"), known, view.edition, (id) => {
      const other = this.cards.find((one) => one.id === id);
      send(other, { ...agreementFor(other), games: agreed.games, free: agreed.free });
    }, "edition");
    const turns = view.family === "sheet" && choice(t("lobby.turns"), [["", t("lobby.turns_round")], ["free", t("lobby.turns_free")]], view.free ? "free" : "", (free) => {
      agreed.free = Boolean(free);
      send(card, agreed);
    }, "free");
    return [h("h2", {}, t("lobby.agreed")), card ? agreementForm(card, agreed, (what) => send(card, what), { first: box, last: turns }) : box];
  }

  // Starts; if a device has not promised its part of the dice yet, waits a moment, then asks.
  async begin(tries = 0) {
    const unsent = this.parts.seating.querySelector("[data-field=name]");
    const typed = unsent.value === unsent.defaultValue ? "" : unsent.value.trim();
    if (!tries && typed) await this.sit(typed, unsent);
    const view = house.room;
    remember(view.chairs.filter((one) => one.yours || prefs.get("family").includes(one.name)).map((one) => one.name));
    try {
      await house.want({ want: "begin", anyway: tries > 1 });
    } catch (refused) {
      if (refused.code !== "seeds_missing") return toast(refused.text);
      if (tries === 0) return setTimeout(() => this.begin(1), SEAL_TIME);
      const missing = listed(house.room.chairs.filter((one) => !one.bot && !one.sealed).map((one) => one.name));
      const sure = await ask({ title: missing ? t("lobby.without", { names: missing }) : t("lobby.anyway"), text: t("lobby.without_why"), yes: t("lobby.without_yes"), no: t("lobby.without_no") });
      if (sure) this.begin(2);
    }
  }

  want(intent) {
    return house.want(intent).catch((refused) => toast(refused.text));
  }
}

// What somebody types or chooses here before he sends it; everything else says what the room says.
const UNSENT = ["name", "bot"];

// Fills a part anew; what was typed or chosen in it stays, and whoever had the focus keeps it, on the same thing or on the next.
function refilled(part, made) {
  const active = part.contains(document.activeElement) ? document.activeElement : null;
  const held = active && { ...active.dataset };
  const unsent = UNSENT.map((field) => [field, part.querySelector(`[data-field=${field}]`)?.value]);
  fill(part, made);
  for (const [field, value] of unsent) {
    const now = value && part.querySelector(`input[data-field=${field}], [data-field=${field}]:has([value=${JSON.stringify(value)}])`);
    if (now) now.value = value;
  }
  if (!held) return;
  const all = [...part.querySelectorAll("button:not(:disabled), input, select")];
  const same = all.find((one) => Object.keys(held).length > 0 && Object.entries(held).every(([key, value]) => one.dataset[key] === value));
  (same ?? all[0] ?? document.getElementById("page")).focus({ preventScroll: true });
}

// Draws the invitation: a picture to scan, a code to say, a link to send.
function invitation(view) {
  const local = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
  const base = local ? house.hello?.lan ?? location.origin : location.origin;
  const link = h("p", { class: "link", tabindex: "0", "data-link": "" }, `${base}/room/${view.room}`);
  return [
    h("h2", {}, t("lobby.invite")),
    h("div", { class: "inviting" },
      h("img", { class: "qr", src: `/qr/${encodeURIComponent(view.room)}.svg`, alt: t("lobby.qr"), width: 132, height: 132 }),
      h("div", {},
        view.code && h("p", { class: "spoken" }, h("span", {}, t("lobby.code")), h("b", { "data-code": view.code }, spaced(view.code))),
        h("span", { class: "by-link" }, t("lobby.link")), link,
        h("button", { class: "button", "data-act": "copy", onclick: () => copy(link) }, t("lobby.copy")),
        h("a", { class: "quiet", "data-act": "screen", href: `/room/${encodeURIComponent(view.room)}/screen`, target: "_blank", rel: "noopener" }, t("table.screen")))),
    local && !house.hello?.lan && h("p", { class: "note" }, t("lobby.only_here")),
  ];
}

async function copy(link) {
  getSelection().selectAllChildren(link);
  let copied = false;
  try {
    copied = navigator.clipboard ? (await navigator.clipboard.writeText(link.textContent), true) : document.execCommand("copy");
  } catch { /* the link is marked: it can be copied by hand */ }
  toast(copied ? t("lobby.copied") : t("lobby.marked"));
}

function terms(view, card) {
  const text = card?.texts.find((one) => one.text === view.text)?.name ?? view.text;
  const line = (name, value) => [h("dt", {}, name), h("dd", {}, value)];
  return [
    h("dl", { class: "terms" }, line(t("lobby.box"), t("lobby.box_by", { title: view.title, publisher: view.publisher || t("home.own") })),
      line(t("agree.text"), text), line(t("agree.games"), t("agree.games_n", { n: view.games })), line(t("lobby.rules"), turned(view.switches)),
      view.free && line(t("lobby.turns"), t("lobby.turns_free"))),
    h("button", { class: "quiet read", "data-act": "rules", onclick: () => openRules() }, t("agree.read")),
  ];
}

function status(view, yours) {
  const n = view.chairs.length;
  if (view.host) return view.missing ?? t("lobby.ready", { n });
  const host = view.chairs.find((one) => one.host)?.name ?? t("lobby.the_host");
  if (isScreen()) return t("lobby.scan");
  return yours.length ? t("lobby.waiting", { host }) : t("lobby.welcome");
}

// Whether this will be a pad: then whoever sits down has real dice.
function byHand({ free, chairs }) {
  return free || chairs.some((one) => one.own_dice);
}

// Lists for whom a chair is laid that nobody has taken yet.
function laidFor({ chairs }) {
  return chairs.filter((one) => one.offered).map((one) => one.name);
}

function facts(one, host, dice, whose) {
  return [one.bot ? t("lobby.bot") : one.offered ? t(whose ? "lobby.is_you" : "lobby.expected") : one.yours && t("lobby.you"), dice && !one.bot && t(one.own_dice ? "lobby.real" : "lobby.ours"), host && t("lobby.host"), !one.here && t("lobby.away")].filter(Boolean);
}

// Who was seated before we knew his name is called "You", as no guest should see him for long.
function nameless(one) {
  return one.yours && one.name === t("home.you");
}

function settled({ edition, text, games, switches, free }) {
  return { edition, text, games, switches, free };
}

function pick({ bot, name }) {
  return { bot, name };
}

function spaced(code) {
  return code.length === 8 ? `${code.slice(0, 4)} ${code.slice(4)}` : code;
}

customElements.define("knobel-lobby", Lobby);
