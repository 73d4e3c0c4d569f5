/* A hint on demand: the best move outlined on the table and in words, with what the next ones cost. */

import { connection } from "./connection.js";
import { confirmAssistance } from "./consent.js";
import { showToast } from "./dialogs.js";
import { h, loadStylesheet, setChildren } from "./dom.js";
import { readAloud } from "./live-region.js";
import { readAction } from "./notation.js";
import { formatLoss, formatNumber } from "./number-format.js";
import { asRefusal, required } from "./required.js";
import { showTooltip } from "./tooltip.js";
import { t } from "./translations.js";
import { describeWinChange } from "./win-change.js";

const BUSY_DELAY = 300;

loadStylesheet("hint.css");

/**
 * Asks the coach for the active seat, after the player has agreed; returns the panel, or null.
 * @param {TablePage} table
 * @returns {Promise<HintPanel | null>}
 */
export async function requestHint(table) {
  const { view } = table.model;
  const tray = required(table.model.tray, "tray");
  const { ply } = view.seats[tray.seat];
  const same = () =>
    table.isConnected && table.position.view.seats[tray.seat]?.ply === ply && table.position.view.game === view.game;
  if (!(await confirmAssistance(view, tray.seat, "hint")) || !same()) return null;
  const panel = new HintPanel(table, tray.seat, ply);
  const slow = setTimeout(() => panel.showBusy(), BUSY_DELAY);
  try {
    const found = await connection.sendCommand({ do: "hint", seat: tray.seat });
    if (same() && !panel.isClosed && found.ply === ply && found.moves.length) return panel.show(found);
  } catch (refused) {
    showToast(asRefusal(refused).text ?? String(refused));
  } finally {
    clearTimeout(slow);
  }
  panel.close();
  return null;
}

/**
 * Outlines a move on the table: the dice to keep, the box to choose, the button to press.
 * @param {HTMLElement} root
 * @param {string | null} text
 */
export function highlightMove(root, text) {
  for (const one of root.querySelectorAll(".advised")) one.classList.remove("advised");
  const action = text === null ? null : readAction(text);
  for (const target of action ? findTargets(root, action) : []) target?.classList.add("advised");
}

/**
 * @param {HTMLElement} root
 * @param {NotedAction} action
 */
function findTargets(root, { kind, keep, box, aim }) {
  if (kind === "roll") return (keep ?? []).map((place) => root.querySelector(`[data-die="${place}"]`));
  if (kind === "stand")
    return [
      root.querySelector(`[data-act="${aim ? `stand-${aim}` : "stand"}"]`) ?? root.querySelector("[data-act=roll]"),
    ];
  const id = CSS.escape(box ?? "");
  return [root.querySelector(`td:has(> [data-box="${id}"]), td[data-row="${id}"]`)];
}

/**
 * Figures that say on a tap what they count.
 * @param {string} text
 * @param {string} means
 */
function buildExplained(text, means) {
  /** @type {HTMLButtonElement} */
  const button = h(
    "button",
    { class: "explained", type: "button", "data-act": "explain-hint", onclick: () => showTooltip(button, means) },
    text,
  );
  return button;
}

/**
 * Says which move wins more often than the best one for points, if there is one.
 * @param {Wire.HintMessage["moves"]} moves
 */
function describeWinningMove(moves) {
  const likeliest = moves.reduce((best, one) => ((one.win ?? 0) > (best.win ?? 0) ? one : best));
  const change = (likeliest.win ?? 0) > 0 && describeWinChange(likeliest.win);
  return change ? t("hint.wins_more", { move: likeliest.words, cost: formatLoss(likeliest.loss), change }) : null;
}

export class HintPanel {
  /** @type {boolean} */
  isClosed;
  /** @type {string | undefined} */
  action;
  /** @type {string} */
  spokenText;

  /**
   * @param {TablePage} table
   * @param {number} seat
   * @param {number} ply
   */
  constructor(table, seat, ply) {
    this.table = table;
    this.seat = seat;
    this.ply = ply;
    this.element = h("aside", { class: "hint", role: "note", "aria-label": t("hint.hint") });
  }

  showBusy() {
    this.table.coach.panel = this;
    this.setContent(h("p", { class: "best" }, t("hint.thinking")));
    readAloud(t("hint.thinking"));
  }

  /** @param {Wire.HintMessage} hint */
  show({ moves, unit }) {
    const [best, ...next] = moves;
    this.action = best.action;
    const wins = describeWinningMove(moves);
    this.spokenText = t(`hint.best_${unit}`, { move: best.words, value: formatNumber(best.value) });
    this.setContent(
      h(
        "p",
        { class: "best" },
        h("b", {}, best.words),
        " ",
        buildExplained(t(`hint.expects_${unit}`, { value: formatNumber(best.value) }), t(`hint.means_${unit}`)),
      ),
      next.length > 0 &&
        h(
          "ul",
          { "aria-label": t("hint.next") },
          next.map((one) =>
            h(
              "li",
              {},
              one.words,
              " ",
              h("b", {}, formatLoss(one.loss)),
              " ",
              h("small", {}, describeWinChange(one.win)),
            ),
          ),
        ),
      wins !== null && h("p", { class: "wins-more", "data-wins-more": "" }, wins),
    );
    readAloud([this.spokenText, wins].filter(Boolean).join(" "));
    return this;
  }

  /** @param {...HTMLElement | false} children */
  setContent(...children) {
    setChildren(
      this.element,
      children,
      h(
        "button",
        { class: "quiet", type: "button", "data-act": "close-hint", onclick: () => this.close() },
        t("hint.close"),
      ),
    );
    if (!this.element.isConnected) this.table.tray.notes.append(this.element);
  }

  /**
   * Stays as long as nothing was moved.
   * @param {TableModel} model
   */
  draw({ view, mine, seat }) {
    if (!mine || seat !== this.seat || view.seats[seat].ply !== this.ply) this.close();
    else if (this.action !== undefined) highlightMove(this.table, this.action);
  }

  close() {
    this.isClosed = true;
    const held = this.element.contains(document.activeElement);
    this.element.remove();
    highlightMove(this.table, null);
    if (held) this.table.tray.mainButton.focus({ preventScroll: true });
    if (this.table.coach.panel === this) this.table.coach.panel = null;
  }
}
