/* The keys on which real dice are told: one for each face, and one to rub out. */

import { h, mark, svg, write } from "./dom.js";
import { PIPS } from "./lids.js";
import { prefs } from "./prefs.js";
import { t } from "./words.js";

// Draws a die that shows a face, as pips or as a digit.
export function faceOf(value, faces) {
  const digits = faces > 6 || prefs.get("faces") === "digits" || prefs.get("view") === "children";
  return svg("svg", { class: "face-die", viewBox: "-18 -18 36 36", "aria-hidden": "true" },
    svg("rect", { class: "die-edge", x: -16, y: -13, width: 32, height: 31, rx: 7 }), svg("rect", { class: "die-face", x: -16, y: -16, width: 32, height: 32, rx: 7 }),
    digits ? svg("text", { class: "die-digit", x: 0, y: 7, "text-anchor": "middle" }, String(value))
      : PIPS[value].map((spot) => svg("circle", { class: "die-pip", cx: ((spot % 3) - 1) * 9, cy: (Math.floor(spot / 3) - 1) * 9, r: 3.1 })));
}

// The keys of one game; `hands` are {face(value), rub(), throws(n)}.
export class Keypad {
  constructor({ dice, faces, throws, family }, hands) {
    this.sides = faces;
    this.who = h("p", { class: "writes" });
    this.faces = Array.from({ length: faces }, (_, place) => h("button", { class: "face", type: "button", "data-face": place + 1, "aria-label": t("pad.face", { value: place + 1 }), onclick: () => hands.face(place + 1) }));
    this.rub = h("button", { class: "face rub", type: "button", "data-act": "rub", "aria-label": t("pad.rub"), title: t("pad.rub"), onclick: hands.rub }, "⌫");
    this.times = Array.from({ length: throws }, (_, place) => h("input", { type: "radio", name: "pad-throws", value: String(place + 1), onchange: () => hands.throws(place + 1) }));
    this.throws = h("fieldset", { class: "in-throws", hidden: true }, h("legend", {}, t("pad.throws")),
      h("div", { class: "picks" }, this.times.map((input) => h("label", { class: "pick" }, input, h("span", {}, input.value)))));
    this.element = h("div", { class: "keypad", "data-dice": dice }, this.who, family === "rounds" && this.throws,
      h("div", { class: faces > 6 ? "faces many" : "faces", role: "group", "aria-label": t("pad.faces") }, this.faces, this.rub));
    this.element.style.setProperty("--keys", Math.ceil((faces + 1) / 2));
  }

  // Shows whose keys these are, and whether they can be pressed: {who, open, rub, throws}; throws is 0 where nobody asks for them.
  draw({ who, open, rub, throws }) {
    write(this.who, who);
    const style = `${prefs.get("faces")} ${prefs.get("view")}`;
    this.faces.forEach((button, place) => {
      if (button.dataset.style !== style) button.replaceChildren(faceOf(place + 1, this.sides));
      button.dataset.style = style;
      mark(button, "aria-disabled", open ? null : "true");
    });
    mark(this.rub, "aria-disabled", rub ? null : "true");
    this.throws.hidden = !throws;
    this.times.forEach((input, place) => { input.checked = place + 1 === throws; });
  }
}
