/* The tray: messages, the dice, and the main button, labelled with what it will do. */

import "./table-styles.js";
import { Die, tumbleDuration } from "./dice.js";
import { find, findAll, getFocused, h, setAttribute, setChildren, setText } from "./dom.js";
import { MoveClock } from "./move-clock.js";
import { Reactions } from "./reactions.js";
import { ChaseLine } from "./record-chase.js";
import { t } from "./translations.js";
import { TrayFacts } from "./tray-facts.js";

const MOST_ON_RAIL = 5;
// The part of their way after which tumbling dice show the face they land on.
const TURNED_OVER = 0.4;

// The tray of one game; `handlers` are {tap(place), act(), continueGame(), putIn(), confirmHandover(), startWithout(seat), stand(way)}.
export class DiceTray {
  /**
   * What the dice showed last: they lie there until the next roll.
   * @type {number[]}
   */
  lastFaces = [];
  /** @type {string} */
  drawnLate;
  /** @type {string} */
  drawnStands;
  /** @type {TableModel["help"]} */
  helpKind;

  /**
   * @param {GameInfo} gameInfo
   * @param {TrayHandlers} handlers
   */
  constructor(gameInfo, handlers) {
    this.handlers = handlers;
    this.statusText = h("span");
    this.moveClock = new MoveClock();
    this.status = h("p", { class: "status" }, this.statusText, this.moveClock.element);
    this.dice = Array.from({ length: gameInfo.dice }, (_, place) => new Die(place, handlers.tap));
    this.diceRow = h(
      "div",
      { class: gameInfo.dice > MOST_ON_RAIL ? "dice many" : "dice", role: "group", "aria-label": t("tray.dice") },
      this.dice.map((die) => die.element),
    );
    this.diceRow.style.setProperty(
      "--across",
      String(gameInfo.dice > 6 ? Math.ceil(gameInfo.dice / 2) : gameInfo.dice),
    );
    this.handoverButton = h("button", {
      class: "handover",
      type: "button",
      hidden: true,
      "data-act": "pass",
      onclick: handlers.confirmHandover,
    });
    this.lateButtons = h("div", { class: "handover without", hidden: true });
    this.label = h("span", { class: "label" });
    this.rollsLeftDots = h(
      "span",
      { class: "left", "aria-hidden": "true" },
      Array.from({ length: gameInfo.rolls }, () => h("b")),
    );
    this.rollsLeftText = h("span", { class: "unseen" });
    this.mainButton = h(
      "button",
      { class: "main-button", type: "button", "data-act": "roll", onclick: handlers.act },
      this.label,
      this.rollsLeftDots,
      this.rollsLeftText,
    );
    /** @type {HTMLButtonElement} */
    this.helpButton = h("button", {
      class: "continue-button",
      type: "button",
      hidden: true,
      onclick: () => (this.helpKind === "go-on" ? handlers.continueGame?.() : handlers.putIn?.()),
    });
    this.facts = new TrayFacts();
    this.chase = new ChaseLine();
    this.notes = h("div", { class: "tray-notes" }, this.facts.element, this.chase.element);
    this.reactions = new Reactions();
    this.sumLine = h("p", { class: "sum-line" });
    this.standButtons = h("div", { class: "stand-buttons" });
    this.element = h(
      "section",
      { class: "tray", "aria-label": t("tray.tray") },
      this.status,
      this.buildDiceArea(gameInfo.dice > MOST_ON_RAIL),
      this.notes,
      this.sumLine,
      h("div", { class: "tray-actions" }, this.mainButton, this.standButtons, this.helpButton, this.reactions.element),
    );
  }

  /**
   * The part of the felt the dice lie on. Where they have a rail, it says how tall it is: kept dice slide by that.
   * @param {boolean} isCrowded
   */
  buildDiceArea(isCrowded) {
    const area = h(
      "div",
      { class: isCrowded ? "dice-area" : "dice-area with-rail" },
      this.diceRow,
      this.handoverButton,
      this.lateButtons,
    );
    new ResizeObserver(() => area.style.setProperty("--height", `${area.clientHeight}px`)).observe(area);
    return area;
  }

  // Where the focus goes when what had it went away.
  get focusTarget() {
    const instead = this.mainButton.hidden ? ".keypad .face" : ".reactions:not([hidden]) .reaction";
    return find(this.element, instead) ?? this.mainButton;
  }

  /**
   * Shows what happened.
   * @param {string} text
   */
  showStatus(text) {
    setText(this.statusText, text);
  }

  /** @param {TableModel} model */
  draw(model) {
    this.drawDice(model);
    this.drawMainButton(model);
    this.drawStands(model);
    this.drawHandover(model);
    this.drawLateButtons(model);
    this.facts.draw(model);
    this.chase.draw(model);
    this.reactions.draw(model);
    this.element.classList.toggle("theirs", !model.mine);
  }

  // Takes away the dice that lie there from before.
  clearDice() {
    this.lastFaces = [];
  }

  /** @param {TableModel} model */
  drawDice({ dice, faces, kept, locked, mine, choosing, slots, finalDice }) {
    this.dice.forEach((die, place) => {
      const slot = slots?.get(place);
      const isSlot = slot !== undefined;
      const value = slot ?? dice[place] ?? 0;
      die.draw({
        value,
        faces,
        kept: !isSlot && value > 0 && kept.has(place),
        locked: locked.includes(place),
        off: !(mine && (choosing || isSlot || (finalDice && value))),
        entering: isSlot,
        lying: this.lastFaces[place],
      });
      if (value) this.lastFaces[place] = value;
    });
  }

  /** @param {TableModel} model */
  drawMainButton({ mainButton, tray, view, help, over, finalDice }) {
    const { text, ready } = mainButton;
    setText(this.label, text);
    setAttribute(this.mainButton, "aria-disabled", ready ? null : "true");
    const counts = tray && !over && tray.phase !== "rolloff" && !view.waiting.length;
    const left = counts ? tray.rolls - tray.rolled : 0;
    this.rollsLeftDots.hidden = !counts || finalDice || help !== null;
    for (const [place, dot] of findAll(this.rollsLeftDots, "b").entries()) {
      dot.hidden = tray !== null && place >= tray.rolls;
      dot.classList.toggle("on", tray !== null && place >= tray.rolls - left);
    }
    setText(this.rollsLeftText, ready && counts ? `, ${t("tray.left", { n: left })}` : "");
    this.helpKind = help;
    this.helpButton.hidden = help === null;
    setAttribute(this.helpButton, "data-act", help);
    setText(this.helpButton, help === "put-in" ? t("tray.put_in") : t("tray.go_on"));
  }

  /**
   * What the dice make together, and the ways to stop rolling; the only one there is stands on the button.
   * @param {TableModel} model
   */
  drawStands({ tray, mine, mainButton, family }) {
    const sum = family.describeDice(tray);
    this.sumLine.hidden = sum === null;
    setText(this.sumLine, sum ?? "");
    const stands = tray && mine && mainButton.does !== "stand" ? family.listStands(tray) : [];
    const key = JSON.stringify([stands, tray?.sum, tray?.beats]);
    if (this.drawnStands === key) return;
    this.drawnStands = key;
    const held = this.standButtons.contains(document.activeElement) && getFocused()?.dataset.act;
    setChildren(
      this.standButtons,
      stands.map((one) =>
        h(
          "button",
          {
            class: tray?.beats ? "stand good" : "stand",
            type: "button",
            "data-act": `stand${one.aim ? `-${one.aim}` : ""}`,
            onclick: () => this.handlers.stand?.(one),
          },
          tray && h("span", {}, family.describeStand(one, tray)),
          tray && explain(family.explainStand(one, tray)),
        ),
      ),
    );
    if (held) find(this.standButtons, `[data-act="${held}"]`)?.focus({ preventScroll: true });
  }

  /** @param {TableModel} model */
  drawHandover({ handoverTo }) {
    this.handoverButton.hidden = !handoverTo;
    if (handoverTo) setText(this.handoverButton, t("tray.pass", { name: handoverTo }));
  }

  /** @param {TableModel} model */
  drawLateButtons({ late }) {
    this.lateButtons.hidden = !late.length;
    const names = late.map((one) => one.seat).join();
    if (this.drawnLate === names) return;
    this.drawnLate = names;
    setChildren(
      this.lateButtons,
      late.map((one) =>
        h(
          "button",
          { class: "button", "data-act": "without", onclick: () => this.handlers.startWithout?.(one.seat) },
          t("tray.without", { name: one.name }),
        ),
      ),
    );
  }

  /**
   * Lets the dice at these positions tumble and tells whether all of them landed; null where nothing moves.
   * @param {number[]} places
   * @returns {Promise<boolean> | null}
   */
  tumbleDice(places) {
    const long = tumbleDuration();
    const side = long ? this.dice[0].element.offsetWidth : 0;
    const dice = places.map((place) => this.dice[place]).filter((die) => die !== undefined);
    if (!long) {
      for (const die of dice) die.land();
      return null;
    }
    // All of them in one frame: each change of a face is work for the page's own thread.
    setTimeout(() => {
      for (const die of dice) die.draw(die.state);
    }, long * TURNED_OVER);
    return Promise.all(dice.map((die) => die.tumble(long, side))).then((ends) => ends.every(Boolean));
  }
}

/** @param {string} text */
function explain(text) {
  return text !== "" && h("small", {}, text);
}
