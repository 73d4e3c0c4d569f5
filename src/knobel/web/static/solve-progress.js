/* Progress of a solve, or why it failed: the one a bot waits for in a room, or the par of a form. */

import { connection } from "./connection.js";
import { h, loadStylesheet, setAttribute, setText } from "./dom.js";
import { t } from "./translations.js";

class SolveProgressBar extends HTMLElement {
  /** @type {HTMLElement} */
  errorLine;
  /** @type {HTMLElement} */
  bar;
  /** @type {HTMLElement} */
  label;

  connectedCallback() {
    loadStylesheet("solving.css");
    this.label = h("p", { class: "solving-label" });
    this.bar = h(
      "div",
      {
        class: "solving-line",
        role: "progressbar",
        "aria-label": t("solving.name"),
        "aria-valuemin": 0,
        "aria-valuemax": 100,
      },
      h("span"),
    );
    this.errorLine = h("p", { class: "solving-error", role: "alert" });
    this.replaceChildren(this.label, this.bar, this.errorLine);
    this.draw(null);
  }

  /**
   * Shows a line that fills while there is something to wait for, a sentence where it went wrong, else nothing.
   * @param {SolveState | null} state
   */
  draw(state) {
    const { progress = null, text, refusal } = state ?? {};
    const working = progress !== null;
    const percent = Math.round(100 * (progress ?? 0));
    this.hidden = !working && !refusal;
    this.label.hidden = this.bar.hidden = !working;
    setText(this.label, text ?? "");
    setAttribute(this.bar, "aria-valuenow", percent);
    setAttribute(this.bar, "aria-valuetext", text);
    this.bar.style.setProperty("--done", `${percent}%`);
    this.errorLine.hidden = !refusal;
    setText(this.errorLine, refusal ?? "");
  }
}

// The same for the solve that the bots of a room wait for.
class RoomSolveProgressBar extends SolveProgressBar {
  /** @type {() => void} */
  unsubscribe;

  connectedCallback() {
    super.connectedCallback();
    this.unsubscribe = connection.on("solving", () => this.draw(connection.solveProgress));
    this.draw(connection.solveProgress);
  }

  disconnectedCallback() {
    this.unsubscribe?.();
  }
}

customElements.define("knobel-solve-progress", SolveProgressBar);
customElements.define("knobel-solving", RoomSolveProgressBar);

// Makes the line of a room; it is not to be seen while nothing is worked out.
export function buildSolveProgress() {
  return h("knobel-solving", { class: "solving", hidden: true });
}

/**
 * Makes a line that is drawn by whoever made it.
 * @returns {HTMLElement & { draw(state: SolveState | null): void }}
 */
export function buildPlainProgress() {
  const made = /** @type {SolveProgressBar} */ (document.createElement("knobel-solve-progress"));
  made.className = "solving";
  return made;
}
