/* The end of a game: who won, what the evening looks like, and what comes next. */

import { countUp, drawRing } from "./celebration.js";
import { CoachLine } from "./coach-line.js";
import { showToast } from "./dialogs.js";
import { find, findAll, getFocused, h, setChildren } from "./dom.js";
import { buildCertificateLink, buildSeriesTable, buildSheetButton, describeWinners, hasGames } from "./evening.js";
import { buildUnavailable, findMissing } from "./extras.js";
import { drawEmblem } from "./inks.js";
import { describeOutcome, listPlaces } from "./outcome.js";
import { Reactions } from "./reactions.js";
import { BestGames } from "./record-chase.js";
import { required } from "./required.js";
import { followLink } from "./router.js";
import { openShareMenu } from "./share-result.js";
import { buildTournamentLink } from "./tournament-link.js";
import { getLanguage, t } from "./translations.js";

// The panel that takes the tray's place; `handlers` are {begin(), lobby(), undo(), continueGame()}.
export class GameOverPanel {
  /** @type {string | false} */
  drawnKey;

  /** @param {{ begin(): unknown, lobby(): void, undo(): unknown, continueGame(): unknown }} handlers */
  constructor(handlers) {
    this.handlers = handlers;
    this.coachLine = new CoachLine();
    this.bestGames = new BestGames();
    this.sameDice = h("div", { class: "same-dice", hidden: true });
    this.reactions = new Reactions({ folded: true });
    this.element = h("section", { class: "tray end", "aria-label": t("end.end"), hidden: true, tabindex: "-1" });
  }

  // The game has just ended: its figures count up.
  celebrate() {
    countUp(findAll(this.element, ".ranking b"));
  }

  /** @param {TableModel} model */
  draw(model) {
    const { over, view } = model;
    const room = required(model.room, "room");
    this.element.hidden = !over;
    this.coachLine.draw(model);
    this.bestGames.draw(model);
    this.drawSameDice(model);
    this.reactions.draw(model);
    const now =
      over &&
      JSON.stringify([
        view.game,
        view.closed,
        view.places,
        view.seats.map((seat) => seat.total),
        view.undo,
        room.host,
        room.acting_host,
        room.series,
        room.running,
        room.begin_refusal,
      ]);
    if (now === this.drawnKey) return;
    this.drawnKey = now;
    const held = this.element.contains(document.activeElement) && getFocused()?.dataset.act;
    if (over)
      setChildren(
        this.element,
        this.buildRanking(model),
        this.coachLine.element,
        this.bestGames.record,
        this.sameDice,
        view.closed ? this.buildNext(model) : this.buildConfirm(model),
        h(
          "div",
          { class: "folds" },
          this.bestGames.element,
          view.closed && this.buildMore(view, room),
          this.reactions.element,
        ),
      );
    if (held) find(this.element, `[data-act="${held}"]`)?.focus({ preventScroll: true });
  }

  /** @param {TableModel} model */
  buildRanking({ view, room, gameInfo, family }) {
    const { series, seats } = required(room, "room");
    return [
      h("h2", { id: "outcome" }, describeOutcome(view)),
      view.closed && describeWinners(seats, series),
      view.places &&
        h(
          "ol",
          { class: "ranking" },
          listPlaces(view).map(({ place, seat }) =>
            h(
              "li",
              { class: place === 1 ? "first" : null },
              h("span", { class: "place" }, `${place}.`),
              drawEmblem(seat),
              h("span", { class: "name" }, view.seats[seat].name),
              view.seats[seat].left && h("small", {}, t("player.gone")),
              view.seats[seat].assisted && h("small", {}, t("player.assisted")),
              buildScore(family.describeScore(view.seats[seat], gameInfo), place === 1 && view.seats.length > 1),
            ),
          ),
        ),
      (family.hasSeriesTable || !series.independent) &&
        view.closed &&
        hasGames(series) &&
        buildSeriesTable(seats, series),
      view.closed && hasGames(series) && !series.scores && h("p", { class: "status" }, t("evening.single")),
    ];
  }

  /**
   * After a duplicate game: what everybody made of the same dice.
   * @param {TableModel} model
   */
  drawSameDice({ view }) {
    const isOver = Boolean(view.duplicate) && view.closed === "over";
    this.sameDice.hidden = !isOver;
    if (isOver && this.sameDice.dataset.game !== view.game) {
      this.sameDice.dataset.game = view.game;
      setChildren(this.sameDice);
      import("./duplicate-result.js")
        .then(({ showDuplicateResult }) => showDuplicateResult(this.sameDice, view))
        .catch(() => {
          this.sameDice.dataset.game = "";
        });
    }
  }

  /**
   * The last entry can be undone for a moment.
   * @param {TableModel} model
   */
  buildConfirm({ view, family }) {
    const corrections = family.describeCorrections(view);
    return h(
      "div",
      { class: "next" },
      corrections && h("p", { class: "status" }, corrections),
      h(
        "button",
        { class: "main-button", "data-act": "go-on", onclick: this.handlers.continueGame },
        t("end.thats_it"),
      ),
      view.undo !== null &&
        h(
          "button",
          { class: "table-button", "data-act": "undo-last", onclick: this.handlers.undo },
          family.describeUndo(),
        ),
    );
  }

  /**
   * What comes next: the review first, then a rematch; in the middle of an evening, and after a game that was stopped,
   * the other way round.
   * @param {TableModel} model
   */
  buildNext(model) {
    const { view, room: shared } = model;
    const room = required(shared, "room");
    const seated = view.seats.some((seat) => seat.yours);
    const { series } = room;
    const goesOn = series.next && series.games > 1;
    const label = goesOn ? t("end.next_game", { number: series.number, games: series.games }) : t("end.rematch");
    const host = room.seats.find((one) => one.host)?.name;
    const begins = room.host || room.acting_host;
    const [first, second] = ["main-button", "table-button second"];
    const isGameFirst = goesOn || (begins && !view.places);
    const review = buildReviewLink(view, isGameFirst ? second : first);
    // Of a round the first game that was played to its end counts: the way leads back to the tournament.
    const isRoundOver = Boolean(room.tournament) && view.closed === "over";
    const rematch = begins
      ? h("button", { class: isGameFirst ? first : second, "data-act": "rematch", onclick: this.handlers.begin }, label)
      : seated && host && h("p", { class: "status" }, t("end.host_begins", { name: host }));
    const next = isRoundOver ? buildTournamentLink(room, second) : rematch;
    return h(
      "div",
      { class: "next" },
      isGameFirst ? [next, review] : [review, next],
      h(
        "div",
        { class: "button-row" },
        h(
          "button",
          {
            class: "table-button",
            "data-act": "share",
            "aria-haspopup": "menu",
            onclick: (event) => openShareMenu(event.currentTarget, model),
          },
          t("end.share"),
        ),
        !isRoundOver && buildTournamentLink(room, "table-button"),
        buildCertificateLink(room, "table-button"),
        h(
          "a",
          { class: "table-button", "data-act": "home", href: "/", onclick: (event) => followLink(event, "/") },
          t("end.home"),
        ),
      ),
    );
  }

  /**
   * What is needed less often.
   * @param {GameView} view
   * @param {Wire.RoomView} room
   */
  buildMore(view, room) {
    const game = encodeURIComponent(view.game);
    const unprintable = findMissing("paper");
    /** @type {(hook: string, href: string, text: string) => HTMLElement} */
    const download = (hook, href, text) =>
      h("a", { class: "table-button", "data-act": hook, href, download: "" }, text);
    return h(
      "details",
      { class: "fold more" },
      h("summary", { "data-act": "more-end" }, t("end.more")),
      h(
        "div",
        { class: "button-row" },
        h("button", { class: "table-button", "data-act": "lobby", onclick: this.handlers.lobby }, t("end.change")),
        download("record", `/games/${game}.knobel`, t("end.record")),
        unprintable
          ? buildUnavailable("table-button", "print", t("end.print"), unprintable)
          : download("print", `/games/${game}.pdf?lang=${getLanguage()}`, t("end.print")),
        h(
          "a",
          {
            class: "table-button",
            "data-act": "check",
            href: `/check/${game}`,
            onclick: (event) => openDiceCheck(event, view.game),
          },
          t("end.check"),
        ),
        buildSheetButton(room, "table-button"),
      ),
    );
  }
}

/**
 * @param {string} score
 * @param {boolean} won
 */
function buildScore(score, won) {
  return h("b", {}, score, won && score !== "" && drawRing());
}

/**
 * The address of the coach's review: of one's own seat, if there is one.
 * @param {GameView} view
 */
function reviewUrl(view) {
  const own = view.seats.findIndex((seat) => seat.yours && seat.bot === null);
  return `/review/${encodeURIComponent(view.game)}${own < 0 ? "" : `?seat=${own}`}`;
}

/**
 * Opens above the table, unless it is wanted in a tab of its own.
 * @param {MouseEvent} event
 * @param {string} game
 */
function openDiceCheck(event, game) {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  import("./dice-check.js").then(({ openDiceCheck: open }) => open(game)).catch(() => showToast(t("end.no_check")));
}

/**
 * The link to the coach's review, or what says why there is none here.
 * @param {GameView} view
 * @param {string} style
 */
function buildReviewLink(view, style) {
  const reason = findMissing("solver");
  if (reason) return buildUnavailable(style, "review", t("end.review"), reason);
  return h(
    "a",
    {
      class: style,
      "data-act": "review",
      href: reviewUrl(view),
      onclick: (event) => followLink(event, reviewUrl(view)),
    },
    t("end.review"),
  );
}
