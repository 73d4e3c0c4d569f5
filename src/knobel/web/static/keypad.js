/* The keys on which real dice are entered: one for each face, and one to erase. */

import { h, setAttribute, setText, svg } from "./dom.js";
import { PIPS } from "./edition-art.js";
import { prefs } from "./prefs.js";
import { t } from "./translations.js";

/**
 * Draws a die that shows a face, as pips or as a digit.
 * @param {number} value
 * @param {number} faces
 */
export function drawFace(value, faces) {
  const digits = faces > 6 || prefs.get("faces") === "digits" || prefs.get("view") === "children";
  return svg(
    "svg",
    { class: "face-die", viewBox: "-18 -18 36 36", "aria-hidden": "true" },
    svg("rect", { class: "die-edge", x: -16, y: -13, width: 32, height: 31, rx: 7 }),
    svg("rect", { class: "die-face", x: -16, y: -16, width: 32, height: 32, rx: 7 }),
    digits
      ? svg("text", { class: "die-digit", x: 0, y: 7, "text-anchor": "middle" }, String(value))
      : PIPS[value].map((spot) =>
          svg("circle", { class: "die-pip", cx: ((spot % 3) - 1) * 9, cy: (Math.floor(spot / 3) - 1) * 9, r: 3.1 }),
        ),
  );
}

/**
 * Draws the dice of a turn, one beside the other.
 * @param {number[]} values
 * @param {number} faces
 */
export function drawFaces(values, faces) {
  return h(
    "span",
    { class: "turn-dice" },
    values.map((value) => drawFace(value, faces)),
  );
}

// The keys of one game; `handlers` are {face(value), erase(), rolls(n)}.
export class Keypad {
  /**
   * @param {{ dice: number, faces: number, rolls: number }} gameInfo
   * @param {{ face(value: number): void, erase(): void, rolls(n: number): void }} handlers
   */
  constructor({ dice, faces, rolls }, handlers) {
    this.faceCount = faces;
    this.prompt = h("p", { class: "keypad-prompt" });
    this.faceButtons = Array.from({ length: faces }, (_, place) =>
      h("button", {
        class: "face",
        type: "button",
        "data-face": place + 1,
        "aria-label": t("pad.face", { value: place + 1 }),
        onclick: () => handlers.face(place + 1),
      }),
    );
    this.eraseButton = h(
      "button",
      {
        class: "face erase",
        type: "button",
        "data-act": "erase",
        "aria-label": t("pad.erase"),
        title: t("pad.erase"),
        onclick: handlers.erase,
      },
      "⌫",
    );
    this.rollCountInputs = Array.from({ length: rolls }, (_, place) =>
      h("input", {
        type: "radio",
        name: "pad-rolls",
        value: String(place + 1),
        onchange: () => handlers.rolls(place + 1),
      }),
    );
    this.rollCountField = h(
      "fieldset",
      { class: "roll-count", hidden: true },
      h("legend", {}, t("pad.rolls")),
      h(
        "div",
        { class: "picks" },
        this.rollCountInputs.map((input) => h("label", { class: "pick" }, input, h("span", {}, input.value))),
      ),
    );
    this.element = h(
      "div",
      { class: "keypad", "data-dice": dice },
      this.prompt,
      this.rollCountField,
      h(
        "div",
        { class: faces > 6 ? "faces many" : "faces", role: "group", "aria-label": t("pad.faces") },
        this.faceButtons,
        this.eraseButton,
      ),
    );
    this.element.style.setProperty("--keys", String(Math.ceil((faces + 1) / 2)));
  }

  /**
   * Shows whose keys these are, and whether they can be pressed; rolls is 0 where nobody asks for them.
   * @param {{ prompt: string, canEnter: boolean, canErase: boolean, rolls?: number }} state
   */
  draw({ prompt, canEnter, canErase, rolls = 0 }) {
    setText(this.prompt, prompt);
    const style = `${prefs.get("faces")} ${prefs.get("view")}`;
    this.faceButtons.forEach((button, place) => {
      if (button.dataset.style !== style) button.replaceChildren(drawFace(place + 1, this.faceCount));
      button.dataset.style = style;
      setAttribute(button, "aria-disabled", canEnter ? null : "true");
    });
    setAttribute(this.eraseButton, "aria-disabled", canErase ? null : "true");
    this.rollCountField.hidden = !rolls;
    this.rollCountInputs.forEach((input, place) => {
      input.checked = place + 1 === rolls;
    });
  }
}
