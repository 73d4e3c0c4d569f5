/* Practice: today's position and game, lessons, puzzles by theme, and your own mistakes. */

import { setBar } from "./bar.js";
import { h, setChildren } from "./dom.js";
import { sortEditions } from "./edition-order.js";
import { getFamily } from "./families.js";
import { buildSelect, listEditions, withHouseRules } from "./game-setup.js";
import { readAloud } from "./live-region.js";
import { fetchPeople, fetchPuzzle, sendAnswer } from "./people-api.js";
import { listenToPracticeKeys } from "./practice-keys.js";
import { findKeptAnswer, keepAnswer } from "./practice-streak.js";
import { PracticeTable } from "./practice-table.js";
import { prefs } from "./prefs.js";
import { asRefusal, required } from "./required.js";
import { formatDate } from "./times.js";
import { getLanguage, t } from "./translations.js";
import { buildYourPages, findUsualPerson } from "./your-pages.js";

/** @type {PracticeKind[]} */
const KINDS = ["position", "lesson", "practice", "game", "mistake"];

class PracticePage extends HTMLElement {
  /** @type {Person[]} */
  people = [];
  /** @type {EditionCard[]} */
  editions = [];
  /** @type {[string, string][]} */
  themes = [];
  person = "";
  edition = "";
  theme = "";
  lesson = "";
  /** The puzzle that is asked for by its number where nobody's answers are kept. */
  number = 1;
  /** @type {PracticeKind} */
  kind = "position";
  asked = 0;
  /** @type {PracticeTable | null} */
  table = null;
  stopKeys = () => {};
  pages = h("div");
  choices = h("form", { class: "paper game-filter", onsubmit: (event) => event.preventDefault() });
  body = h("div", { class: "practice" });

  async connectedCallback() {
    setBar({ title: t("practice.title"), under: t("practice.under") });
    const asked = new URLSearchParams(location.search);
    this.person = asked.get("person") ?? "";
    this.edition = asked.get("edition") ?? "";
    this.theme = asked.get("theme") ?? "";
    this.lesson = asked.get("lesson") ?? "";
    this.kind = KINDS.find((one) => one === asked.get("kind")) ?? "position";
    setChildren(this, this.pages, this.choices, this.body);
    this.stopKeys = listenToPracticeKeys(() => this.table);
    await this.start();
  }

  disconnectedCallback() {
    this.stopKeys();
  }

  /** @returns {Promise<void>} */
  async start() {
    this.showText(t("practice.loading"), true);
    try {
      [this.people, this.editions] = await Promise.all([fetchPeople(), listEditions()]);
    } catch (refused) {
      return this.showProblem(asRefusal(refused), () => this.start());
    }
    const own = this.people.find((one) => one.id === this.person);
    this.person = (own ?? findUsualPerson(this.people))?.id ?? "";
    this.editions = sortEditions(this.editions, getLanguage(), prefs.get("edition"));
    const known = this.editions.map((one) => one.id);
    if (!known.includes(this.edition)) this.edition = known[0] ?? "";
    await this.load();
  }

  /** @returns {Promise<void>} */
  async load() {
    const asked = ++this.asked;
    this.table = null;
    this.showChoices();
    if (this.kind === "mistake" && !this.person) return this.showText(t("practice.nobody"));
    this.showText(t("practice.loading"), true);
    try {
      const show = await withHouseRules(required(this.card, "card"), () => this.fetchKind(asked));
      if (asked === this.asked) await show();
    } catch (refused) {
      if (asked !== this.asked) return;
      const problem = asRefusal(refused);
      // A link may name a theme that these rules do not have.
      if (problem.code === "unknown_theme") this.choose({ theme: "" });
      else this.showProblem(problem, () => this.load());
    }
  }

  /** @returns {EditionCard | undefined} */
  get card() {
    return this.editions.find((one) => one.id === this.edition);
  }

  /** @returns {PracticeSubject} */
  get subject() {
    const { edition, person } = this;
    return { edition, person, house_rules: this.card?.house_rules ?? "" };
  }

  // What can be practised with the chosen game: only games with points have a game of the day.
  get kinds() {
    const hasGame = this.card && getFamily(this.card.family).hasPoints;
    return KINDS.filter((one) => one !== "game" || hasGame);
  }

  /**
   * Fetches what is to be shown, and gives how to show it.
   * @param {number} asked
   * @returns {Promise<() => unknown>}
   */
  async fetchKind(asked) {
    if (this.kind === "lesson") {
      const { LessonPage } = await import("./lesson-page.js");
      const show = await new LessonPage(this.body, this.subject, (lesson) => this.choose({ lesson })).show(this.lesson);
      return () => {
        this.body.removeAttribute("aria-busy");
        return show();
      };
    }
    if (this.kind === "game") {
      const { DailyGameTable } = await import("./daily-game.js");
      const table = await DailyGameTable.openToday(this.subject);
      return () => {
        this.table = table;
        setChildren(this.body, h("p", { class: "practice-lead" }, table.lead), table.element);
        this.body.removeAttribute("aria-busy");
      };
    }
    const found = await fetchPuzzle(this.kind, {
      ...this.subject,
      theme: this.kind === "practice" ? this.theme : "",
      ...(this.kind === "practice" && !this.person && { number: String(this.number) }),
    });
    return async () => {
      const puzzle = this.kind === "mistake" ? found.puzzle : found;
      if (!puzzle) return this.showText(t("practice.none_due"));
      this.themes = puzzle.themes;
      this.showChoices();
      if (asked === this.asked) await this.showPuzzle(puzzle, found.due);
    };
  }

  /**
   * What is practised: the kind, the game, and of puzzles the theme; whose answers are kept, where several play here.
   */
  showChoices() {
    setChildren(this.pages, buildYourPages("practice", this.person));
    const focused = this.choices.contains(document.activeElement)
      ? document.activeElement?.getAttribute("data-field")
      : null;
    setChildren(
      this.choices,
      buildSelect(
        t("practice.kind"),
        this.kinds.map((one) => [one, t(`practice.${one}`)]),
        this.kind,
        (kind) => this.choose({ kind: KINDS.find((one) => one === kind) ?? "position", lesson: "" }),
        "kind",
      ),
      this.kind !== "mistake" &&
        buildSelect(
          t("practice.edition"),
          this.editions.map((one) => [one.id, one.publisher ? `${one.title} (${one.publisher})` : one.title]),
          this.edition,
          (edition) => this.choose({ edition, theme: "", lesson: "" }),
          "edition",
        ),
      this.kind === "practice" &&
        this.themes.length > 0 &&
        buildSelect(
          t("practice.theme"),
          [["", t("practice.any")], ...this.themes],
          this.theme,
          (theme) => this.choose({ theme }),
          "theme",
        ),
      this.people.length > 1 &&
        buildSelect(
          t("practice.person"),
          this.people.map((one) => [one.id, one.name]),
          this.person,
          (person) => this.choose({ person }),
          "person",
        ),
    );
    if (focused) /** @type {HTMLElement | null} */ (this.choices.querySelector(`[data-field=${focused}]`))?.focus();
  }

  /** @param {{ kind?: PracticeKind, edition?: string, theme?: string, lesson?: string, person?: string }} chosen */
  choose(chosen) {
    Object.assign(this, chosen, { number: 1 });
    if (!this.kinds.includes(this.kind)) this.kind = "position";
    const { kind, edition, theme, lesson, person } = this;
    const asked = new URLSearchParams(
      Object.entries({ kind, edition, theme, lesson, person }).filter(([, value]) => value),
    );
    history.replaceState(null, "", `${location.pathname}?${asked}`);
    this.load();
  }

  /**
   * @param {ShownPuzzle} puzzle
   * @param {number | undefined} due
   */
  async showPuzzle(puzzle, due) {
    const table = await PracticeTable.open(puzzle, (action) => this.answer(table, puzzle, action));
    const lead = {
      position: () => t("practice.of_day", { title: puzzle.title, day: puzzle.day ? formatDate(puzzle.day) : "" }),
      practice: () => t("practice.number", { n: puzzle.number ?? 1, theme: puzzle.theme_name }),
      mistake: () => `${t("practice.due", { n: due ?? 1, theme: puzzle.theme_name })} · ${puzzle.title}`,
    }[/** @type {PuzzleKind} */ (puzzle.kind)]();
    this.table = table;
    setChildren(this.body, h("p", { class: "practice-lead" }, lead), table.element);
    this.body.removeAttribute("aria-busy");
    const kept = this.person ? null : findKeptAnswer(puzzle);
    if (puzzle.first) this.showAnswer(table, puzzle, { ...puzzle.first, streak: puzzle.streak });
    else if (kept) await this.answer(table, puzzle, kept.action);
    else readAloud([lead, puzzle.question].join(" "));
  }

  /**
   * @param {PracticeTable} table
   * @param {ShownPuzzle} puzzle
   * @param {string} action
   */
  async answer(table, puzzle, action) {
    const { game = "", event = 1, number = 1, day = "" } = puzzle;
    const kind = /** @type {PuzzleKind} */ (puzzle.kind);
    const theme = kind === "practice" ? this.theme : "";
    try {
      const graded = await sendAnswer({
        ...this.subject,
        kind,
        theme,
        number,
        game,
        event,
        day,
        action,
        person: this.person || null,
      });
      const streak = this.person ? graded.streak : keepAnswer(puzzle, action);
      this.showAnswer(table, puzzle, { ...graded, ...graded.first, streak });
    } catch (refused) {
      table.showProblem(asRefusal(refused).text ?? t("practice.offline"));
    }
  }

  /**
   * @param {PracticeTable} table
   * @param {ShownPuzzle} puzzle
   * @param {GradedAnswer} answer
   */
  showAnswer(table, puzzle, answer) {
    const loadNext = () => {
      this.number = (puzzle.number ?? 0) + 1;
      return this.load();
    };
    table.showAnswer(answer, puzzle.unit, puzzle.kind === "position" ? null : loadNext);
  }

  /**
   * @param {string} text
   * @param {boolean} [busy]
   */
  showText(text, busy = false) {
    setChildren(this.body, h("p", { class: "paper message", "data-empty": busy ? null : "" }, text));
    if (busy) this.body.setAttribute("aria-busy", "true");
    else this.body.removeAttribute("aria-busy");
  }

  /**
   * @param {Refusal} refusal
   * @param {() => unknown} again
   */
  showProblem({ text }, again) {
    setChildren(
      this.body,
      h("p", { class: "paper message", role: "alert" }, text ?? t("practice.offline")),
      h("button", { class: "button", "data-act": "again", onclick: again }, t("practice.again")),
    );
    this.body.removeAttribute("aria-busy");
  }
}

customElements.define("knobel-practice", PracticePage);
