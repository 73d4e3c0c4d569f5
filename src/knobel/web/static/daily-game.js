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
    try {
      const before = this.asked.moves;
      this.showWaiting();
      const game = await playDailyGame({ ...this.asked, moves });
      this.asked = { ...this.asked, moves };
      prefs.set("daily", { ...this.keepToday(), [game.fingerprint]: { day: game.day, moves } });
      this.showGame(game, moves.length > before.length && isRoll(moves[moves.length - 1]) ? [...this.kept] : null);
    } catch (refused) {
      this.showProblem(asRefusal(refused).text ?? t("practice.offline"));
    }
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
  showNote({ result, over }) {
    const { moves } = this.asked;
    const last = moves[moves.length - 1];
    setChildren(
      this.note,
      result
        ? [
            h("p", { class: "practice-question", "data-result": result.total }, result.text),
            h("p", { class: "share-line" }, result.share),
            h(
              "button",
              { class: "button", type: "button", "data-act": "share", onclick: () => shareLine(result.share) },
              t("end.share"),
            ),
          ]
        : h("p", {}, this.puzzle.question),
      last &&
        !isRoll(last) &&
        !over &&
        h(
          "button",
          { class: "quiet", type: "button", "data-act": "undo", onclick: () => this.play(moves.slice(0, -1)) },
          t("table.undo"),
        ),
    );
    if (result && over) readAloud(result.text);
  }
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
