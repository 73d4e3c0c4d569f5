/* Home: one way to play at once, the games you left, then all editions, each with its ways to play. */

import { fetchRooms, uploadHouseRules } from "./api.js";
import { setBar } from "./bar.js";
import { connection } from "./connection.js";
import { find, getPart, h, scrollBehavior, setChildren, setLetters, splitName } from "./dom.js";
import { assignColours, drawDice } from "./edition-art.js";
import { groupBySection, sortEditions } from "./edition-order.js";
import { getFamily, preloadFamilies } from "./families.js";
import { forgetHouseRules, listEditions, rememberHouseRules } from "./game-setup.js";
import { HomeHero, loadPlayModes } from "./home-hero.js";
import { buildLanguageChoice } from "./language-choice.js";
import { openSettings, preloadDialogs } from "./late-dialogs.js";
import { buildOpenGame, buildReviewLink } from "./open-games.js";
import { prefs } from "./prefs.js";
import { asRefusal } from "./required.js";
import { navigate, preloadRoomPages } from "./router.js";
import { getLanguage, t } from "./translations.js";

const MAX_UPLOAD_BYTES = 32 * 1024 + 1; // one byte more than the server reads: enough for it to say that a file is too large
const MAX_OPEN_GAMES = 3;
const PLACEHOLDERS = 6;
const PRELOAD_DELAY = 300;
const LONG_WORD = 14;
let panelCount = 0;

class HomePage extends HTMLElement {
  /** @type {HTMLElement} */
  shelves;
  /** @type {HTMLElement} */
  openGames;
  /** @type {HTMLElement} */
  memory;
  /** @type {HomeHero} */
  hero;

  async connectedCallback() {
    setBar({ title: t("home.title"), under: t("home.under"), buttons: [buildLanguageChoice()] });
    this.memory = h("div", { class: "home-memory" });
    const hasRecent = this.showMemory();
    const editions = Promise.all([listEditions(), hasRecent]).then(([cards]) =>
      sortEditions(cards, getLanguage(), prefs.get("edition")),
    );
    this.hero = new HomeHero(editions);
    this.openGames = h("section", { class: "open-games", "aria-label": t("home.continue") });
    this.shelves = h("div", { class: "shelves", "aria-busy": "true" }, buildPlaceholders());
    setChildren(
      this,
      this.hero.element,
      this.openGames,
      this.memory,
      h("h2", { class: "edition-heading" }, t("home.which")),
      this.shelves,
      this.buildFooter(),
    );
    const [cards] = await Promise.all([editions.catch(() => []), this.showOpenGames(hasRecent)]);
    this.showEditions(cards);
    this.openHouseRules(decodeURIComponent(location.hash.slice(1)));
    setTimeout(preload, PRELOAD_DELAY);
  }

  // Shows what the server remembers of somebody who has played here; says whether there are games among it.
  async showMemory() {
    const ids = prefs.get("rooms");
    if (!ids.length && !prefs.get("people").length) return false;
    return import("./home-memory.js").then(({ showMemory }) => showMemory(this.memory, ids)).catch(() => false);
  }

  /**
   * Shows the games that wait for you: the newest one beside Play, the others below.
   * @param {Promise<boolean>} remembered Whether the last games are listed anyway.
   */
  async showOpenGames(remembered) {
    const ids = prefs.get("rooms");
    const [rooms, hasRecent] = await Promise.all([ids.length ? fetchRooms(ids).catch(() => []) : [], remembered]);
    const [newest, ...others] = rooms.filter((room) => !room.over && room.names.length).slice(0, MAX_OPEN_GAMES);
    const last = rooms.find((room) => room.over && room.game);
    this.hero.showOpenGame(newest);
    setChildren(
      this.openGames,
      others.length > 0 && h("h2", {}, t("home.others")),
      others.map(buildOpenGame),
      last && !hasRecent && buildReviewLink(last),
    );
  }

  /**
   * Lists the editions on their shelves, in the order given.
   * @param {EditionCard[]} cards
   */
  showEditions(cards) {
    const printedFirst = [...cards].sort(
      (one, other) =>
        Number(Boolean(one.house_rules)) - Number(Boolean(other.house_rules)) || (one.id < other.id ? -1 : 1),
    );
    const colour = assignColours(printedFirst.map((card) => card.id));
    setChildren(
      this.shelves,
      cards.length === 0 && h("p", { class: "empty" }, t("home.none")),
      groupBySection(cards).map(([section, found]) => [
        section && h("h2", { class: "section-heading" }, t(section)),
        h(
          "ul",
          { class: section ? "editions apart" : "editions" },
          found.map((card) => this.buildEditionCard(card, colour.get(card.id), Boolean(section))),
        ),
      ]),
    );
    this.shelves.removeAttribute("aria-busy");
  }

  /**
   * @param {EditionCard} card
   * @param {number | undefined} colour
   * @param {boolean} isApart
   */
  buildEditionCard(card, colour, isApart) {
    const inside = h("div", {
      class: "edition-panel paper",
      id: `inside-${++panelCount}`,
      "data-colour": colour,
      hidden: true,
    });
    const publisher = card.publisher || t("home.own");
    /** @type {HTMLButtonElement} */
    const button = h(
      "button",
      {
        class: "edition-card",
        "data-edition": card.id,
        "data-own": card.house_rules ? "" : null,
        "data-colour": colour,
        "aria-expanded": "false",
        "aria-controls": inside.id,
        onclick: () => this.toggleEdition(button, inside, card),
      },
      h(
        "span",
        { class: "edition-text" },
        h(
          "span",
          { class: "edition-publisher" },
          card.id === prefs.get("edition") ? t("home.last", { publisher }) : publisher,
        ),
        buildTitle(card.title),
        h("span", { class: "edition-line" }, card.line || getFamily(card.family).describeFacts(card)),
      ),
      isApart && drawDice(card),
    );
    const isBroad = splitName(card.title).some((word) => word.length > LONG_WORD);
    return [
      h("li", { class: isBroad ? "edition broad" : "edition" }, button),
      h("li", { class: "edition-open" }, inside),
    ];
  }

  /**
   * Opens or closes an edition; opening one closes the others.
   * @param {HTMLElement} button
   * @param {HTMLElement} inside
   * @param {EditionCard} card
   */
  async toggleEdition(button, inside, card) {
    const opening = inside.hidden;
    for (const other of this.shelves.querySelectorAll(".edition-card[aria-expanded=true]")) {
      other.setAttribute("aria-expanded", "false");
      getPart(other.getAttribute("aria-controls") ?? "").hidden = true;
    }
    if (!opening) return;
    button.setAttribute("aria-expanded", "true");
    inside.hidden = false;
    const PlayModes = await loadPlayModes();
    setChildren(inside, new PlayModes(card, inside, () => this.buildOwnRules(card)).draw());
    inside.scrollIntoView({ block: "nearest", behavior: scrollBehavior() });
  }

  /** @param {string} id */
  openHouseRules(id) {
    if (id) find(this.shelves, `[data-own][data-edition="${CSS.escape(id)}"]`)?.click();
  }

  /**
   * House rules can be removed again, and those made with the form can be edited.
   * @param {EditionCard} card
   */
  buildOwnRules(card) {
    const edit = () => navigate(`/house-rules#${encodeURIComponent(card.id)}`);
    const remove = async () => {
      forgetHouseRules(card.id);
      this.showEditions(sortEditions(await listEditions(), getLanguage(), prefs.get("edition")));
      find(this, ".edition-card")?.focus();
    };
    return (
      card.house_rules && [
        card.draft &&
          h("button", { class: "quiet read", "data-act": "edit-house-rules", onclick: edit }, t("home.edit")),
        h("button", { class: "quiet read", "data-act": "remove-house-rules", onclick: remove }, t("home.remove")),
      ]
    );
  }

  // What is needed less often: house rules, the settings.
  buildFooter() {
    return h(
      "footer",
      { class: "home-footer" },
      h("button", { class: "quiet", "data-act": "practice", onclick: () => navigate("/practice") }, t("bar.practice")),
      h(
        "button",
        { class: "quiet", "data-act": "tournament", onclick: () => navigate("/tournament") },
        t("bar.tournament"),
      ),
      connection.serverInfo?.house_rules && [
        h("button", { class: "quiet", "data-act": "make", onclick: () => navigate("/house-rules") }, t("make.open")),
        this.buildHouseRulesUpload(),
      ],
      h("button", { class: "quiet", "data-act": "settings", onclick: () => openSettings() }, t("home.settings")),
    );
  }

  buildHouseRulesUpload() {
    const wrong = h("p", { class: "wrong-file", role: "alert", "data-wrong": "", hidden: true });
    /** @type {(text: string) => void} */
    const refuse = (text) => {
      setChildren(wrong, h("b", {}, t("home.wrong_file")), " ", text);
      wrong.hidden = false;
      wrong.scrollIntoView({ block: "nearest", behavior: scrollBehavior() });
    };
    /** @type {(event: { target: HTMLInputElement }) => Promise<void>} */
    const opened = async ({ target }) => {
      const [file] = target.files ?? [];
      if (!file) return;
      wrong.hidden = true;
      try {
        const card = await uploadHouseRules(file.name, file.slice(0, MAX_UPLOAD_BYTES), getLanguage());
        rememberHouseRules(card, { name: file.name, text: await file.text() });
        this.showEditions(sortEditions(await listEditions(), getLanguage(), prefs.get("edition")));
        this.openHouseRules(card.id);
      } catch (refused) {
        refuse(asRefusal(refused).text ?? t("home.unread"));
      } finally {
        target.value = "";
      }
    };
    return [
      h(
        "label",
        { class: "quiet file" },
        t("home.house_rules"),
        h("input", { class: "unseen", type: "file", accept: ".toml", "data-field": "house", onchange: opened }),
      ),
      wrong,
    ];
  }
}

// Fetches what is probably opened next, once everything here is to be seen.
function preload() {
  return Promise.all([loadPlayModes(), preloadRoomPages(), preloadFamilies(), preloadDialogs()]).catch(() => {});
}

function buildPlaceholders() {
  return h(
    "div",
    { class: "editions" },
    h("span", { class: "unseen" }, t("home.loading")),
    Array.from({ length: PLACEHOLDERS }, () => h("div", { class: "placeholder box" })),
  );
}

/** @param {string} text */
function buildTitle(text) {
  const title = h("span", { class: "edition-title" }, text);
  setLetters(title, splitName(text));
  return title;
}

customElements.define("knobel-home", HomePage);
