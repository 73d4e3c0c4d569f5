/* The win bar: who will win, or lose the round, one part for each player; optional, and never in the children's view. */

import { connection } from "./connection.js";
import { h, loadStylesheet, setChildren, setText } from "./dom.js";
import { drawEmblem, inkOf } from "./inks.js";
import { prefs } from "./prefs.js";
import { roundShares } from "./share-format.js";
import { t } from "./translations.js";
import { isWinBarOn } from "./win-bar-switch.js";

// A chance of nobody's that is smaller is not told, unless it makes up the hundred.
const LEAST_TOLD = 0.005;

// The bar of one table. It has one question open at a time, and asks anew where the game has gone on since.
export class WinBar {
  /**
   * The position the last question was about.
   * @type {string | null}
   */
  asked = null;
  isWaiting = false;
  /** @type {HTMLElement[]} */
  parts = [];
  /** @type {TableModel} */
  model;

  /** @param {HTMLElement} notes */
  constructor(notes) {
    loadStylesheet("win-bar.css");
    this.title = h("p", { class: "win-title" }, t("chances.waiting"));
    this.track = h("div", { class: "win-track", "aria-hidden": "true" });
    this.list = h("ul", { class: "win-list" });
    this.element = h("section", { class: "win-bar", hidden: true }, this.title, this.track, this.list);
    notes.append(this.element);
    this.unsubscribers = [
      connection.on("chances", (chances) => this.handleChances(chances)),
      connection.on("state", () => this.forgetQuestion()),
    ];
  }

  stop() {
    for (const unsubscribe of this.unsubscribers) unsubscribe();
    this.element.remove();
  }

  // What was asked on a connection that is gone is not answered any more.
  forgetQuestion() {
    this.isWaiting = false;
    this.asked = null;
  }

  /** @param {TableModel} model */
  draw(model) {
    this.model = model;
    const { over, view } = model;
    this.element.hidden = over || view.seats.length < 2 || !isWinBarOn();
    this.element.style.setProperty("--players", String(view.seats.length));
    const position = nameCurrentPosition();
    const levels = Boolean(prefs.get("win_levels") && model.family.review.hasWinChart);
    const now = position === null ? null : `${position}${levels ? " levels" : ""}`;
    if (this.element.hidden || this.isWaiting || now === null || now === this.asked) return;
    this.asked = now;
    this.isWaiting = true;
    connection.socket.send(levels ? { do: "chances", levels } : { do: "chances" });
  }

  /** @param {Wire.ChancesMessage} chances */
  handleChances(chances) {
    if (!this.element.isConnected) return this.stop();
    this.isWaiting = false;
    // Exact chances come later than others, perhaps too late.
    if (chances.game === null || namePosition(chances) === nameCurrentPosition()) this.show(chances);
    if (this.model) this.draw(this.model);
  }

  /** @param {Wire.ChancesMessage} chances */
  show({ kind, exact, seats, void: nobody, refusal, levels }) {
    if (refusal !== null) {
      setText(this.title, refusal);
      this.drawTrack([]);
      setChildren(this.list);
      return;
    }
    if (kind === null) return;
    const own = seats.map((one) => (kind === "win" ? one.win : one.lose_round) ?? 0);
    const others = kind === "win" ? Math.max(0, 1 - own.reduce((sum, one) => sum + one, 0)) : nobody;
    const isRoundOnly = kind === "lose_round" && seats.every((one) => one.lose_game === null);
    const title = t(
      kind === "win" && !exact ? "chances.win_about" : isRoundOnly ? "chances.lose_round_only" : `chances.${kind}`,
    );
    setText(this.title, levels ? t("chances.at_levels", { title }) : title);
    const shown = roundShares([...own, others]);
    const ofGame = roundShares(seats.map((one) => one.lose_game ?? 0));
    const isTold = others >= LEAST_TOLD || Number(shown[own.length]) > 0;
    this.drawTrack([...own, others]);
    setChildren(
      this.list,
      own.map((_, seat) =>
        h(
          "li",
          { "data-seat": seat },
          drawEmblem(seat),
          h("span", {}, this.model.view.seats[seat].name),
          " ",
          h("b", {}, formatShare(shown[seat])),
          seats[seat].lose_game !== null &&
            h("small", {}, t("chances.of_game", { percent: formatShare(ofGame[seat]) })),
        ),
      ),
      isTold &&
        h(
          "li",
          { class: "nobody" },
          h("i", { class: "swatch", "aria-hidden": "true" }),
          h("span", {}, t(kind === "win" ? "chances.tie" : "chances.void")),
          " ",
          h("b", {}, formatShare(shown[own.length])),
        ),
    );
  }

  /**
   * Parts stay the same elements, so that they can grow and shrink; the last is nobody's.
   * @param {number[]} chances
   */
  drawTrack(chances) {
    if (this.parts.length !== chances.length) {
      this.parts = chances.map((_, seat) =>
        seat === chances.length - 1 ? h("i", { class: "nobody" }) : h("i", { "data-ink": inkOf(seat) }),
      );
      setChildren(this.track, this.parts);
    }
    for (const [place, part] of this.parts.entries()) part.style.setProperty("--chance", chances[place].toFixed(4));
  }
}

/** @param {{ game: string | null, ply: number | null }} position */
function namePosition({ game, ply }) {
  return `${game}/${ply}`;
}

// The position of the server, not what this page expects to come next.
function nameCurrentPosition() {
  const view = connection.position?.view;
  return view ? namePosition(view) : null;
}

/** @param {string} percent */
function formatShare(percent) {
  return t("chances.percent", { percent });
}
