/* Walks a beginner through the first turn: a few hints at the tray, once, never in the way. */

import { connection } from "./connection.js";
import { showToast } from "./dialogs.js";
import { find, h, loadStylesheet, setChildren, setText } from "./dom.js";
import { readAloud } from "./live-region.js";
import { prefs } from "./prefs.js";
import { t } from "./translations.js";

const PRAISE_SECONDS = 5;

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
    if (!this.note.isConnected) return this.stop(); // Its table is gone; another begins its own.
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

  stop() {
    this.unsubscribe();
    this.tray.removeEventListener("click", this.tapped);
  }

  end(isDone = false) {
    this.stop();
    prefs.set(this.guide.pref, true);
    // On a phone a message at the top would lie over the names just as the phone is passed on.
    const liesAbove = getComputedStyle(this.note).position === "absolute";
    if (isDone && liesAbove) return this.praise();
    this.note.remove();
    if (isDone) showToast(t("guide.done"));
  }

  // Says at the place of the steps that the turn is complete.
  praise() {
    this.note.dataset.step = "done";
    setChildren(this.note, h("p", {}, t("guide.done")));
    readAloud(t("guide.done"));
    setTimeout(() => this.note.remove(), PRAISE_SECONDS * 1000);
  }
}
