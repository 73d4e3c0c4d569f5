/* Walks a beginner through the first turn: four hints at the tray, once, never in the way. */

import { connection } from "./connection.js";
import { showToast } from "./dialogs.js";
import { h, setText } from "./dom.js";
import { readAloud } from "./live-region.js";
import { prefs } from "./prefs.js";
import { t } from "./translations.js";

const STEPS = ["roll", "keep", "again", "choose"];
const [ROLL, KEEP, AGAIN, CHOOSE] = STEPS.keys();

// Starts the tutorial at a table, unless it was shown on this device before.
export function startTutorial(table) {
  const tray = table.querySelector(".tray");
  if (prefs.get("guided") || table.querySelector(".guide") || !tray) return;
  new Tutorial(tray).start();
}

class Tutorial {
  constructor(tray) {
    this.tray = tray;
    this.text = h("p", {});
    this.count = h("small", {});
    this.note = h("aside", { class: "guide", role: "note", hidden: true }, this.count, this.text,
      h("button", { class: "quiet", "data-act": "skip-guide", onclick: () => this.end() }, t("guide.skip")));
    this.step = -1;
    this.hasKept = false;
    this.turn = null;
    this.tapped = (event) => this.handleTap(event);
  }

  start() {
    this.unsubscribe = connection.on("position", (position) => this.follow(position));
    this.tray.addEventListener("click", this.tapped);
    if (getComputedStyle(this.tray).position === "static") this.tray.style.setProperty("position", "relative");
    this.tray.append(this.note);
    if (connection.position) this.follow(connection.position);
  }

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

  follow({ view }) {
    const tray = view.trays.find((one) => view.seats[one.seat].yours);
    if (this.turn && (!tray || tray.seat !== this.turn.seat || tray.turn > this.turn.number)) return this.end(true);
    if (!tray || tray.phase === "rolloff" || tray.phase === "land") return;
    this.turn ??= { seat: tray.seat, number: tray.turn };
    if (!tray.rolled) this.show(ROLL);
    else if (tray.phase === "fill" || tray.rolled > 1) this.show(CHOOSE);
    else this.show(this.hasKept ? AGAIN : KEEP);
  }

  handleTap(event) {
    if (this.step !== KEEP || !event.target.closest(".die")) return;
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
