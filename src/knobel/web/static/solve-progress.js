/* Progress of the solve a bot waits for, or why it failed. */

import { h, setAttribute, loadStylesheet, setText } from "./dom.js";
import { connection } from "./connection.js";
import { t } from "./translations.js";

class SolveProgressBar extends HTMLElement {
  connectedCallback() {
    loadStylesheet("solving.css");
    this.label = h("p", { class: "solving-say" });
    this.bar = h("div", { class: "solving-line", role: "progressbar", "aria-label": t("solving.name"), "aria-valuemin": 0, "aria-valuemax": 100 }, h("span"));
    this.errorLine = h("p", { class: "solving-wrong", role: "alert" });
    this.replaceChildren(this.label, this.bar, this.errorLine);
    this.unsubscribe = connection.on("solving", () => this.draw());
    this.draw();
  }

  disconnectedCallback() {
    this.unsubscribe?.();
  }

  // Shows a line that fills while there is something to wait for, a sentence where it went wrong, else nothing.
  draw() {
    const { progress = null, text, refusal } = connection.solveProgress ?? {};
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

customElements.define("knobel-solving", SolveProgressBar);

// Makes the line; it is not to be seen while nothing is worked out.
export function buildSolveProgress() {
  return h("knobel-solving", { class: "solving", hidden: true });
}
