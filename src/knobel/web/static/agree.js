/* What is agreed before a game: which box, whose text, how many games, the rules people argue about. */

import { fill, h, write } from "./dom.js";
import { house } from "./house.js";
import { prefs } from "./prefs.js";
import { t, knows } from "./words.js";
import { openRules, paperLinks } from "./guide.js";

const OWN = "knobel.own";

// Lists the boxes one can play here: the printed ones, then the house rules opened in this window.
export async function boxes() {
  const printed = await house.editions();
  return [...printed, ...ownBoxes()];
}

// Remembers house rules while this window is open.
export function keepOwn(card, text) {
  const others = ownBoxes().filter((one) => one.id !== card.id);
  sessionStorage.setItem(OWN, JSON.stringify([{ ...card, house: text }, ...others].slice(0, 5)));
}

// Starts an agreement for a box, as it was played last time here.
export function agreementFor(card) {
  const text = card.id === prefs.get("edition") ? prefs.get("text") : null;
  return { text: card.texts.some((one) => one.text === text) ? text : card.text, games: 1, switches: {} };
}

// Says an agreement as the house wants to hear it.
export function settle(card, { text, games, switches, free = false }) {
  const said = { want: "settle", edition: card.id, text, switches, games, free: free && card.family === "sheet", pace: prefs.get("pace") };
  return card.house ? { ...said, house: card.house } : said;
}

// Draws the form of an agreement; changed is called after each change; more fields may stand first or last.
export function agreementForm(card, agreed, changed, { first, last } = {}) {
  const now = h("span", { class: "turned" }, turned(agreed.switches));
  const set = (part) => {
    Object.assign(agreed, part);
    write(now, turned(agreed.switches));
    changed(agreed);
  };
  const argue = h("div");
  const lay = () => {
    const switches = card.switches[agreed.text];
    fill(argue, switches.length > 0 && h("details", { class: "argue", "data-switches": "" },
      h("summary", {}, t("agree.switches"), now),
      switches.map((one) => switchRow(one, card.reasons[one.name], agreed, set))));
  };
  lay();
  return h("div", { class: "agree" },
    h("div", { class: "agree-row" }, first,
      card.texts.length > 1 && choice(t("agree.text"), card.texts.map((one) => [one.text, one.name]), agreed.text,
        (text) => { set({ text, switches: {} }); lay(); }, "text"),
      choice(t("agree.games"), counts(agreed.games).map((n) => [String(n), t("agree.games_n", { n })]), String(agreed.games),
        (games) => set({ games: Number(games) }), "games"),
      last),
    argue,
    (!card.house || house.room) && h("button", { class: "quiet read", type: "button", "data-act": "rules",
      onclick: () => (card.house ? openRules() : openRules(card.id, agreed.text, agreed.switches)) }, t("agree.read")),
    (!card.house || house.room) && paperLinks(() => (card.house ? house.room : { edition: card.id, ...agreed })));
}

// Draws a labelled list to choose from.
export function choice(label, options, chosen, picked, hook) {
  return h("label", { class: "choice" }, h("span", {}, label),
    h("select", { "data-field": hook, onchange: (event) => picked(event.target.value) },
      options.map(([value, name]) => h("option", { value, selected: value === chosen }, name))));
}

// Lists the bots that know a family of games, as options to choose from.
export function botOptions(hello, family) {
  return hello.bots[family].map(({ bot, name }) => [bot, name]);
}

// Finds the bot played against last time, or the one to begin with.
export function usualBot(hello, family) {
  const known = hello.bots[family];
  return [prefs.get("bot"), "cautious", "greedy"].map((bot) => known.find((one) => one.bot === bot)).find(Boolean) ?? known[0];
}

// Says which of the rules were changed.
export function turned(switches) {
  const names = Object.entries(switches).map(([name, value]) =>
    (value === "true" ? t(`switch.${name}`) : t("agree.turned", { rule: t(`switch.${name}`), value: valueName(name, value) })));
  return names.length ? names.join(" · ") : t("agree.as_printed");
}

function switchRow(one, reason, agreed, set) {
  const turn = (value) => {
    const { [one.name]: _, ...others } = agreed.switches;
    set({ switches: value === one.default ? others : { ...others, [one.name]: value } });
  };
  const now = agreed.switches[one.name] ?? one.default;
  const yesNo = one.allowed.length === 2 && one.allowed.includes("true");
  const control = yesNo
    ? h("input", { type: "checkbox", role: "switch", checked: now === "true", onchange: (event) => turn(String(event.target.checked)) })
    : h("select", { onchange: (event) => turn(event.target.value) },
      one.allowed.map((value) => h("option", { value, selected: value === now }, valueName(one.name, value))));
  return h("label", { class: yesNo ? "switch" : "switch wide", "data-switch": one.name },
    h("span", { class: "switch-name" }, t(`switch.${one.name}`)), control, h("small", {}, reason));
}

function counts(games) {
  return [...new Set([1, 2, 3, 5, 7, 10, games])].sort((one, other) => one - other);
}

function valueName(name, value) {
  if (value === "false") return t("agree.no");
  return knows(`switch.${name}.${value}`) ? t(`switch.${name}.${value}`) : value;
}

function ownBoxes() {
  try {
    return JSON.parse(sessionStorage.getItem(OWN)) ?? [];
  } catch {
    return [];
  }
}
