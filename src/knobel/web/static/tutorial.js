/* Walks a beginner through the first turn: a few hints at the tray, once, never in the way. */

import { connection } from "./connection.js";
import { showToast } from "./dialogs.js";
import { find, h, loadStylesheet, setText } from "./dom.js";
import { readAloud } from "./live-region.js";
import { prefs } from "./prefs.js";
import { t } from "./translations.js";

/**
 * Starts the tutorial at a table, unless it was shown on this device before.
 * @param {TablePage} table
 * @param {Guide} guide
 */
export async function startTutorial(table, guide) {
  if (prefs.get(guide.pref)) return;
  await loadStylesheet("guide.css");
  const tray = find(table, ".tray");
  if (!tray || table.querySelector(".guide")) return;
  new Tutorial(tray, guide).start();
}

class Tutorial {
  /** @type {() => void} */
  unsubscribe;
  /** @type {{ seat: number, number: number } | null} */
  turn;

  /**
   * @param {HTMLElement} tray
   * @param {Guide} guide
   */
  constructor(tray, guide) {
    this.tray = tray;
    this.guide = guide;
    this.text = h("p", {});
    this.count = h("small", {});
    this.note = h(
      "aside",
      { class: "guide", role: "note", hidden: true },
      this.count,
      this.text,
      h("button", { class: "quiet", "data-act": "skip-guide", onclick: () => this.end() }, t("guide.skip")),
    );
    this.step = -1;
    this.hasKept = false;
    this.turn = null;
    /** @type {(event: Event) => void} */
    this.tapped = (event) => this.handleTap(event);
  }

  start() {
    this.unsubscribe = connection.on("position", (position) => this.follow(position));
    this.tray.addEventListener("click", this.tapped);
    find(this.tray, ".tray-actions")?.before(this.note);
    if (connection.position) this.follow(connection.position);
  }

  /**
   * Shows the step a tray is at; never an earlier one than before.
   * @param {GameView} view
   * @param {Tray} tray
   */
  show(view, tray) {
    const { steps, find: findStep, describe } = this.guide;
    const step = steps.indexOf(findStep(tray, this.hasKept));
    if (step < this.step) return;
    this.step = step;
    this.note.dataset.step = steps[step];
    this.note.hidden = false;
    setText(this.count, t("guide.count", { at: step + 1, all: steps.length }));
    const text = describe(steps[step], view);
    if (this.text.textContent !== text) readAloud(text);
    setText(this.text, text);
  }

  /** @param {Position} position */
  follow({ view }) {
    const tray = view.trays.find((one) => view.seats[one.seat].yours);
    if (this.turn && (!tray || tray.seat !== this.turn.seat || tray.turn > this.turn.number)) return this.end(true);
    if (!tray || tray.phase === "rolloff" || tray.phase === "land") return;
    this.turn ??= { seat: tray.seat, number: tray.turn };
    this.show(view, tray);
  }

  /** @param {Event} event */
  handleTap(event) {
    const isDie = event.target instanceof Element && event.target.closest(".die");
    if (this.guide.steps[this.step] !== "keep" || !isDie) return;
    this.hasKept = true;
    if (connection.position) this.follow(connection.position);
  }

  end(isDone = false) {
    this.unsubscribe();
    this.tray.removeEventListener("click", this.tapped);
    this.note.remove();
    prefs.set(this.guide.pref, true);
    if (isDone) showToast(t("guide.done"));
  }
}
