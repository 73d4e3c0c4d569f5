/* The game of the day: the same dice for everybody. The browser keeps the moves, the server plays them again. */

import { showToast } from "./dialogs.js";
import { h, setChildren } from "./dom.js";
import { loadFamily } from "./families.js";
import { readAloud } from "./live-region.js";
import { isRoll } from "./notation.js";
import { playDailyGame } from "./people-api.js";
import { PracticeTable } from "./practice-table.js";
import { prefs } from "./prefs.js";
import { asRefusal } from "./required.js";
import { formatDate } from "./times.js";
import { t } from "./translations.js";

// A game that is played on the table of a puzzle, move by move.
export class DailyGameTable extends PracticeTable {
  canUndo = false;
  // A tap before the server has answered the last one would send moves that it does not lead to.
  isWaiting = false;

  /**
   * Fetches where today's game stands: at its beginning, or where this browser left it.
   * @param {PracticeSubject} subject
   */
  static async openToday(subject) {
    const asked = { ...subject, person: subject.person || null, day: "", moves: /** @type {string[]} */ ([]) };
    let game = await playDailyGame(asked);
    const kept = prefs.get("daily")[game.fingerprint];
    if (kept?.day === game.day && kept.moves.length) {
      asked.moves = kept.moves;
      game = await playDailyGame({ ...asked, day: game.day });
    }
    return new DailyGameTable(game, await loadFamily(game.family), { ...asked, day: game.day });
  }

  /**
   * @param {DailyGame} game
   * @param {TableFamily} family
   * @param {Wire.DailyGameRequest & { moves: string[] }} asked
   */
  constructor(game, family, asked) {
    const puzzle = { ...game, kind: /** @type {const} */ ("game"), question: t("practice.daily_how") };
    super({ ...puzzle, theme: "", theme_name: "", themes: [], unit: "points", game: "" }, family, (action) =>
      this.play([...this.asked.moves, action]),
    );
    this.asked = asked;
    this.showGame(game, []);
  }

  get lead() {
    return t("practice.of_day", { title: this.puzzle.title, day: this.asked.day ? formatDate(this.asked.day) : "" });
  }

  /** @param {string[]} moves */
  async play(moves) {
    if (this.isWaiting) return;
    this.isWaiting = true;
    try {
      const before = this.asked.moves;
      this.showWaiting();
      const game = await playDailyGame({ ...this.asked, moves });
      this.asked = { ...this.asked, moves };
      prefs.set("daily", { ...this.keepToday(), [game.fingerprint]: { day: game.day, moves } });
      this.showGame(game, moves.length > before.length && isRoll(moves[moves.length - 1]) ? [...this.kept] : null);
    } catch (refused) {
      this.showProblem(asRefusal(refused).text ?? t("practice.offline"));
    } finally {
      this.isWaiting = false;
      this.note.removeAttribute("aria-busy");
    }
  }

  undo() {
    if (!this.canUndo) return false;
    this.play(this.asked.moves.slice(0, -1));
    return true;
  }

  // The games of other days are over.
  keepToday() {
    return Object.fromEntries(Object.entries(prefs.get("daily")).filter(([, one]) => one.day === this.asked.day));
  }

  // What the dice were worth may take a moment to compute.
  showWaiting() {
    this.note.setAttribute("aria-busy", "true");
  }

  /**
   * Shows a position; dice that were kept stay kept within a turn, the others tumble.
   * @param {DailyGame} game
   * @param {number[] | null} kept
   */
  showGame(game, kept) {
    const stays = kept && this.trayView?.dice.length ? kept : [];
    this.setPosition(game.position, stays);
    this.note.removeAttribute("aria-busy");
    const prompt = this.trayView?.own_prompt ?? "";
    this.tray.showStatus(prompt);
    if (kept && this.trayView?.dice.length) {
      const rolled = this.trayView.dice.map((_, place) => place).filter((place) => !stays.includes(place));
      this.tray.tumbleDice(rolled);
      readAloud(`${this.trayView.dice.join(" ")}. ${prompt}`);
    }
    this.showNote(game);
  }

  /** @param {DailyGame} game */
  showNote({ result, over, game }) {
    const { moves } = this.asked;
    this.canUndo = moves.length > 0 && !isRoll(moves[moves.length - 1]) && !over;
    setChildren(
      this.note,
      result
        ? [
            h("p", { class: "practice-question", "data-result": result.total }, result.text),
            h("p", { class: "share-line" }, result.share),
            h(
              "p",
              { class: "daily-links" },
              h(
                "button",
                { class: "button", type: "button", "data-act": "share", onclick: () => shareLine(result.share) },
                t("end.share"),
              ),
              game && buildGameLinks(game),
            ),
          ]
        : h("p", {}, this.puzzle.question),
      this.canUndo &&
        h(
          "button",
          { class: "quiet", type: "button", "data-act": "undo", onclick: () => this.undo() },
          t("table.undo"),
        ),
    );
    if (result && over) readAloud(result.text);
  }
}

/**
 * The review of a game that is over, its record, and the check of its dice.
 * @param {string} game
 * @returns {Child[]}
 */
function buildGameLinks(game) {
  const id = encodeURIComponent(game);
  return [
    h("a", { class: "button", href: `/review/${id}`, "data-act": "review" }, t("end.review")),
    h("a", { class: "quiet", href: `/games/${id}.knobel`, download: "", "data-act": "record" }, t("end.record")),
    h("a", { class: "quiet", href: `/check/${id}`, "data-act": "check" }, t("end.check")),
  ];
}

/**
 * Shares a line by the device's own way, else copies it.
 * @param {string} text
 */
async function shareLine(text) {
  try {
    if (navigator.share) await navigator.share({ text });
    else {
      await navigator.clipboard.writeText(text);
      showToast(t("practice.copied"));
    }
  } catch (thrown) {
    if (!(thrown instanceof DOMException && thrown.name === "AbortError")) showToast(text);
  }
}
