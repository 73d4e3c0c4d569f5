/* The review: a finished game on the same sheet, with the coach's red-pencil notes; it can be played again and gone on with. */

import { setBar } from "./bar.js";
import { connection } from "./connection.js";
import { showToast } from "./dialogs.js";
import { find, findAll, h, loadStylesheet, setAttribute, setChildren, setText } from "./dom.js";
import { loadFamily } from "./families.js";
import { buildSelect, findUsualBot, listBotOptions } from "./game-setup.js";
import { continueFinishedGame } from "./game-starter.js";
import { highlightMove } from "./hint.js";
import { drawEmblem, setReviewedLooks } from "./inks.js";
import { readAloud } from "./live-region.js";
import { LuckChart } from "./luck-chart.js";
import { buildMistakeList } from "./mistake-list.js";
import { formatLedger } from "./number-format.js";
import { asRefusal } from "./required.js";
import { ReviewClient } from "./review-client.js";
import { ReviewTable } from "./review-table.js";
import { followLink, navigate } from "./router.js";
import { loadParts, t } from "./translations.js";
import { describeWinChange } from "./win-change.js";
import { WinChartPanel } from "./win-chart.js";

const BUSY_DELAY = 300;
const FINE = "fine";
/** @type {Map<string, (table: ReviewTable) => unknown>} */
const MISTAKE_KEYS = new Map([
  ["n", (table) => table.showMistake(1)],
  ["p", (table) => table.showMistake(-1)],
]);
/** @type {Map<string, (table: ReviewTable) => unknown>} */
const STEP_KEYS = new Map([
  ["ArrowLeft", (table) => table.step(-1)],
  ["ArrowRight", (table) => table.step(1)],
]);

loadStylesheet("review.css");

class ReviewPage extends HTMLElement {
  /** @type {HTMLButtonElement} */
  playOnButton;
  /** @type {string} */
  bot;
  /** @type {object} */
  request;
  /** @type {(event: KeyboardEvent) => void} */
  keyListener;
  /** @type {ReviewClient} */
  client;
  /** @type {string} */
  game;
  /** @type {Decision[]} */
  mistakes;
  /** @type {LuckChart} */
  chart;
  /** @type {WinChartPanel | null} */
  winChart = null;
  /** @type {HTMLElement} */
  mistakeList;
  /** @type {ReviewTable} */
  reviewTable;
  /** @type {TableFamily} */
  family;
  /** @type {ReviewData} */
  reviewData;

  async connectedCallback() {
    this.game = decodeURIComponent(location.pathname.slice("/review/".length));
    this.client = new ReviewClient(this.game);
    this.keyListener = (event) => this.handleKey(event);
    document.addEventListener("keydown", this.keyListener);
    await loadParts("review", "table");
    setBar({ title: t("review.title") });
    const seat = new URLSearchParams(location.search).get("seat");
    await this.loadReview(/^\d{1,2}$/.test(seat ?? "") ? Number(seat) : null);
  }

  disconnectedCallback() {
    document.removeEventListener("keydown", this.keyListener);
    this.reviewTable?.pause();
    this.winChart?.stop();
    setReviewedLooks([]);
  }

  /**
   * Lets the coach look at a seat; the first time that may take a while, and the page says so.
   * @param {number | null} seat
   */
  async loadReview(seat) {
    this.reviewTable?.pause();
    this.winChart?.stop();
    const busy = setTimeout(() => this.showBusy(), BUSY_DELAY);
    const request = {};
    this.request = request;
    try {
      const found = await this.client.fetchReview(seat);
      const family = await loadFamily(found.setup.family);
      if (this.request === request && this.isConnected) this.showReview(found, family);
    } catch (refused) {
      if (this.request === request) await this.showRefusal(asRefusal(refused));
    } finally {
      clearTimeout(busy);
    }
  }

  /**
   * Says why there is no review; the address of a game that is not here leads nowhere.
   * @param {Refusal} refusal
   */
  async showRefusal({ code, text }) {
    if (code === "game_unknown") {
      await import("./missing-page.js");
      return setChildren(this, document.createElement("knobel-missing"));
    }
    setChildren(
      this,
      h("p", { class: "paper message", role: "alert" }, text ?? t("review.none")),
      h(
        "a",
        { class: "button", "data-act": "home", href: "/", onclick: (event) => followLink(event, "/") },
        t("end.home"),
      ),
    );
  }

  showBusy() {
    setChildren(
      this,
      h("p", { class: "paper message", role: "status" }, t("review.busy"), " ", h("small", {}, t("review.first_time"))),
    );
    readAloud(t("review.busy"));
  }

  /**
   * @param {ReviewData} found
   * @param {TableFamily} family
   */
  showReview(found, family) {
    const { review, seats, seat, title, publisher } = found;
    this.reviewData = found;
    setReviewedLooks(seats);
    this.family = family;
    const place = this.reviewTable?.place ?? null;
    this.mistakes = review.decisions.filter((one) => one.grade !== FINE);
    this.chart = new LuckChart(
      review,
      found.setup,
      family.review,
      seats.length > 1 && h("span", { class: "chart-player" }, drawEmblem(seat), seats[seat].name),
    );
    this.reviewTable = new ReviewTable(found, family, this.client, this.mistakes, {
      shown: (view) => this.handlePositionShown(view),
      jump: (decision) => this.jumpTo(decision),
      retrying: () => outlineBest(this.reviewTable),
    });
    this.reviewTable.controls.append(this.buildPlayOn());
    this.winChart =
      seats.length > 1 && family.review.hasWinChart
        ? new WinChartPanel(found, this.client, { loaded: (chart) => tellWinChanges(this, chart) })
        : null;
    this.mistakeList = buildMistakeList(
      this.mistakes,
      (one) => this.describeWhen(one),
      (one) => this.jumpTo(one),
      found.review.unit,
    );
    setChildren(
      this,
      this.buildHeadline(found),
      this.reviewTable.element,
      h(
        "div",
        { class: "after" },
        h("div", { class: "charts" }, this.chart.element, this.winChart?.element),
        this.mistakeList,
      ),
    );
    setBar({ title: t("review.of", { title }), under: [publisher, seats[seat].name].filter(Boolean).join(" · ") });
    document.title = `${t("review.of", { title })} · ${seats[seat].name}`;
    if (place === null && this.mistakes.length) this.reviewTable.showDecision(this.mistakes[0]);
    else this.reviewTable.showStop(place ?? 0);
  }

  /**
   * The result as everybody knows it, what it was made of, what the words mean, and whose it is.
   * @param {ReviewData} found
   */
  buildHeadline({ review, seats, seat, place, summary, level }) {
    return h(
      "section",
      { class: "paper headline", "aria-labelledby": "headline" },
      seats.length > 1 && this.buildSeatChoice(seats, seat),
      h(
        "h2",
        { id: "headline" },
        this.family.review.describeResult({ n: review.written, place, of: seats.length }),
        " ",
        h("em", {}, this.reviewData.class),
      ),
      summary && h("p", { class: "summary" }, summary),
      h("p", { class: "ledger-sum", "data-ledger": "" }, review.headlines.map(describeHeadline).join(" ")),
      h("p", { class: "means", "data-level": "" }, level.join(" ")),
      h("p", { class: "means" }, t(`review.means_${review.unit}`)),
      listCaveats(this.reviewData).map((one) => h("p", { class: "means" }, one)),
    );
  }

  /**
   * @param {ReviewData["seats"]} seats
   * @param {number} now
   */
  buildSeatChoice(seats, now) {
    return h(
      "fieldset",
      { class: "player-choice" },
      h("legend", { class: "unseen" }, t("review.who")),
      h(
        "div",
        { class: "picks" },
        seats.map((seat, place) =>
          h(
            "label",
            { class: "pick" },
            h("input", {
              type: "radio",
              name: "who",
              value: String(place),
              checked: place === now,
              onchange: () => this.chooseSeat(place),
            }),
            h("span", {}, drawEmblem(place), seat.name),
          ),
        ),
      ),
    );
  }

  /** @param {number} seat */
  async chooseSeat(seat) {
    history.replaceState(null, "", `${location.pathname}?seat=${seat}`);
    await this.loadReview(seat);
    find(this, ".player-choice input:checked")?.focus({ preventScroll: true });
  }

  /** @param {Decision} one */
  describeWhen({ turn, grade, dice }) {
    const values = { turn, grade: this.reviewData.names[grade], dice: dice.join("\u00a0") };
    return dice.length ? this.family.review.describeWhen(values) : t("review.when_first", values);
  }

  /** @param {Decision} decision */
  jumpTo(decision) {
    this.reviewTable.showDecision(decision);
    this.reviewTable.element.scrollIntoView({ block: "start", behavior: "instant" });
    this.reviewTable.slider.focus({ preventScroll: true });
  }

  /**
   * A position is on the table: its turn is marked in the chart, its mistake in the list.
   * @param {ShownStop} shown
   */
  handlePositionShown({ turn, decision, over }) {
    this.chart.markTurn(turn);
    this.winChart?.markTurn(turn);
    for (const one of findAll(this, "[data-event]"))
      setAttribute(one, "aria-current", decision && one.dataset.event === String(decision.event) ? "true" : null);
    outlineBest(this.reviewTable);
    this.playOnButton.disabled = over;
  }

  // Plays on from the position on the table, against bots.
  buildPlayOn() {
    const {
      seats,
      setup: { family },
    } = this.reviewData;
    this.bot ??= findUsualBot(connection.serverInfo, family).bot;
    this.playOnButton = h(
      "button",
      { class: "button act", type: "button", "data-act": "play-on", onclick: () => this.playOn() },
      t("review.play_on"),
    );
    return h(
      "div",
      { class: "play-on" },
      seats.length > 1 &&
        buildSelect(
          t("review.against"),
          listBotOptions(connection.serverInfo, family),
          this.bot,
          (bot) => {
            this.bot = bot;
          },
          "bot",
        ),
      // A game of the day is stored nowhere, so no room can go on with it.
      !this.game.startsWith("daily.") && this.playOnButton,
    );
  }

  async playOn() {
    this.reviewTable.pause();
    this.playOnButton.disabled = true;
    try {
      const room = await continueFinishedGame({
        game: this.game,
        event: this.reviewTable.event,
        seat: this.reviewData.seat,
        bot: this.bot,
      });
      navigate(`/room/${room}`);
    } catch (refused) {
      showToast(asRefusal(refused).text ?? String(refused));
      this.playOnButton.disabled = false;
    }
  }

  /**
   * Arrows step, n and p find mistakes, space plays; a field or a button that is held keeps its own keys.
   * @param {KeyboardEvent} event
   */
  handleKey(event) {
    const { reviewTable: table } = this,
      { key, target } = event;
    if (
      !table ||
      !(target instanceof HTMLElement) ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      event.defaultPrevented ||
      document.querySelector("dialog[open], .menu")
    )
      return;
    const slides = target === table.slider;
    if (!slides && target.closest("input, select, textarea")) return;
    const act =
      MISTAKE_KEYS.get(key) ??
      (slides ? undefined : STEP_KEYS.get(key)) ??
      (key === " " && !target.closest("button, a, summary")
        ? (/** @type {ReviewTable} */ one) => one.togglePlay()
        : null);
    if (!act) return;
    act(table);
    event.preventDefault();
  }
}

/**
 * Outlines what was best; while a decision is tried again, the table does not tell.
 * @param {ReviewTable} table
 */
function outlineBest({ element, note }) {
  highlightMove(element, note.bestAction);
  element.toggleAttribute("data-retrying", note.retriedEvent !== null);
}

/**
 * The chances to win are here: every choice is told in both currencies.
 * @param {ReviewPage} page
 * @param {WinChartData} chart
 */
function tellWinChanges({ reviewData, mistakes, mistakeList, reviewTable }, chart) {
  for (const one of reviewData.review.decisions) one.win = chart.choices[one.event];
  for (const one of mistakes) {
    const line = find(mistakeList, `[data-win-of="${one.event}"]`);
    if (line) setText(line, describeWinChange(one.win) ?? "");
  }
  reviewTable.note.redraw();
}

/** @param {ReviewHeadline} line */
function describeHeadline({ kind, n, ...ledger }) {
  return t(`review.headline_${kind}`, { n, ...formatLedger(ledger) });
}

/**
 * What one must know to read the figures.
 * @param {ReviewData} found
 */
function listCaveats({ review, seats, seat }) {
  return [
    seats[seat].assisted && t("review.assisted", { name: seats[seat].name }),
    !review.over && t("review.unfinished"),
    review.undone > 0 && t("review.undone", { n: review.undone }),
    review.against_rules > 0 && t("review.against_rules", { n: review.against_rules }),
    review.corrected > 0 && t("review.corrected", { n: review.corrected }),
    review.stood_in > 0 && t("review.stood_in", { n: review.stood_in }),
    review.parts.some((part) => part.kind === "round") && t("review.rounds_apart"),
  ].filter(Boolean);
}

customElements.define("knobel-review", ReviewPage);
