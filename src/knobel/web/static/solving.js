/* While the rules are worked out for a bot that plays by the book: how far that is, or why it cannot be done. */

import { h, mark, wear, write } from "./dom.js";
import { house } from "./house.js";
import { t } from "./words.js";

class Solving extends HTMLElement {
  connectedCallback() {
    wear("solving.css");
    this.said = h("p", { class: "solving-say" });
    this.line = h("div", { class: "solving-line", role: "progressbar", "aria-label": t("solving.name"), "aria-valuemin": 0, "aria-valuemax": 100 }, h("span"));
    this.wrong = h("p", { class: "solving-wrong", role: "alert" });
    this.replaceChildren(this.said, this.line, this.wrong);
    this.stop = house.on("solving", () => this.draw());
    this.draw();
  }

  disconnectedCallback() {
    this.stop?.();
  }

  // Shows a line that fills while there is something to wait for, a sentence where it went wrong, else nothing.
  draw() {
    const { done = null, text, refusal } = house.solving ?? {};
    const working = done !== null;
    const percent = Math.round(100 * (done ?? 0));
    this.hidden = !working && !refusal;
    this.said.hidden = this.line.hidden = !working;
    write(this.said, text ?? "");
    mark(this.line, "aria-valuenow", percent);
    mark(this.line, "aria-valuetext", text);
    this.line.style.setProperty("--done", `${percent}%`);
    this.wrong.hidden = !refusal;
    write(this.wrong, refusal ?? "");
  }
}

customElements.define("knobel-solving", Solving);

// Makes the line; it is not to be seen while nothing is worked out.
export function solvingLine() {
  return h("knobel-solving", { class: "solving", hidden: true });
}
