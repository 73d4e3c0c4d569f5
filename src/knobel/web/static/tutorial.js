/* Walks a beginner through the first turn: four hints at the tray, once, never in the way. */

import { connection } from "./connection.js";
import { showToast } from "./dialogs.js";
import { find, h, loadStylesheet, setText } from "./dom.js";
import { readAloud } from "./live-region.js";
import { prefs } from "./prefs.js";
import { t } from "./translations.js";

const STEPS = ["roll", "keep", "again", "choose"];
const [ROLL, KEEP, AGAIN, CHOOSE] = STEPS.keys();

/**
 * Starts the tutorial at a table, unless it was shown on this device before.
 * @param {TablePage} table
 */
export async function startTutorial(table) {
  if (prefs.get("guided")) return;
  await loadStylesheet("guide.css");
  const tray = find(table, ".tray");
  if (!tray || table.querySelector(".guide")) return;
  new Tutorial(tray).start();
}

class Tutorial {
  /** @type {() => void} */
  unsubscribe;
  /** @type {{ seat: number, number: number } | null} */
  turn;

  /** @param {HTMLElement} tray */
  constructor(tray) {
    this.tray = tray;
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

  /** @param {number} step */
  show(step) {
    if (step < this.step) return;
    this.step = step;
    this.note.dataset.step = STEPS[step];
    this.note.hidden = false;
    setText(this.count, t("guide.count", { at: step + 1, all: STEPS.length }));
    const text = t(`guide.${STEPS[step]}`);
    if (this.text.textContent !== text) readAloud(text);
    setText(this.text, text);
  }

  /** @param {Position} position */
  follow({ view }) {
    const tray = view.trays.find((one) => view.seats[one.seat].yours);
    if (this.turn && (!tray || tray.seat !== this.turn.seat || tray.turn > this.turn.number)) return this.end(true);
    if (!tray || tray.phase === "rolloff" || tray.phase === "land") return;
    this.turn ??= { seat: tray.seat, number: tray.turn };
    if (!tray.rolled) this.show(ROLL);
    else if (tray.phase === "fill" || tray.rolled > 1) this.show(CHOOSE);
    else this.show(this.hasKept ? AGAIN : KEEP);
  }

  /** @param {Event} event */
  handleTap(event) {
    const isDie = event.target instanceof Element && event.target.closest(".die");
    if (this.step !== KEEP || !isDie) return;
    this.hasKept = true;
    this.show(AGAIN);
  }

  end(isDone = false) {
    this.unsubscribe();
    this.tray.removeEventListener("click", this.tapped);
    this.note.remove();
    prefs.set("guided", true);
    if (isDone) showToast(t("guide.done"));
  }
}
