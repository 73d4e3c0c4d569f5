/* The felt tray: what is said, the dice, and the one button that says what it will do. */

import "./felt.js";
import { fill, h, mark, write } from "./dom.js";
import { t } from "./words.js";
import { Die, tumbling } from "./dice.js";
import { standWords, sumWords } from "./rounds.js";

// The tray of one game; `hands` are {tap(place), act(), goOn(), putIn(button), passed(), without(seat), stand(way)}.
export class Tray {
  constructor(block, hands) {
    this.hands = hands;
    this.said = h("span");
    this.status = h("p", { class: "say" }, this.said);
    this.dice = Array.from({ length: block.dice }, (_, place) => new Die(place, hands.tap));
    this.bed = h("div", { class: block.dice > 5 ? "dice many" : "dice", role: "group", "aria-label": t("tray.dice") }, this.dice.map((die) => die.element));
    this.bed.style.setProperty("--across", block.dice > 6 ? Math.ceil(block.dice / 2) : block.dice);
    this.pass = h("button", { class: "pass", type: "button", hidden: true, "data-act": "pass", onclick: hands.passed });
    this.without = h("div", { class: "pass without", hidden: true });
    this.label = h("span", { class: "label" });
    this.left = h("span", { class: "left", "aria-hidden": "true" }, Array.from({ length: block.throws }, () => h("b")));
    this.leftWords = h("span", { class: "unseen" });
    this.button = h("button", { class: "throw", type: "button", "data-act": "throw", onclick: hands.act }, this.label, this.left, this.leftWords);
    this.go = h("button", { class: "go-on", type: "button", hidden: true, onclick: () => (this.helps === "go-on" ? hands.goOn() : hands.putIn(this.go)) });
    this.sum = h("p", { class: "sum-says", hidden: block.family !== "rounds" });
    this.stands = h("div", { class: "stands" });
    this.element = h("section", { class: "tray", "aria-label": t("tray.tray") }, this.status,
      h("div", { class: "bed" }, this.bed, this.pass, this.without), this.sum, h("div", { class: "doing" }, this.button, this.stands, this.go));
  }

  // Where the focus goes when what had it went away.
  get home() {
    return this.button.hidden ? this.element.querySelector(".keypad .face") ?? this.button : this.button;
  }

  // Shows what happened.
  say(text) {
    write(this.said, text);
  }

  draw(model) {
    this.drawDice(model);
    this.drawButton(model);
    this.drawStands(model);
    this.drawPass(model);
    this.drawWaiting(model);
    this.element.classList.toggle("theirs", !model.mine);
  }

  drawDice({ dice, faces, keep, locked, mine, choosing, entering, hand }) {
    this.dice.forEach((die, place) => {
      const fallen = entering?.has(place);
      const value = fallen ? entering.get(place) : dice[place] ?? 0;
      die.draw({ value, faces, kept: !fallen && value > 0 && keep.has(place), locked: locked.includes(place),
        off: !(mine && (choosing || fallen || (hand && value))), entering: fallen });
    });
  }

  drawButton({ doing, tray, view, helps, over, hand }) {
    const { words, ready } = doing;
    write(this.label, words);
    mark(this.button, "aria-disabled", ready ? null : "true");
    const counts = tray && !over && tray.phase !== "rolloff" && !view.waiting.length;
    const left = counts ? tray.throws - tray.thrown : 0;
    this.left.hidden = !counts || hand || helps !== null;
    [...this.left.children].forEach((dot, place) => {
      dot.hidden = Boolean(tray) && place >= tray.throws;
      dot.classList.toggle("on", Boolean(tray) && place >= tray.throws - left);
    });
    write(this.leftWords, ready && counts ? `, ${t("tray.left", { n: left })}` : "");
    this.helps = helps;
    this.go.hidden = helps === null;
    mark(this.go, "data-act", helps);
    write(this.go, helps === "put-in" ? t("tray.put_in") : t("tray.go_on"));
  }

  // A game of rounds: what the dice make together, and the ways to stop; the only one there is stands on the button.
  drawStands({ tray, mine, doing }) {
    if (this.sum.hidden) return;
    write(this.sum, tray?.dice.length ? sumWords(tray) : "");
    const stands = mine && doing.does !== "stand" ? tray.stands : [];
    const key = JSON.stringify([stands, tray?.sum, tray?.beats]);
    if (this.stood === key) return;
    this.stood = key;
    const held = this.stands.contains(document.activeElement) && document.activeElement.dataset.act;
    fill(this.stands, stands.map((one) => h("button", { class: tray.beats ? "stand good" : "stand", type: "button", "data-act": `stand${one.aim ? `-${one.aim}` : ""}`,
      onclick: () => this.hands.stand(one) }, standWords(one, tray.sum))));
    if (held) this.stands.querySelector(`[data-act="${held}"]`)?.focus({ preventScroll: true });
  }

  drawPass({ passTo }) {
    this.pass.hidden = !passTo;
    if (passTo) write(this.pass, t("tray.pass", { name: passTo }));
  }

  drawWaiting({ late }) {
    this.without.hidden = !late.length;
    const names = late.map((one) => one.seat).join();
    if (this.lateNames === names) return;
    this.lateNames = names;
    fill(this.without, late.map((one) => h("button", { class: "button", "data-act": "without", onclick: () => this.hands.without(one.seat) },
      t("tray.without", { name: one.name }))));
  }

  // Lets the dice at these positions tumble; gives back how long it takes.
  tumble(places) {
    const long = tumbling();
    if (long) for (const place of places) this.dice[place]?.tumble(long);
    return long;
  }
}
