/* Home: a table with boxes on it. The game you left comes first, then the boxes, each with its ways to play. */

import { fill, h } from "./dom.js";
import { agreementFor, agreementForm, botOptions, boxes, choice, keepOwn, settle, usualBot } from "./agree.js";
import { bar, go, layLobby, layTable } from "./app.js";
import { toast } from "./ask.js";
import { allSeated, family, people, writtenDown } from "./family.js";
import { house } from "./house.js";
import { colours, lid } from "./lids.js";
import { prefs } from "./prefs.js";
import { openSettings, tongue } from "./settings.js";
import { decimal, language, listed, t } from "./words.js";

const FEW_LANGUAGES = 4;
const MOST_BOTS = 16;
const MOST_SENT = 32 * 1024 + 1; // one byte more than the house reads: enough for it to say that a file is too large
let unpacked = 0;

class Home extends HTMLElement {
  async connectedCallback() {
    bar({ title: t("home.title"), under: t("home.under") });
    this.going = h("section", { class: "going", "aria-label": t("home.continue") });
    this.table = h("ul", { class: "boxes" });
    fill(this, this.going, h("h2", { class: "which" }, t("home.which")), this.table, this.foot());
    const [cards] = await Promise.all([boxes().catch(() => []), this.continued()]);
    this.lay(cards);
    setTimeout(() => Promise.all([layLobby(), layTable()]).catch(() => {}), 300);
  }

  // Shows the games that wait for you, the newest first.
  async continued() {
    const ids = prefs.get("rooms");
    if (!ids.length) return;
    const answer = await fetch(`/api/rooms?ids=${ids.map(encodeURIComponent).join(",")}`).catch(() => null);
    const rooms = answer?.ok ? await answer.json() : [];
    const open = rooms.filter((room) => !room.over && room.names.length);
    const last = rooms.find((room) => room.over && room.game);
    fill(this.going, open.slice(0, 3).map(waiting), last && lookBack(last));
  }

  // Puts the boxes on the table, the last one used in front.
  lay(cards) {
    const last = prefs.get("edition");
    const colour = colours(cards.map((card) => card.id));
    const sorted = [...cards.filter((card) => card.id === last), ...cards.filter((card) => card.id !== last)];
    fill(this.table, sorted.map((card) => this.box(card, colour.get(card.id))));
    if (!cards.length) fill(this.table, h("li", { class: "bare" }, t("home.none")));
  }

  box(card, colour) {
    const inside = h("div", { class: "inside paper", id: `inside-${++unpacked}`, "data-lid": colour, hidden: true });
    const languages = card.texts.length > 1 ? t("home.in_languages", { n: card.texts.length }) : card.texts[0].name;
    const facts = [[card.boxes ? t("home.boxes", { n: card.boxes }) : t("home.dice", { n: card.dice }), card.players], [card.special[0], languages]];
    const button = h("button", { class: "lid", "data-edition": card.id, "data-own": card.house ? "" : null, "data-lid": colour, "aria-expanded": "false",
      "aria-controls": inside.id, onclick: () => this.open(button, inside, card) },
      lid(card, ...facts.map((line) => line.filter(Boolean).join(" · "))));
    return [h("li", { class: "box" }, button), h("li", { class: "unpacked" }, inside)];
  }

  // Lifts a lid, and puts the others back.
  open(button, inside, card) {
    const opening = inside.hidden;
    for (const other of this.table.querySelectorAll(".lid[aria-expanded=true]")) {
      other.setAttribute("aria-expanded", "false");
      document.getElementById(other.getAttribute("aria-controls")).hidden = true;
    }
    if (!opening) return;
    button.setAttribute("aria-expanded", "true");
    inside.hidden = false;
    fill(inside, new Ways(card, inside).draw());
    (innerWidth < 700 ? button : inside).scrollIntoView({ block: innerWidth < 700 ? "start" : "nearest", behavior: calm() });
  }

  // What is needed less often: a code somebody told you, rules of your own, the settings.
  foot() {
    const code = h("input", { id: "code", name: "code", maxlength: 12, autocomplete: "off", autocapitalize: "characters",
      spellcheck: "false", placeholder: t("home.code_like"), "data-field": "code" });
    const join = async (event) => {
      event.preventDefault();
      const said = code.value.replace(/[\s-]/g, "").toUpperCase();
      if (!said) return code.focus();
      try {
        go(`/room/${await house.enterCode(said)}`);
      } catch (refused) {
        toast(refused.text);
        code.select();
      }
    };
    return h("footer", { class: "home-foot" },
      h("form", { class: "join", onsubmit: join },
        h("label", { for: "code" }, t("home.code")),
        code, h("button", { class: "button", "data-act": "join" }, t("home.join"))),
      h("div", { class: "foot-more" },
        house.hello?.house_rules && this.ownRules(),
        h("button", { class: "quiet", "data-act": "settings", onclick: () => openSettings() }, t("home.settings")),
        tongue()));
  }

  ownRules() {
    const wrong = h("p", { class: "wrong-file", role: "alert", "data-wrong": "", hidden: true });
    const refuse = (text) => {
      fill(wrong, h("b", {}, t("home.wrong_file")), " ", text);
      wrong.hidden = false;
      wrong.scrollIntoView({ block: "nearest", behavior: calm() });
    };
    const opened = async ({ target }) => {
      const [file] = target.files;
      if (!file) return;
      wrong.hidden = true;
      try {
        const answer = await fetch(`/api/house?name=${encodeURIComponent(file.name)}&lang=${language()}`, { method: "POST", body: file.slice(0, MOST_SENT), headers: { "Content-Type": "application/toml" } });
        const card = await answer.json();
        if (!answer.ok) return refuse(card.text);
        keepOwn(card, await file.text());
        this.lay(await boxes());
        this.table.querySelector(`[data-own][data-edition="${CSS.escape(card.id)}"]`)?.click();
      } catch {
        refuse(t("home.unread"));
      } finally {
        target.value = "";
      }
    };
    return [h("label", { class: "quiet file" }, t("home.house_rules"),
      h("input", { class: "unseen", type: "file", accept: ".toml", "data-field": "house", onchange: opened })), wrong];
  }
}

/* The ways to play one box, inside it. */
class Ways {
  constructor(card, inside) {
    this.card = card;
    this.inside = inside;
    this.agreed = agreementFor(card);
    this.bot = usualBot(house.hello, card.family);
    this.bots = 1;
  }

  draw() {
    const against = h("small", {}, this.opponents());
    const level = choice(t("agree.bot"), botOptions(house.hello, this.card.family), this.bot.bot, (bot) => {
      this.bot = house.hello.bots[this.card.family].find((one) => one.bot === bot);
      prefs.set("bot", bot);
      fill(against, this.opponents());
    }, "bot");
    const most = Math.min(this.card.most ?? MOST_BOTS, MOST_BOTS) - 1;
    const many = choice(t("agree.bots"), Array.from({ length: most }, (_, n) => [String(n + 1), String(n + 1)]), String(this.bots), (n) => {
      this.bots = Number(n);
      fill(against, this.opponents());
    }, "bots");
    return [
      h("div", { class: "ways" },
        way("bot", "button act", t("home.bot"), against, () => this.againstBot()),
        way("round", "button", t("home.round"), h("small", {}, t("home.round_is")), () => this.passRound()),
        way("friends", "button", t("home.friends"), h("small", {}, t("home.friends_is")), () => this.invite()),
        way("pad", "button", t("home.pad"), h("small", {}, t("home.pad_is")), () => this.passRound(true))),
      h("div", { class: "below" }, about(this.card), agreementForm(this.card, this.agreed, () => {}, { last: [level, many] })),
    ];
  }

  opponents() {
    return this.bots === 1 ? t("home.bot_is", { name: this.bot.name }) : t("home.bots_are", { n: this.bots, name: this.bot.name });
  }

  againstBot() {
    const [first] = people(writtenDown());
    return this.start([sit(prefs.get("name") || first || t("home.you")), ...Array(this.bots).fill(sitBot(this.bot))], true);
  }

  invite() {
    const written = writtenDown();
    return this.start(laid(written.length ? written : [{ name: prefs.get("name") || prefs.get("family")[0] || t("home.you") }]), false);
  }

  // Asks who plays on this screen; the family is seated already. With a pad, everybody has real dice.
  passRound(pad = false) {
    const back = () => {
      fill(this.inside, this.draw());
      this.inside.querySelector(`[data-way=${pad ? "pad" : "round"}]`).focus();
    };
    const seats = (chairs) => chairs.map((one) => (one.bot ? sitBot(one) : sit(one.name, pad)));
    const phones = (chairs) => this.start(laid(people(chairs).length ? chairs : [{ name: prefs.get("name") || t("home.you") }, ...chairs], true), false, true);
    fill(this.inside, family(this.card, back, (chairs) => this.start(seats(chairs), true, pad), pad ? { label: t("home.phones"), act: phones } : null));
    const next = prefs.get("family").length ? "[data-act=start]" : "[data-field=name]";
    this.inside.querySelector(next).focus({ preventScroll: true });
    this.inside.scrollIntoView({ block: "nearest", behavior: calm() });
  }

  async start(chairs, begin, free = false) {
    prefs.set("edition", this.card.id);
    prefs.set("text", this.agreed.text);
    if (this.starting) return;
    this.starting = true;
    try {
      const room = await house.open(settle(this.card, { ...this.agreed, free }), chairs, begin);
      allSeated();
      go(`/room/${room}`);
    } catch (refused) {
      toast(refused.text);
    }
    this.starting = false;
  }
}

function way(hook, kind, name, under, act) {
  return h("button", { class: `${kind} way`, "data-way": hook, onclick: act }, h("span", {}, name), under);
}

// Says what is special about a box, and in which languages it is printed.
function about(card) {
  const names = card.texts.map((one) => one.name);
  const few = names.length <= FEW_LANGUAGES;
  return h("div", { class: "about" },
    card.special.length > 1 && h("ul", {}, card.special.map((one) => h("li", {}, one))),
    differing(card),
    few ? h("p", {}, t("home.printed", { languages: listed(names) }))
      : h("details", { class: "languages" }, h("summary", {}, t("home.languages", { n: names.length })), h("p", {}, names.join(", "))));
}

// Says of house rules what they play differently from the box they build on, and what perfect play expects.
function differing({ base, differences = [], notes = [], par = null }) {
  return [
    differences.length > 0 && h("details", { class: "differs", "data-differs": "" }, h("summary", {}, t("home.differs", { title: base })),
      h("dl", {}, differences.map(({ topic, printed, here }) => [h("dt", {}, topic), h("dd", { class: "printed" }, printed), h("dd", {}, here)]))),
    notes.map((note) => h("p", { class: "note" }, note)),
    par !== null && h("p", {}, t("home.par", { par: decimal(par) })),
  ];
}

function waiting({ room, title, names, turn, your_turn: yours, running }) {
  const state = !running ? t("home.not_begun") : yours ? t("home.your_turn") : turn ? t("home.turn", { name: turn }) : t("home.going_on");
  return h("a", { class: yours ? "paper goes now" : "paper goes", href: `/room/${room}`, "data-act": "continue", "data-room": room,
    onclick: (event) => { event.preventDefault(); go(`/room/${room}`); } },
    h("span", { class: "goes-what" }, h("b", {}, t("home.continue_title", { title })), h("small", {}, names.join(", "))),
    h("span", { class: "goes-turn" }, state));
}

function lookBack({ game, title }) {
  const address = `/review/${encodeURIComponent(game)}`;
  return h("a", { class: "quiet look-back", href: address, "data-act": "review", onclick: (event) => { event.preventDefault(); go(address); } }, t("home.look_back", { title }));
}

function sit(name, real = false) {
  return { want: "sit", name, own_dice: real };
}

// Seats whose device this is, and lays chairs for the others: whoever comes takes his.
function laid(chairs, real = false) {
  const names = people(chairs);
  const own = names.find((name) => name === prefs.get("name")) ?? names[0];
  if (!prefs.get("name") && own !== t("home.you")) prefs.set("name", own);
  return chairs.map((one) => (one.bot ? sitBot(one) : one.name === own ? sit(own, real) : { ...sit(one.name, real), offered: true }));
}

function sitBot({ bot, name }) {
  return { want: "sit_bot", bot, name };
}

function calm() {
  return document.documentElement.dataset.motion === "full" && !matchMedia("(prefers-reduced-motion: reduce)").matches ? "smooth" : "instant";
}

customElements.define("knobel-home", Home);
