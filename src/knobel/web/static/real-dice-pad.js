/* Real dice at the table: takes what they showed, for whichever of our players, and sends it in order. */

import { ActiveSeat } from "./active-seat.js";
import { connection } from "./connection.js";
import { showToast } from "./dialogs.js";
import { DiceEntry } from "./dice-entry.js";
import { h, loadStylesheet } from "./dom.js";
import { getQueue } from "./intent-queue.js";
import { Keypad } from "./keypad.js";
import { LiveRanking } from "./live-ranking.js";
import { readAloud } from "./live-region.js";
import { setOfflineText, updateOfflineBanner } from "./offline-banner.js";
import { PredictedView } from "./predicted-view.js";
import { prefs } from "./prefs.js";
import { showRefusal } from "./refusal-dialog.js";
import { required } from "./required.js";
import { isBigScreen } from "./router.js";
import { canAct, isOwnPlayer } from "./table-model.js";
import { t } from "./translations.js";

/** @type {Record<string, string>} */
const PROMPTS = { announce: "announces", rolloff: "rolls", fill: "chooses", waiting: "waits", land: "lands" };

await loadStylesheet("pad.css");

// The pad of one table.
export class RealDicePad {
  /** @param {TablePage} table */
  constructor(table) {
    this.table = table;
    this.gameInfo = required(connection.gameInfo, "game");
    this.queue = getQueue(required(connection.roomId, "room"));
    this.predicted = new PredictedView(this.queue, this.gameInfo);
    this.activeSeat = new ActiveSeat(this);
    this.diceEntry = new DiceEntry(this);
    this.entry = table.family.createEntry(this);
    this.ranking = new LiveRanking();
    this.keypad = new Keypad(this.gameInfo, {
      face: (value) => this.diceEntry.enterFace(value),
      erase: () => this.diceEntry.enterFace(0),
      rolls: (n) => this.diceEntry.setRollCount(n),
    });
    /** @type {HTMLInputElement} */
    this.eachRollInput = h("input", {
      type: "checkbox",
      role: "switch",
      onchange: () => prefs.set("each_roll", this.eachRollInput.checked),
    });
    this.eachRollSwitch = h(
      "label",
      { class: "switch each-roll", "data-act": "each-roll" },
      h("span", { class: "switch-name" }, t("pad.each_roll"), " ", h("small", {}, t("pad.each_roll_why"))),
      this.eachRollInput,
    );
    table.tray.sumLine.after(this.keypad.element);
    table.tray.element.append(this.ranking.element, this.eachRollSwitch);
    this.unsubscribers = [
      this.queue.on({
        changed: () => {
          updateOfflineBanner();
          table.draw();
        },
        refused: (item, why, dropped) => this.handleRefusal(item, why, dropped),
      }),
      prefs.on("each_roll", () => table.draw()),
      setOfflineText(() => this.describeOffline()),
    ];
  }

  close() {
    for (const stop of this.unsubscribers) stop();
  }

  describeOffline() {
    if (this.queue.pendingEntries) return t("pad.lost_n", { n: this.queue.pendingEntries });
    return this.activeSeat.seat === null ? null : t("pad.lost");
  }

  /** @param {Position} position */
  handlePosition(position) {
    const { view } = position;
    this.predicted.remember(view);
    this.queue.acknowledge(view);
    this.diceEntry.forgetStale(this.predicted.predict(view));
    this.activeSeat.update(position);
  }

  /**
   * Whether this seat enters its dice all at once, at the end of the turn.
   * @param {GameView} view
   * @param {Tray | null} tray
   */
  entersFinalDice(view, tray) {
    return tray !== null && canAct(view, tray) && view.seats[tray.seat].real_dice && !prefs.get("each_roll");
  }

  /**
   * Whether what a seat wants goes through the queue.
   * @param {number | null} seat
   */
  queuesSeat(seat) {
    const one = seat === null ? undefined : this.table.position.view.seats[seat];
    return one !== undefined && isOwnPlayer(one) && one.real_dice;
  }

  /**
   * Sends what a player of ours does; an entry is shown at once, and the next player is proposed.
   * @param {string} action
   * @param {EntryNote} [note]
   */
  act(action, note = {}) {
    const { seat } = required(this.table.model.tray, "tray");
    const next = Boolean(note.box) && this.table.model.view.free;
    if (next) this.table.shownSeat.lingerOn(seat);
    this.enqueue({ want: "act", seat, action }, note);
    if (next) this.activeSeat.propose(this.table.position.view);
    if (note.box && connection.state !== "open") readAloud(t("pad.kept", { n: this.queue.pendingEntries }));
    this.table.draw();
  }

  /**
   * @param {Unsent<SeatIntent>} intent
   * @param {EntryNote} [note]
   */
  enqueue(intent, note) {
    this.queue.add(this.table.position.view, intent, note);
  }

  get canUndo() {
    return this.queue.lastPending !== null || this.table.position.view.undo !== null;
  }

  // Undoes the last thing: what was not sent yet is forgotten, the rest is asked for. Says whether that was ours to do.
  undo() {
    const last = this.queue.lastPending;
    const { view } = this.table.position;
    const seat = last?.intent.seat ?? view.undo;
    if (seat === null || !this.queuesSeat(seat)) return false;
    if (connection.state !== "open" && last?.intent.want !== "act") {
      showToast(t("pad.no_server"));
      return true;
    }
    if (view.free) this.activeSeat.switchTo(seat);
    this.diceEntry.forget(seat);
    if (!last || last.intent.want === "undo" || !this.queue.removeUnsent(last)) this.enqueue({ want: "undo", seat });
    this.table.draw();
    return true;
  }

  /**
   * Opens the correction of an entry: of a box, or of the round with this number.
   * @param {number} seat
   * @param {string} entry
   */
  openCorrection(seat, entry) {
    if (connection.state !== "open") showToast(t("pad.no_server"));
    else
      this.table.family
        .loadCorrection()
        .then((open) => open(this, seat, entry))
        .catch(() => showToast(t("pad.no_server")));
    return true;
  }

  /**
   * @param {QueuedItem} item
   * @param {Refusal} why
   * @param {QueuedItem[]} dropped
   */
  handleRefusal(item, why, dropped) {
    this.diceEntry.forget(item.intent.seat);
    showRefusal(item, why, dropped, {
      seats: this.table.position.view.seats,
      describeBox: (box) => this.entry.describe(box),
    });
  }

  /**
   * Draws the keys, whose they are, and how everybody stands where there is nothing to enter.
   * @param {TableModel} model
   */
  draw(model) {
    const { view, tray, mine, over, slots, finalDice, family } = model;
    const real = Boolean(tray && mine && !over && view.seats[tray.seat].real_dice);
    const keys =
      tray !== null && real && (finalDice ? !["choose", "stand"].includes(tray.phase) : tray.phase === "land");
    const { element, mainButton } = this.table.tray;
    this.keypad.element.hidden = !keys;
    if (keys)
      this.keypad.draw({
        prompt: this.describePrompt(model),
        canEnter: Boolean(slots),
        canErase: this.diceEntry.canErase(model),
        rolls: tray.asks_rolls && finalDice ? this.diceEntry.rollCount(tray) : 0,
      });
    mainButton.hidden = keys;
    element.classList.toggle("by-hand", keys);
    this.eachRollSwitch.hidden = !real || isBigScreen();
    this.eachRollInput.checked = Boolean(prefs.get("each_roll"));
    const watching = Boolean(view.free) && !mine && family.hasLiveRanking;
    element.classList.toggle("watching", watching);
    this.ranking.draw(model, watching);
  }

  // What is said while only others still play.
  describeWait() {
    return t("pad.who.waits");
  }

  /**
   * Whose keys these are, and what is to be done.
   * @param {TableModel} model
   */
  describePrompt({ view, tray: shown, family }) {
    const tray = required(shown, "tray");
    const { name } = view.seats[tray.seat];
    const key = PROMPTS[tray.phase];
    return key ? t(`pad.who.${key}`, { name }) : family.describeEntry(name);
  }
}
