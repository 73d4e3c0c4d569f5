/* Statistics of a person in a game: figures beside those of perfect play, charts, head to head, records of the table. */

import { setBar } from "./bar.js";
import { find, h, setChildren } from "./dom.js";
import { buildSelect } from "./game-setup.js";
import { readAloud } from "./live-region.js";
import { fetchHistory, fetchPeople, fetchStatistics, fetchTableRecords } from "./people-api.js";
import { asRefusal } from "./required.js";
import { followLink } from "./router.js";
import { buildStatistics } from "./statistics-view.js";
import { t } from "./translations.js";
import { buildRecords, VersusPanel } from "./versus-panel.js";
import { buildYourPages, findUsualPerson } from "./your-pages.js";

const PLACEHOLDERS = 4;
/** How many of the last games are drawn one by one. */
const MOST_GAMES = "100";

class StatisticsPage extends HTMLElement {
  /** @type {Person[]} */
  people = [];
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
    setChildren(this.choices, h("div", { class: "placeholder field" }), h("div", { class: "placeholder field" }));
    this.showPlaceholders();
    await this.start();
  }

  /** @returns {Promise<void>} */
  async start() {
    try {
      this.people = await fetchPeople();
    } catch (refused) {
      return this.showProblem(asRefusal(refused), () => this.start());
    }
    this.choices.hidden = !this.people.length && !this.person;
    if (this.choices.hidden) return this.showNobody();
    if (!this.person) this.person = findUsualPerson(this.people)?.id ?? "";
    await this.load();
  }

  /** @returns {Promise<void>} */
  async load() {
    const asked = ++this.asked;
    setChildren(this.pages, buildYourPages("statistics", this.person));
    this.showPlaceholders();
    try {
      const answer = await fetchStatistics(this.person);
      if (asked !== this.asked) return;
      await this.show(answer);
    } catch (refused) {
      if (asked === this.asked) this.showProblem(asRefusal(refused), () => this.load());
    }
  }

  /**
   * Shows one edition of what was answered: the one asked for, else the one played most.
   * @param {StatisticsAnswer} answer
   */
  async show(answer) {
    const found = answer.editions.find((one) => one.edition === this.edition) ?? answer.editions[0];
    this.showChoices(answer, found);
    if (!found) return this.showEmpty();
    const asked = this.asked;
    const [{ games }, records] = await Promise.all([
      fetchHistory({ person: this.person, edition: found.edition }, null, MOST_GAMES),
      fetchTableRecords().catch(() => []),
    ]);
    if (asked !== this.asked) return;
    setChildren(
      this.body,
      buildStatistics(found, games, answer),
      new VersusPanel(answer.person, answer.others, found.edition).element,
      buildRecords(records.find((one) => one.edition === found.edition)),
    );
    this.body.removeAttribute("aria-busy");
    readAloud(t("stats.shown", { n: found.games }));
  }

  /**
   * Whose statistics, and of which game; those that were never played are not offered.
   * @param {StatisticsAnswer} answer
   * @param {EditionStatistics | undefined} found
   */
  showChoices({ person, editions }, found) {
    const focused = this.choices.contains(document.activeElement)
      ? document.activeElement?.getAttribute("data-field")
      : null;
    const people = this.people.some((one) => one.id === person.id) ? this.people : [person, ...this.people];
    setChildren(
      this.choices,
      buildSelect(
        t("stats.person"),
        people.map((one) => [one.id, one.name]),
        this.person,
        (chosen) => this.choose({ person: chosen, edition: this.edition }),
        "person",
      ),
      found &&
        buildSelect(
          t("stats.edition"),
          editions.map(({ edition, title, games }) => [edition, t("stats.edition_n", { title, n: games })]),
          found.edition,
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
