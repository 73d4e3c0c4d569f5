/* Your games: everything played to the end, the newest first, by person, game, company, result and day. */

import { setBar } from "./bar.js";
import { connection } from "./connection.js";
import { find, h, setChildren } from "./dom.js";
import { buildSelect, listEditions } from "./game-setup.js";
import { readAloud } from "./live-region.js";
import { buildPastGame } from "./past-game.js";
import { EVERYBODY, fetchHistory, fetchPeople } from "./people-api.js";
import { asRefusal } from "./required.js";
import { followLink } from "./router.js";
import { t } from "./translations.js";
import { buildYourPages } from "./your-pages.js";

const PLACEHOLDERS = 5;
const RESULTS = ["won", "lost"];
/** @type {(keyof GameFilter)[]} */
const FILTERS = ["person", "edition", "with", "result", "since", "until"];

class GamesPage extends HTMLElement {
  /** @type {Partial<GameFilter>} */
  filter = {};
  /** @type {string | null} */
  next = null;
  asked = 0;
  /** @type {Map<string, string>} */
  company = new Map();
  /** @type {Person[]} */
  people = [];
  /** @type {EditionCard[]} */
  editions = [];
  list = h("ol", { class: "past-games" });
  message = h("div", { class: "games-message" });
  more = h(
    "button",
    { class: "button", "data-act": "more-games", hidden: true, onclick: () => this.loadMore() },
    t("games.more"),
  );
  fields = h("form", { class: "paper game-filter", onsubmit: (event) => event.preventDefault() });

  async connectedCallback() {
    setBar({ title: t("games.title"), under: t("games.under") });
    this.filter = readFilter();
    this.list.setAttribute("aria-label", t("games.title"));
    setChildren(this, buildYourPages("games", this.filter.person), this.fields, this.list, this.message, this.more);
    this.showFilter();
    const lists = Promise.all([fetchPeople().catch(() => []), listEditions().catch(() => [])]);
    await this.load();
    [this.people, this.editions] = await lists;
    this.showFilter();
  }

  // Fetches the first games that fit; what was asked for before is not shown any more.
  async load() {
    const asked = ++this.asked;
    this.next = null;
    this.more.hidden = true;
    setChildren(this.message);
    this.list.setAttribute("aria-busy", "true");
    setChildren(
      this.list,
      Array.from({ length: PLACEHOLDERS }, () => h("li", { class: "placeholder past" })),
    );
    await this.fetchGames(asked, () => setChildren(this.list));
    this.list.removeAttribute("aria-busy");
  }

  async loadMore() {
    const before = this.list.children.length;
    this.more.disabled = true;
    await this.fetchGames(this.asked, () => {});
    this.more.disabled = false;
    find(this.list, `li:nth-child(${before + 1}) summary`)?.focus();
  }

  /**
   * @param {number} asked
   * @param {() => void} clear
   */
  async fetchGames(asked, clear) {
    try {
      const { games, next } = await fetchHistory(this.filter, this.next);
      if (asked !== this.asked) return;
      clear();
      this.next = next;
      this.list.append(...games.map((game) => h("li", {}, buildPastGame(game))));
      this.noteCompany(games);
      this.more.hidden = next === null;
      if (!this.list.children.length) this.showEmpty();
      readAloud(t("games.found", { n: this.list.children.length }));
    } catch (refused) {
      if (asked !== this.asked) return;
      clear();
      setChildren(
        this.message,
        h("p", { class: "paper message", role: "alert" }, asRefusal(refused).text ?? t("games.offline")),
        h("button", { class: "button", "data-act": "again", onclick: () => this.load() }, t("games.again")),
      );
    }
  }

  // Says what to do where there is nothing: play, or ask for less.
  showEmpty() {
    const isFiltered = FILTERS.some((name) => this.filter[name]);
    setChildren(
      this.message,
      h("p", { class: "paper message", "data-empty": "" }, t(isFiltered ? "games.none_fit" : "games.none")),
      isFiltered
        ? h("button", { class: "button act", "data-act": "clear", onclick: () => this.setFilter({}) }, t("games.clear"))
        : h(
            "a",
            { class: "button act", "data-act": "play", href: "/", onclick: (event) => followLink(event, "/") },
            t("games.play"),
          ),
    );
  }

  /** @param {PastGame[]} games */
  noteCompany(games) {
    const known = this.company.size;
    for (const { seats } of games)
      for (const { person, name, you } of seats) if (person && !you) this.company.set(person, name);
    if (this.company.size > known) this.showFilter();
  }

  showFilter() {
    const focused = this.fields.contains(document.activeElement)
      ? document.activeElement?.getAttribute("data-field")
      : null;
    const shown = this.people.filter((person) => !person.hidden || person.id === this.filter.person);
    // Whoever is alone on this device has played with nobody of it.
    const here = shown.length > 1 ? shown.map((person) => /** @type {const} */ ([person.id, person.name])) : [];
    const others = new Map([...this.company, ...here].filter(([id]) => id !== this.filter.person));
    /** @type {(name: keyof GameFilter, options: [string, string][]) => HTMLElement} */
    const select = (name, options) =>
      buildSelect(
        t(`games.${name}`),
        [["", t(`games.any_${name}`)], ...options],
        this.filter[name] ?? "",
        (value) => this.setFilter({ ...this.filter, [name]: value }),
        name,
      );
    setChildren(
      this.fields,
      select("person", [
        ...shown.map((person) => /** @type {[string, string]} */ ([person.id, person.name])),
        ...(connection.serverInfo?.open_history
          ? [/** @type {[string, string]} */ ([EVERYBODY, t("games.everybody")])]
          : []),
      ]),
      select(
        "edition",
        this.editions.map((card) => [card.id, card.publisher ? `${card.title} (${card.publisher})` : card.title]),
      ),
      (others.size > 0 || this.filter.with) && select("with", [...others]),
      select(
        "result",
        RESULTS.map((result) => [result, t(`games.${result}`)]),
      ),
      this.buildDay("since"),
      this.buildDay("until"),
    );
    if (focused) find(this.fields, `[data-field=${focused}]`)?.focus();
  }

  /** @param {"since" | "until"} name */
  buildDay(name) {
    return h(
      "label",
      { class: "choice" },
      h("span", {}, t(`games.${name}`)),
      h("input", {
        type: "date",
        value: this.filter[name] ?? "",
        "data-field": name,
        onchange: (event) => this.setFilter({ ...this.filter, [name]: event.target.value }),
      }),
    );
  }

  /** @param {Partial<GameFilter>} filter */
  setFilter(filter) {
    this.filter = filter;
    const asked = new URLSearchParams(Object.entries(filter).filter(([, value]) => value));
    history.replaceState(null, "", asked.size ? `${location.pathname}?${asked}` : location.pathname);
    this.showFilter();
    this.load();
  }
}

/** @returns {Partial<GameFilter>} */
function readFilter() {
  const asked = new URLSearchParams(location.search);
  return Object.fromEntries(FILTERS.flatMap((name) => (asked.get(name) ? [[name, asked.get(name)]] : [])));
}

customElements.define("knobel-games", GamesPage);
