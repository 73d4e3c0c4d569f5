/* Statistics of a person in a game: figures beside those of perfect play, charts, head to head, records of the table. */

import { setBar } from "./bar.js";
import { find, h, setChildren } from "./dom.js";
import { buildSelect, listEditions } from "./game-setup.js";
import { rememberPeople } from "./known-people.js";
import { readAloud } from "./live-region.js";
import { fetchPeople, fetchStatistics } from "./people-api.js";
import { prefs } from "./prefs.js";
import { asRefusal } from "./required.js";
import { followLink } from "./router.js";
import { buildStatistics } from "./statistics-view.js";
import { t } from "./translations.js";
import { VersusPanel } from "./versus-panel.js";
import { buildYourPages } from "./your-pages.js";

const PLACEHOLDERS = 4;

class StatisticsPage extends HTMLElement {
  /** @type {Person[]} */
  people = [];
  /** @type {EditionCard[]} */
  editions = [];
  person = "";
  edition = "";
  asked = 0;
  pages = h("div");
  choices = h("form", { class: "paper game-filter", onsubmit: (event) => event.preventDefault() });
  body = h("div", { class: "statistics", "aria-live": "off" });

  async connectedCallback() {
    setBar({ title: t("stats.title"), under: t("stats.under") });
    const asked = new URLSearchParams(location.search);
    this.person = asked.get("person") ?? "";
    this.edition = asked.get("edition") ?? "";
    setChildren(this, this.pages, this.choices, this.body);
    setChildren(this.pages, buildYourPages("statistics", this.person));
    this.showPlaceholders();
    await this.start();
  }

  async start() {
    try {
      [this.people, this.editions] = await Promise.all([fetchPeople(), listEditions().catch(() => [])]);
    } catch (refused) {
      return this.showProblem(asRefusal(refused), () => this.start());
    }
    rememberPeople(this.people);
    if (!this.people.length) return this.showNobody();
    if (!this.people.some((one) => one.id === this.person)) this.person = this.findUsualPerson().id;
    await this.load();
  }

  // Whoever is named in the settings, else whoever played most.
  findUsualPerson() {
    const shown = this.people.filter((one) => !one.hidden);
    const byGames = [...(shown.length ? shown : this.people)].sort((one, other) => other.games - one.games);
    return byGames.find((one) => one.name === prefs.get("name") && one.games > 0) ?? byGames[0];
  }

  async load() {
    const asked = ++this.asked;
    setChildren(this.pages, buildYourPages("statistics", this.person));
    this.showPlaceholders();
    try {
      const found = await fetchStatistics(this.person, this.edition);
      if (asked !== this.asked) return;
      this.showChoices(found);
      await this.show(found);
    } catch (refused) {
      if (asked === this.asked) this.showProblem(asRefusal(refused), () => this.load());
    }
  }

  /**
   * Whose statistics, and of which game; those that were never played are not offered.
   * @param {Statistics} found
   */
  showChoices(found) {
    const focused = this.choices.contains(document.activeElement)
      ? document.activeElement?.getAttribute("data-field")
      : null;
    setChildren(
      this.choices,
      buildSelect(
        t("stats.person"),
        this.people.map((one) => [one.id, one.name]),
        this.person,
        (person) => this.choose({ person, edition: "" }),
        "person",
      ),
      found.editions.length > 0 &&
        buildSelect(
          t("stats.edition"),
          found.editions.map(({ edition, title, games }) => [edition, t("stats.edition_n", { title, n: games })]),
          found.edition ?? "",
          (edition) => this.choose({ person: this.person, edition }),
          "edition",
        ),
    );
    if (focused) find(this.choices, `[data-field=${focused}]`)?.focus();
  }

  /** @param {{ person: string, edition: string }} chosen */
  choose({ person, edition }) {
    this.person = person;
    this.edition = edition;
    const asked = new URLSearchParams(Object.entries({ person, edition }).filter(([, value]) => value));
    history.replaceState(null, "", `${location.pathname}?${asked}`);
    this.load();
  }

  /** @param {Statistics} found */
  async show(found) {
    if (!found.games) return this.showEmpty();
    const person = this.people.find((one) => one.id === this.person);
    const records = await fetchTableRecords(found.edition ?? "").catch(() => null);
    setChildren(
      this.body,
      buildStatistics(found, person),
      new VersusPanel(this.person, found.opponents).element,
      records && buildRecords(records),
    );
    this.body.removeAttribute("aria-busy");
    readAloud(t("stats.shown", { n: found.games }));
  }

  // Somebody who has finished no game yet.
  showEmpty() {
    setChildren(
      this.body,
      h("p", { class: "paper message", "data-empty": "" }, t("stats.none")),
      buildWay("/", "play", t("stats.play")),
    );
    this.body.removeAttribute("aria-busy");
  }

  // Nobody has played on this device yet.
  showNobody() {
    setChildren(
      this.body,
      h("p", { class: "paper message", "data-empty": "" }, t("stats.nobody")),
      buildWay("/", "play", t("stats.play")),
      buildWay("/people", "people", t("bar.people")),
    );
    this.body.removeAttribute("aria-busy");
  }

  showPlaceholders() {
    this.body.setAttribute("aria-busy", "true");
    setChildren(
      this.body,
      h("span", { class: "unseen" }, t("stats.loading")),
      Array.from({ length: PLACEHOLDERS }, () => h("div", { class: "placeholder chart" })),
    );
  }

  /**
   * @param {Refusal} refusal
   * @param {() => unknown} again
   */
  showProblem({ text }, again) {
    setChildren(
      this.body,
      h("p", { class: "paper message", role: "alert" }, text ?? t("stats.offline")),
      h("button", { class: "button", "data-act": "again", onclick: again }, t("stats.again")),
    );
    this.body.removeAttribute("aria-busy");
  }
}

/**
 * @param {string} address
 * @param {string} hook
 * @param {string} text
 */
function buildWay(address, hook, text) {
  return h(
    "a",
    { class: "button", "data-act": hook, href: address, onclick: (event) => followLink(event, address) },
    text,
  );
}

customElements.define("knobel-statistics", StatisticsPage);
