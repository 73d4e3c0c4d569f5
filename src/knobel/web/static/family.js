/* Who plays on this screen: the family, remembered and seated again in one tap. */

import { fill, h } from "./dom.js";
import { botOptions, choice, usualBot } from "./agree.js";
import { house } from "./house.js";
import { prefs } from "./prefs.js";
import { t } from "./words.js";

const MOST_KNOWN = 12;
const LONGEST_NAME = 20;
// Who was written down and does not sit anywhere yet, and the name half written: another way, box or language loses nobody.
const party = { seated: null, draft: "", own: false };

// Remembers who sat here, newest first, and whom else this screen knows.
export function remember(names) {
  know([...names, ...prefs.get("family")]);
  prefs.set("family", names);
}

function know(names) {
  prefs.set("known", [...new Set([...names, ...(prefs.get("known") ?? [])])].slice(0, MOST_KNOWN));
}

// Lists whom somebody has written down since he came, or nobody.
export function writtenDown() {
  noteDraft();
  return party.own ? party.seated : [];
}

// Everybody sits: the next list begins with the family again.
export function allSeated() {
  if (party.own) know(people(party.seated));
  Object.assign(party, { seated: null, draft: "", own: false });
}

// Lists the names of those who are no bots.
export function people(seated) {
  return seated.filter((one) => !one.bot).map((one) => one.name);
}

// A name that was typed counts, whether or not somebody pressed the button beside it.
function noteDraft() {
  const name = party.draft.trim();
  party.draft = "";
  if (name) add(name);
}

function add(name) {
  if (party.seated.some((one) => same(one.name, name))) return;
  party.seated.push({ name });
  party.own = true;
}

// Whoever was written down already, else the family; a bot stays where its game is played.
function gathered(card) {
  const usual = prefs.get("family").length ? prefs.get("family") : [prefs.get("name")].filter(Boolean);
  party.seated = (party.seated ?? usual.map((name) => ({ name }))).filter((one) => !one.bot || house.hello.bots[card.family].some(({ bot }) => bot === one.bot));
  return party.seated;
}

// Lists the names this screen knows, apart from those.
export function others(names) {
  const known = [...prefs.get("family"), ...(prefs.get("known") ?? []), prefs.get("name")].filter(Boolean);
  return [...new Set(known)].filter((name) => !names.some((one) => same(one, name)));
}

// Draws a field for a name, with the names this screen knows as chips; add gets each name, and the field it was typed in.
export function nameField(taken, add, label = t("family.add"), hook = "add-name") {
  const input = h("input", { "aria-label": t("family.name"), placeholder: t("family.name"), maxlength: LONGEST_NAME * 2,
    autocomplete: "off", autocapitalize: "words", enterkeyhint: "done", "data-field": "name" });
  const done = (event) => {
    event.preventDefault();
    const name = input.value.trim();
    if (name) add(name, input);
    else input.focus();
  };
  const chips = others(taken);
  return h("div", { class: "naming" },
    chips.length > 0 && h("div", { class: "chips", role: "group", "aria-label": t("family.known") }, chips.map((name) => chip(name, add))),
    h("form", { class: "add-name", onsubmit: done }, input, h("button", { class: "button", "data-act": hook }, label)));
}

// Draws the list of who plays: names, their order, bots; begin gets the chairs, and so does another way to begin, if there is one: {label, act}.
export function family(card, back, begin, other = null) {
  const seated = gathered(card);
  const list = h("ol", { class: "seated" });
  const naming = h("div", { oninput: ({ target }) => { party.draft = target.value; count(); } });
  const note = h("p", { class: "note", role: "status" });
  const all = (act) => () => {
    noteDraft();
    draw();
    if (seated.length) remember(people(seated));
    act(seated);
  };
  const start = h("button", { class: "button act way", "data-act": "start", onclick: all(begin) });
  const count = () => {
    const name = party.draft.trim();
    const n = seated.length + Number(Boolean(name) && !seated.some((one) => same(one.name, name)));
    start.disabled = !n;
    fill(start, h("span", {}, n ? t("family.start", { n }) : t("lobby.start")));
    fill(note, practice(card, n));
  };
  const draw = (focus) => {
    fill(list, seated.map((one, place) => row(one, place, seated, draw)));
    if (!seated.length) fill(list, h("li", { class: "bare" }, t("family.nobody")));
    fill(naming, nameField(seated.map((one) => one.name), (name, input) => {
      if (input) party.draft = "";
      add(name);
      draw("input");
    }));
    naming.querySelector("input").value = party.draft;
    count();
    if (focus) (focus === "input" ? naming.querySelector("input") : list.querySelector(focus) ?? start).focus();
  };
  draw();
  return [
    h("div", { class: "inside-head" }, h("h3", {}, t("family.who")),
      h("button", { class: "quiet", "data-act": "back", onclick: back }, t("family.back"))),
    list, naming, botAdder(card.family, (bot) => { seated.push(bot); draw(); }), note, start,
    other && h("button", { class: "button way other", "data-act": "phones", onclick: all(other.act) }, h("span", {}, other.label)),
  ];
}

// Draws a level to choose and a button that seats such a bot.
export function botAdder(game, add) {
  const which = choice(t("agree.bot"), botOptions(house.hello, game), usualBot(house.hello, game).bot, () => {}, "bot");
  const chosen = () => house.hello.bots[game].find((one) => one.bot === which.querySelector("select").value);
  return h("div", { class: "add-bot" }, which,
    h("button", { class: "button", "data-act": "add-bot", onclick: () => add(chosen()) }, t("family.add_bot")));
}

// Says that so many players are more or fewer than the box is made for, or nothing.
export function practice(card, n) {
  const fits = !n || !card || (n >= card.least && (card.most === null || n <= card.most));
  return fits ? null : t("family.practice", { players: card.players });
}

function chip(name, add) {
  return h("button", { type: "button", class: "chip", "data-name": name, onclick: () => add(name) }, t("family.chip", { name }));
}

function row(one, place, seated, draw) {
  const up = () => {
    [seated[place - 1], seated[place]] = [seated[place], seated[place - 1]];
    draw(`li:nth-child(${place}) .up`);
  };
  const gone = () => {
    seated.splice(place, 1);
    draw(`li:nth-child(${Math.min(place + 1, seated.length)}) .gone`);
  };
  return h("li", {},
    h("span", { class: "seated-name" }, one.name, one.bot && h("small", {}, t("family.is_bot"))),
    h("button", { class: "quiet up", disabled: place === 0, "aria-label": t("family.up", { name: one.name }), onclick: up }, "↑"),
    h("button", { class: "quiet gone", "aria-label": t("family.gone", { name: one.name }), onclick: gone }, "×"));
}

// Whether two names sound alike here.
export function same(one, other) {
  return one.toLocaleLowerCase() === other.toLocaleLowerCase();
}
