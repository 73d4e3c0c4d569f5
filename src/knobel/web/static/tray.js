/* The tray: messages, the dice, and the main button, labelled with what it will do. */

import "./table-styles.js";
import { setChildren, h, setAttribute, setText } from "./dom.js";
import { t } from "./translations.js";
import { Die, tumbleDuration } from "./dice.js";

// The tray of one game; `handlers` are {tap(place), act(event), continueGame(), putIn(button), confirmHandover(), startWithout(seat), stand(way)}.
export class DiceTray {
  constructor(gameInfo, handlers) {
    this.handlers = handlers;
    this.statusText = h("span");
    this.status = h("p", { class: "say" }, this.statusText);
    this.dice = Array.from({ length: gameInfo.dice }, (_, place) => new Die(place, handlers.tap));
    this.diceRow = h("div", { class: gameInfo.dice > 5 ? "dice many" : "dice", role: "group", "aria-label": t("tray.dice") }, this.dice.map((die) => die.element));
    this.diceRow.style.setProperty("--across", gameInfo.dice > 6 ? Math.ceil(gameInfo.dice / 2) : gameInfo.dice);
    this.handoverButton = h("button", { class: "pass", type: "button", hidden: true, "data-act": "pass", onclick: handlers.confirmHandover });
    this.lateButtons = h("div", { class: "pass without", hidden: true });
    this.label = h("span", { class: "label" });
    this.rollsLeftDots = h("span", { class: "left", "aria-hidden": "true" }, Array.from({ length: gameInfo.rolls }, () => h("b")));
    this.rollsLeftText = h("span", { class: "unseen" });
    this.mainButton = h("button", { class: "throw", type: "button", "data-act": "roll", onclick: handlers.act }, this.label, this.rollsLeftDots, this.rollsLeftText);
    this.helpButton = h("button", { class: "go-on", type: "button", hidden: true, onclick: () => (this.helpKind === "go-on" ? handlers.continueGame() : handlers.putIn(this.helpButton)) });
    this.sumLine = h("p", { class: "sum-says" });
    this.standButtons = h("div", { class: "stands" });
    this.element = h("section", { class: "tray", "aria-label": t("tray.tray") }, this.status,
      h("div", { class: "bed" }, this.diceRow, this.handoverButton, this.lateButtons), this.sumLine, h("div", { class: "doing" }, this.mainButton, this.standButtons, this.helpButton));
  }

  // Where the focus goes when what had it went away.
  get focusTarget() {
    return this.mainButton.hidden ? this.element.querySelector(".keypad .face") ?? this.mainButton : this.mainButton;
  }

  // Shows what happened.
  showStatus(text) {
    setText(this.statusText, text);
  }

  draw(model) {
    this.drawDice(model);
    this.drawMainButton(model);
    this.drawStands(model);
    this.drawHandover(model);
    this.drawLateButtons(model);
    this.element.classList.toggle("theirs", !model.mine);
  }

  drawDice({ dice, faces, kept, locked, mine, choosing, slots, finalDice }) {
    this.dice.forEach((die, place) => {
      const isSlot = slots?.has(place);
      const value = isSlot ? slots.get(place) : dice[place] ?? 0;
      die.draw({ value, faces, kept: !isSlot && value > 0 && kept.has(place), locked: locked.includes(place),
        off: !(mine && (choosing || isSlot || (finalDice && value))), entering: isSlot });
    });
  }

  drawMainButton({ mainButton, tray, view, help, over, finalDice }) {
    const { text, ready } = mainButton;
    setText(this.label, text);
    setAttribute(this.mainButton, "aria-disabled", ready ? null : "true");
    const counts = tray && !over && tray.phase !== "rolloff" && !view.waiting.length;
    const left = counts ? tray.rolls - tray.rolled : 0;
    this.rollsLeftDots.hidden = !counts || finalDice || help !== null;
    [...this.rollsLeftDots.children].forEach((dot, place) => {
      dot.hidden = Boolean(tray) && place >= tray.rolls;
      dot.classList.toggle("on", Boolean(tray) && place >= tray.rolls - left);
    });
    setText(this.rollsLeftText, ready && counts ? `, ${t("tray.left", { n: left })}` : "");
    this.helpKind = help;
    this.helpButton.hidden = help === null;
    setAttribute(this.helpButton, "data-act", help);
    setText(this.helpButton, help === "put-in" ? t("tray.put_in") : t("tray.go_on"));
  }

  // What the dice make together, and the ways to stop rolling; the only one there is stands on the button.
  drawStands({ tray, mine, mainButton, family }) {
    const sum = family.describeDice(tray);
    this.sumLine.hidden = sum === null;
    setText(this.sumLine, sum ?? "");
    const stands = mine && mainButton.does !== "stand" ? family.listStands(tray) : [];
    const key = JSON.stringify([stands, tray?.sum, tray?.beats]);
    if (this.drawnStands === key) return;
    this.drawnStands = key;
    const held = this.standButtons.contains(document.activeElement) && document.activeElement.dataset.act;
    setChildren(this.standButtons, stands.map((one) => h("button", { class: tray.beats ? "stand good" : "stand", type: "button", "data-act": `stand${one.aim ? `-${one.aim}` : ""}`,
      onclick: () => this.handlers.stand(one) }, family.describeStand(one, tray))));
    if (held) this.standButtons.querySelector(`[data-act="${held}"]`)?.focus({ preventScroll: true });
  }

  drawHandover({ handoverTo }) {
    this.handoverButton.hidden = !handoverTo;
    if (handoverTo) setText(this.handoverButton, t("tray.pass", { name: handoverTo }));
  }

  drawLateButtons({ late }) {
    this.lateButtons.hidden = !late.length;
    const names = late.map((one) => one.seat).join();
    if (this.drawnLate === names) return;
    this.drawnLate = names;
    setChildren(this.lateButtons, late.map((one) => h("button", { class: "button", "data-act": "without", onclick: () => this.handlers.startWithout(one.seat) },
      t("tray.without", { name: one.name }))));
  }

  // Lets the dice at these positions tumble; gives back how long it takes.
  tumbleDice(places) {
    const long = tumbleDuration();
    if (long) for (const place of places) this.dice[place]?.tumble(long);
    return long;
  }
}
