/* Home: the games you left, then all editions, each with its ways to play. */

import { setChildren, h } from "./dom.js";
import { fetchRooms, findRoomByCode, uploadHouseRules } from "./api.js";
import { setBar } from "./bar.js";
import { getFamily, preloadFamilies } from "./families.js";
import { createSetup, buildSetupForm, listBotOptions, listEditions, buildSelect, rememberHouseRules, buildSettings, findUsualBot, withHouseRules } from "./game-setup.js";
import { openRoom } from "./game-starter.js";
import { navigate, preloadRoomPages } from "./router.js";
import { showToast } from "./dialogs.js";
import { clearDraft, buildPlayerList, listHumanNames, listDraftPlayers } from "./player-list.js";
import { connection } from "./connection.js";
import { assignColours, drawEdition } from "./edition-art.js";
import { prefs } from "./prefs.js";
import { openSettings, buildLanguageChoice } from "./settings.js";
import { formatDecimal, getLanguage, formatList, t } from "./translations.js";

const MAX_LISTED_LANGUAGES = 4;
const MAX_PLAYERS_WITH_BOTS = 16;
const MAX_UPLOAD_BYTES = 32 * 1024 + 1; // one byte more than the server reads: enough for it to say that a file is too large
let panelCount = 0;

class HomePage extends HTMLElement {
  async connectedCallback() {
    setBar({ title: t("home.title"), under: t("home.under") });
    this.openGames = h("section", { class: "going", "aria-label": t("home.continue") });
    this.editionList = h("ul", { class: "boxes" });
    setChildren(this, this.openGames, h("h2", { class: "which" }, t("home.which")), this.editionList, this.buildFooter());
    const [cards] = await Promise.all([listEditions().catch(() => []), this.showOpenGames()]);
    this.showEditions(cards);
    setTimeout(() => Promise.all([preloadRoomPages(), preloadFamilies()]).catch(() => {}), 300);
  }

  // Shows the games that wait for you, the newest first.
  async showOpenGames() {
    const ids = prefs.get("rooms");
    if (!ids.length) return;
    const rooms = await fetchRooms(ids).catch(() => []);
    const open = rooms.filter((room) => !room.over && room.names.length);
    const last = rooms.find((room) => room.over && room.game);
    setChildren(this.openGames, open.slice(0, 3).map(buildOpenGame), last && buildReviewLink(last));
  }

  // Lists the editions, the one used last first.
  showEditions(cards) {
    const last = prefs.get("edition");
    const colour = assignColours(cards.map((card) => card.id));
    const sorted = [...cards.filter((card) => card.id === last), ...cards.filter((card) => card.id !== last)];
    setChildren(this.editionList, sorted.map((card) => this.buildEditionCard(card, colour.get(card.id))));
    if (!cards.length) setChildren(this.editionList, h("li", { class: "bare" }, t("home.none")));
  }

  buildEditionCard(card, colour) {
    const inside = h("div", { class: "inside paper", id: `inside-${++panelCount}`, "data-lid": colour, hidden: true });
    const languages = card.texts.length > 1 ? t("home.in_languages", { n: card.texts.length }) : card.texts[0].name;
    const facts = [[getFamily(card.family).describeFacts(card), card.players], [card.special[0], languages]];
    const button = h("button", { class: "lid", "data-edition": card.id, "data-own": card.house_rules ? "" : null, "data-lid": colour, "aria-expanded": "false",
      "aria-controls": inside.id, onclick: () => this.toggleEdition(button, inside, card) },
      drawEdition(card, ...facts.map((line) => line.filter(Boolean).join(" · "))));
    return [h("li", { class: "box" }, button), h("li", { class: "unpacked" }, inside)];
  }

  // Opens or closes an edition; opening one closes the others.
  toggleEdition(button, inside, card) {
    const opening = inside.hidden;
    for (const other of this.editionList.querySelectorAll(".lid[aria-expanded=true]")) {
      other.setAttribute("aria-expanded", "false");
      document.getElementById(other.getAttribute("aria-controls")).hidden = true;
    }
    if (!opening) return;
    button.setAttribute("aria-expanded", "true");
    inside.hidden = false;
    setChildren(inside, new PlayModes(card, inside).draw());
    (innerWidth < 700 ? button : inside).scrollIntoView({ block: innerWidth < 700 ? "start" : "nearest", behavior: scrollBehavior() });
  }

  // What is needed less often: a room code, house rules, the settings.
  buildFooter() {
    const code = h("input", { id: "code", name: "code", maxlength: 12, autocomplete: "off", autocapitalize: "characters",
      spellcheck: "false", placeholder: t("home.code_like"), "data-field": "code" });
    const join = async (event) => {
      event.preventDefault();
      const said = code.value.replace(/[\s-]/g, "").toUpperCase();
      if (!said) return code.focus();
      try {
        navigate(`/room/${await findRoomByCode(said, connection.lang)}`);
      } catch (refused) {
        showToast(refused.text);
        code.select();
      }
    };
    return h("footer", { class: "home-foot" },
      h("form", { class: "join", onsubmit: join },
        h("label", { for: "code" }, t("home.code")),
        code, h("button", { class: "button", "data-act": "join" }, t("home.join"))),
      h("div", { class: "foot-more" },
        connection.serverInfo?.house_rules && this.buildHouseRulesUpload(),
        h("button", { class: "quiet", "data-act": "settings", onclick: () => openSettings() }, t("home.settings")),
        buildLanguageChoice()));
  }

  buildHouseRulesUpload() {
    const wrong = h("p", { class: "wrong-file", role: "alert", "data-wrong": "", hidden: true });
    const refuse = (text) => {
      setChildren(wrong, h("b", {}, t("home.wrong_file")), " ", text);
      wrong.hidden = false;
      wrong.scrollIntoView({ block: "nearest", behavior: scrollBehavior() });
    };
    const opened = async ({ target }) => {
      const [file] = target.files;
      if (!file) return;
      wrong.hidden = true;
      try {
        const card = await uploadHouseRules(file.name, file.slice(0, MAX_UPLOAD_BYTES), getLanguage());
        rememberHouseRules(card, { name: file.name, text: await file.text() });
        this.showEditions(await listEditions());
        this.editionList.querySelector(`[data-own][data-edition="${CSS.escape(card.id)}"]`)?.click();
      } catch (refused) {
        refuse(refused.text ?? t("home.unread"));
      } finally {
        target.value = "";
      }
    };
    return [h("label", { class: "quiet file" }, t("home.house_rules"),
      h("input", { class: "unseen", type: "file", accept: ".toml", "data-field": "house", onchange: opened })), wrong];
  }
}

/* The ways to play one edition, inside its card. */
class PlayModes {
  constructor(card, inside) {
    this.card = card;
    this.panel = inside;
    this.setup = createSetup(card);
    this.bot = findUsualBot(connection.serverInfo, card.family);
    this.bots = 1;
  }

  draw() {
    const against = h("small", {}, this.describeOpponents());
    const level = buildSelect(t("agree.bot"), listBotOptions(connection.serverInfo, this.card.family), this.bot.bot, (bot) => {
      this.bot = connection.serverInfo.bots[this.card.family].find((one) => one.bot === bot);
      prefs.set("bot", bot);
      setChildren(against, this.describeOpponents());
    }, "bot");
    const most = Math.min(this.card.most ?? MAX_PLAYERS_WITH_BOTS, MAX_PLAYERS_WITH_BOTS) - 1;
    const many = buildSelect(t("agree.bots"), Array.from({ length: most }, (_, n) => [String(n + 1), String(n + 1)]), String(this.bots), (n) => {
      this.bots = Number(n);
      setChildren(against, this.describeOpponents());
    }, "bots");
    return [
      h("div", { class: "ways" },
        buildPlayMode("bot", "button act", t("home.bot"), against, () => this.startAgainstBots()),
        buildPlayMode("round", "button", t("home.round"), h("small", {}, t("home.round_is")), () => this.choosePlayers()),
        buildPlayMode("friends", "button", t("home.friends"), h("small", {}, t("home.friends_is")), () => this.startWithInvitation()),
        buildPlayMode("pad", "button", t("home.pad"), h("small", {}, t("home.pad_is")), () => this.choosePlayers(true))),
      h("div", { class: "below" }, describeEdition(this.card), buildSetupForm(this.card, this.setup, () => {}, { last: [level, many] })),
    ];
  }

  describeOpponents() {
    return this.bots === 1 ? t("home.bot_is", { name: this.bot.name }) : t("home.bots_are", { n: this.bots, name: this.bot.name });
  }

  startAgainstBots() {
    const [first] = listHumanNames(listDraftPlayers());
    return this.startRoom([buildSitIntent(prefs.get("name") || first || t("home.you")), ...Array(this.bots).fill(buildSitBotIntent(this.bot))], true);
  }

  startWithInvitation() {
    const written = listDraftPlayers();
    return this.startRoom(buildSeatIntents(written.length ? written : [{ name: prefs.get("name") || prefs.get("usual_players")[0] || t("home.you") }]), false);
  }

  // Asks who plays on this screen; the usual players are seated already. With a pad, everybody has real dice.
  choosePlayers(pad = false) {
    const back = () => {
      setChildren(this.panel, this.draw());
      this.panel.querySelector(`[data-way=${pad ? "pad" : "round"}]`).focus();
    };
    const seats = (players) => players.map((one) => (one.bot ? buildSitBotIntent(one) : buildSitIntent(one.name, pad)));
    const phones = (players) => this.startRoom(buildSeatIntents(listHumanNames(players).length ? players : [{ name: prefs.get("name") || t("home.you") }, ...players], true), false, true);
    setChildren(this.panel, buildPlayerList(this.card, back, (players) => this.startRoom(seats(players), true, pad), pad ? { label: t("home.phones"), act: phones } : null));
    const next = prefs.get("usual_players").length ? "[data-act=start]" : "[data-field=name]";
    this.panel.querySelector(next).focus({ preventScroll: true });
    this.panel.scrollIntoView({ block: "nearest", behavior: scrollBehavior() });
  }

  async startRoom(seats, begin, free = false) {
    prefs.set("edition", this.card.id);
    prefs.set("text", this.setup.text);
    if (this.isStarting) return;
    this.isStarting = true;
    try {
      const room = await withHouseRules(this.card, () => openRoom(buildSettings(this.card, { ...this.setup, free }), seats, begin));
      clearDraft();
      navigate(`/room/${room}`);
    } catch (refused) {
      showToast(refused.text ?? t("bar.reconnecting"));
    }
    this.isStarting = false;
  }
}

function buildPlayMode(hook, kind, name, under, act) {
  return h("button", { class: `${kind} way`, "data-way": hook, onclick: act }, h("span", {}, name), under);
}

// Says what is special about an edition, and in which languages it is printed.
function describeEdition(card) {
  const names = card.texts.map((one) => one.name);
  const few = names.length <= MAX_LISTED_LANGUAGES;
  return h("div", { class: "about" },
    card.special.length > 1 && h("ul", {}, card.special.map((one) => h("li", {}, one))),
    describeDifferences(card),
    few ? h("p", {}, t("home.printed", { languages: formatList(names) }))
      : h("details", { class: "languages" }, h("summary", {}, t("home.languages", { n: names.length })), h("p", {}, names.join(", "))));
}

// Says of house rules what they play differently from the edition they build on, and what perfect play expects.
function describeDifferences({ base, differences = [], notes = [], par = null }) {
  return [
    differences.length > 0 && h("details", { class: "differs", "data-differs": "" }, h("summary", {}, t("home.differs", { title: base })),
      h("dl", {}, differences.map(({ topic, printed, here }) => [h("dt", {}, topic), h("dd", { class: "printed" }, printed), h("dd", {}, here)]))),
    notes.map((note) => h("p", { class: "note" }, note)),
    par !== null && h("p", {}, t("home.par", { par: formatDecimal(par) })),
  ];
}

function buildOpenGame({ id, title, names, turn, your_turn: yours, running }) {
  const state = !running ? t("home.not_begun") : yours ? t("home.your_turn") : turn ? t("home.turn", { name: turn }) : t("home.going_on");
  return h("a", { class: yours ? "paper goes now" : "paper goes", href: `/room/${id}`, "data-act": "continue", "data-room": id,
    onclick: (event) => { event.preventDefault(); navigate(`/room/${id}`); } },
    h("span", { class: "goes-what" }, h("b", {}, t("home.continue_title", { title })), h("small", {}, names.join(", "))),
    h("span", { class: "goes-turn" }, state));
}

function buildReviewLink({ game, title }) {
  const address = `/review/${encodeURIComponent(game)}`;
  return h("a", { class: "quiet look-back", href: address, "data-act": "review", onclick: (event) => { event.preventDefault(); navigate(address); } }, t("home.look_back", { title }));
}

function buildSitIntent(name, real = false) {
  return { want: "sit", name, real_dice: real };
}

// Seats the person at this device, and reserves seats for the others.
function buildSeatIntents(players, real = false) {
  const names = listHumanNames(players);
  const own = names.find((name) => name === prefs.get("name")) ?? names[0];
  if (!prefs.get("name") && own !== t("home.you")) prefs.set("name", own);
  return players.map((one) => (one.bot ? buildSitBotIntent(one) : one.name === own ? buildSitIntent(own, real) : { ...buildSitIntent(one.name, real), offered: true }));
}

function buildSitBotIntent({ bot, name }) {
  return { want: "sit_bot", bot, name };
}

function scrollBehavior() {
  return document.documentElement.dataset.motion === "full" && !matchMedia("(prefers-reduced-motion: reduce)").matches ? "smooth" : "instant";
}

customElements.define("knobel-home", HomePage);
