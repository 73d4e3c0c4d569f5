/* Who plays on this screen: the usual players, remembered and seated again in one tap. */

import { connection } from "./connection.js";
import { find, h, setChildren, setText } from "./dom.js";
import { drawLookOf } from "./known-people.js";
import { readAloud } from "./live-region.js";
import { limitName } from "./name-limit.js";
import { prefs } from "./prefs.js";
import { required } from "./required.js";
import { t } from "./translations.js";

const MAX_KNOWN_NAMES = 12;
/**
 * The players listed but not seated yet, and the name being typed: kept when another mode, edition or language is chosen.
 * @type {{ seated: ListedPlayer[] | null, draft: string, own: boolean }}
 */
const roster = { seated: null, draft: "", own: false };

/**
 * Remembers who sat here, newest first, and whom else this screen knows.
 * @param {string[]} names
 */
export function rememberPlayers(names) {
  rememberNames([...names, ...prefs.get("usual_players")]);
  prefs.set("usual_players", names);
}

/** @param {string[]} names */
function rememberNames(names) {
  prefs.set("known", [...new Set([...names, ...(prefs.get("known") ?? [])])].slice(0, MAX_KNOWN_NAMES));
}

/**
 * Lists the players entered since the page was opened.
 * @returns {ListedPlayer[]}
 */
export function listDraftPlayers() {
  commitDraftName();
  return roster.own ? (roster.seated ?? []) : [];
}

// Everybody is seated: the next list starts with the usual players again.
export function clearDraft() {
  if (roster.own) rememberNames(listHumanNames(roster.seated ?? []));
  Object.assign(roster, { seated: null, draft: "", own: false });
}

/**
 * Lists the names of those who are no bots.
 * @param {ListedPlayer[]} seated
 */
export function listHumanNames(seated) {
  return seated.filter((one) => !one.bot).map((one) => one.name);
}

// A typed name counts even if the button beside it was not pressed.
function commitDraftName() {
  const name = roster.draft.trim();
  roster.draft = "";
  if (name) addPlayer(name);
}

/**
 * Lists a player, unless one of that name is listed already; returns that one.
 * @param {string} name
 */
function addPlayer(name) {
  const seated = roster.seated ?? [];
  const found = seated.find((one) => isSameName(one.name, name));
  if (found) return found;
  seated.push({ name });
  roster.seated = seated;
  roster.own = true;
  return null;
}

/**
 * The players entered already, else the usual ones; bots that do not play this family are dropped.
 * @param {EditionCard} card
 * @returns {ListedPlayer[]}
 */
function gatherPlayers(card) {
  const usual = prefs.get("usual_players").length ? prefs.get("usual_players") : [prefs.get("name")].filter(Boolean);
  const { bots } = required(connection.serverInfo, "server");
  /** @type {ListedPlayer[]} */
  const before = roster.seated ?? usual.map((name) => ({ name }));
  const seated = before.filter((one) => !one.bot || bots[card.family].some(({ bot }) => bot === one.bot));
  roster.seated = seated;
  return seated;
}

/**
 * Lists the names this screen knows, apart from those.
 * @param {string[]} names
 */
export function listOtherNames(names) {
  const known = [
    ...prefs.get("usual_players"),
    ...(prefs.get("known") ?? []),
    ...prefs.get("people").map((person) => person.name),
    prefs.get("name"),
  ].filter(Boolean);
  return [...new Set(known)].filter((name) => !names.some((one) => isSameName(one, name))).slice(0, MAX_KNOWN_NAMES);
}

/**
 * Draws a field for a name, with the names this screen knows as chips; add gets each name, and the field it was typed in.
 * If it answers with a sentence, that is why the name was not taken, and is said below the field.
 * @param {string[]} taken
 * @param {AddName} add
 * @param {string} [label]
 * @param {string} [hook]
 * @param {string} [kind]
 */
export function buildNameField(taken, add, label = t("family.add"), hook = "add-name", kind = "button") {
  const wrong = h("p", { class: "wrong-name", id: `wrong-${hook}`, hidden: true });
  /** @type {HTMLInputElement} */
  const input = h("input", {
    "aria-label": t("family.name"),
    "aria-describedby": wrong.id,
    placeholder: t("family.name"),
    autocomplete: "off",
    autocapitalize: "words",
    enterkeyhint: "done",
    "data-field": "name",
    oninput: (event) => !event.isComposing && say(limitName(input)),
  });
  /** @type {(why: string) => void} */
  const say = (why) => {
    setText(wrong, why);
    wrong.hidden = !why;
    if (why) readAloud(why);
  };
  /** @type {(event: Event) => void} */
  const done = (event) => {
    event.preventDefault();
    const name = input.value.trim();
    const why = name ? add(name, input) : t("family.empty");
    if (typeof why !== "string") return;
    say(why);
    input.select();
  };
  const chips = listOtherNames(taken);
  return h(
    "div",
    { class: "naming" },
    chips.length > 0 &&
      h(
        "div",
        { class: "chips", role: "group", "aria-label": t("family.known") },
        chips.map((name) => buildNameButton(name, add)),
      ),
    h("form", { class: "add-name", onsubmit: done }, input, h("button", { class: kind, "data-act": hook }, label)),
    wrong,
  );
}

/**
 * Draws the list of who plays: names, their order, bots, and what else is asked; begin gets the seats, and so does another way to begin, if there is one: {label, act}.
 * @param {EditionCard} card
 * @param {() => void} back
 * @param {(players: ListedPlayer[]) => unknown} begin
 * @param {{ label: string, act: (players: ListedPlayer[]) => unknown } | null} [other]
 * @param {Child} [more]
 * @param {number} [games] How many games are agreed on.
 */
export function buildPlayerList(card, back, begin, other = null, more = null, games = 1) {
  const seated = gatherPlayers(card);
  const list = h("ol", { class: "seated" });
  const naming = h("div", {
    oninput: () => {
      roster.draft = nameInput().value;
      count();
    },
  });
  const nameInput = () => required(naming.querySelector("input"), "name");
  const note = h("p", { class: "note", role: "status" });
  /** @type {(act: (players: ListedPlayer[]) => unknown) => () => void} */
  const all = (act) => () => {
    commitDraftName();
    draw();
    if (seated.length) rememberPlayers(listHumanNames(seated));
    act(seated);
  };
  const start = h("button", { class: "button act play-mode", "data-act": "start", onclick: all(begin) });
  const count = () => {
    const name = roster.draft.trim();
    const n = seated.length + Number(Boolean(name) && !seated.some((one) => isSameName(one.name, name)));
    start.disabled = !n;
    setChildren(start, h("span", {}, n ? t("family.start", { n }) : t("lobby.start")));
    setChildren(note, describePractice(card, n));
  };
  /** @type {(focus?: string) => void} */
  const draw = (focus) => {
    setChildren(
      list,
      seated.map((one, place) => buildPlayerLine(one, place, seated, draw)),
    );
    if (!seated.length) setChildren(list, h("li", { class: "empty" }, t("family.nobody")));
    setChildren(
      naming,
      buildNameField(
        seated.map((one) => one.name),
        (name, input) => {
          const listed = addPlayer(name);
          if (listed) return t("family.taken", { name: listed.name });
          if (input) roster.draft = "";
          return draw("input");
        },
      ),
    );
    nameInput().value = roster.draft;
    count();
    if (focus) (focus === "input" ? nameInput() : (find(list, focus) ?? start)).focus();
  };
  draw();
  return [
    h(
      "div",
      { class: "panel-head" },
      h(
        "h3",
        {},
        t("family.who"),
        " ",
        h("small", {}, [card.title, card.publisher, t("agree.games_n", { n: games })].filter(Boolean).join(" · ")),
      ),
      h("button", { class: "quiet", "data-act": "back", onclick: back }, t("family.back")),
    ),
    list,
    naming,
    buildBotAdder(card.family, card.house_rules ? null : { edition: card.id, text: card.text }, (bot) => {
      seated.push(bot);
      draw();
    }),
    more,
    note,
    start,
    other &&
      h(
        "button",
        { class: "button play-mode other", "data-act": "phones", onclick: all(other.act) },
        h("span", {}, other.label),
      ),
  ];
}

/**
 * Draws a button that asks for a bot and seats it.
 * @param {string} family
 * @param {ChosenRules | null} rules
 * @param {(bot: Bot) => unknown} add
 */
export function buildBotAdder(family, rules, add) {
  const act = async () => {
    const { chooseBot } = await import("./bot-picker.js");
    const bot = await chooseBot(family, rules);
    if (bot) add(bot);
  };
  return h(
    "div",
    { class: "add-bot" },
    h("button", { class: "button", type: "button", "data-act": "add-bot", onclick: act }, t("family.add_bot")),
  );
}

/**
 * Warns if there are more or fewer players than the edition is made for.
 * @param {EditionCard | undefined} card
 * @param {number} n
 */
export function describePractice(card, n) {
  const fits = !n || !card || (n >= card.least && (card.most === null || n <= card.most));
  return fits ? null : t("family.practice", { players: card?.players });
}

/**
 * @param {string} name
 * @param {AddName} add
 */
function buildNameButton(name, add) {
  return h(
    "button",
    { type: "button", class: "chip", "data-name": name, onclick: () => add(name) },
    drawLookOf(name),
    t("family.chip", { name }),
  );
}

/**
 * @param {ListedPlayer} one
 * @param {number} place
 * @param {ListedPlayer[]} seated
 * @param {(focus: string) => void} draw
 */
function buildPlayerLine(one, place, seated, draw) {
  const up = () => {
    [seated[place - 1], seated[place]] = [seated[place], seated[place - 1]];
    draw(`li:nth-child(${place}) .up`);
  };
  const gone = () => {
    seated.splice(place, 1);
    draw(`li:nth-child(${Math.min(place + 1, seated.length)}) .gone`);
  };
  return h(
    "li",
    {},
    h("span", { class: "seated-name" }, one.name, one.bot && h("small", {}, t("family.is_bot"))),
    h(
      "button",
      { class: "quiet up", disabled: place === 0, "aria-label": t("family.up", { name: one.name }), onclick: up },
      "↑",
    ),
    h("button", { class: "quiet gone", "aria-label": t("family.gone", { name: one.name }), onclick: gone }, "×"),
  );
}

/**
 * Whether two names sound alike here.
 * @param {string} one
 * @param {string} other
 */
export function isSameName(one, other) {
  return one.toLocaleLowerCase() === other.toLocaleLowerCase();
}
