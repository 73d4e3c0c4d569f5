/* The table: draws where the game stands. */

import { setBar } from "./bar.js";
import { CommandGate } from "./command-gate.js";
import { connection } from "./connection.js";
import { h, setChildren } from "./dom.js";
import { getTableFamily, loadFamily } from "./families.js";
import { GameOverPanel } from "./game-over.js";
import { KeptDice } from "./kept-dice.js";
import { listenToKeys } from "./keyboard.js";
import { LateSeedWatcher } from "./late-seeds.js";
import { PlayerStrip } from "./player-strip.js";
import { prefs } from "./prefs.js";
import { isBigScreen, showLobby } from "./router.js";
import { ShownSeat } from "./shown-seat.js";
import { buildSolveProgress } from "./solve-progress.js";
import { TableActions } from "./table-actions.js";
import { TableCoach } from "./table-coach.js";
import { activeSeat, asSpectator, buildTableModel, canAct, findTray, isOwnPlayer, isPadGame } from "./table-model.js";
import { TableNarrator } from "./table-narrator.js";
import { hideTooltip } from "./tooltip.js";
import { getLanguage, loadParts, t } from "./translations.js";
import { DiceTray } from "./tray.js";

const CROWD = 5;
const RETRY_DELAY = 1000;
let RealDicePad = null;

class TablePage extends HTMLElement {
  connectedCallback() {
    this.builtKey = this.pad = null;
    this.gate = new CommandGate(() => this.position?.view.count);
    this.shownSeat = new ShownSeat(() => this.draw());
    this.keptDice = new KeptDice();
    this.actions = new TableActions(this);
    this.coach = new TableCoach(this);
    this.narrator = new TableNarrator(this);
    this.lateSeeds = new LateSeedWatcher(() => this.draw());
    this.unsubscribers = [
      connection.on("position", (position) => this.handlePosition(position)), connection.on("room", () => this.draw()),
      connection.on("remark", ({ seat, remark }) => this.players?.showRemark(seat, remark)),
      ...["faces", "view", "ledger"].map((name) => prefs.on(name, () => this.draw())), listenToKeys(this),
    ];
    if (connection.position) this.handlePosition(connection.position);
  }

  disconnectedCallback() {
    for (const stop of [...this.unsubscribers, () => this.pad?.close(), () => this.lateSeeds.stop(), () => this.shownSeat.stop()]) stop();
    hideTooltip();
  }

  // A new position: takes over what was kept, draws it, lets dice tumble, says what happened.
  handlePosition(shared) {
    const position = isBigScreen() ? asSpectator(shared) : shared;
    const { gameInfo } = connection;
    if (!gameInfo || gameInfo.game !== position.view.game) return;
    const family = getTableFamily(gameInfo.family);
    if (!family || (isPadGame(position.view) && !RealDicePad)) return this.loadParts(gameInfo, position.view);
    const before = this.position?.view.game === position.view.game ? this.position : null;
    this.family = family;
    this.buildTable(position.view);
    this.position = position;
    this.pad?.handlePosition(position);
    const fresh = before !== null && position.view.count > before.view.count;
    const landed = fresh ? position.last.findLast((event) => event.event === "landed") : null;
    const tray = this.findTray(position.view);
    const trayBefore = before && this.findTray(before.view);
    this.keptDice.update(trayBefore, tray, position.last, landed);
    this.shownSeat.updateTurn(position.view, trayBefore?.seat ?? null, tray, canAct(position.view, tray));
    this.lateSeeds.watch(position.view, connection.room?.host);
    this.draw();
    this.narrator.narrate(before, fresh);
    this.narrator.playLast(fresh, landed);
    this.gate.update();
  }

  // Fetches what this game needs besides: its family, and for real dice the pad.
  async loadParts({ family }, view) {
    try {
      const [pad] = await Promise.all([isPadGame(view) && import("./real-dice-pad.js"), isPadGame(view) && loadParts("pad"), loadFamily(family)]);
      if (pad) RealDicePad = pad.RealDicePad;
      if (this.isConnected && connection.position) this.handlePosition(connection.position);
    } catch {
      setTimeout(() => this.isConnected && connection.position && this.handlePosition(connection.position), RETRY_DELAY);
    }
  }

  // Lays out the table for a game; afterwards everything is only redrawn in place.
  buildTable(view) {
    const key = JSON.stringify([view.game, view.seats.map((seat) => seat.yours), getLanguage()]);
    if (this.builtKey === key) return;
    if (this.contains(document.activeElement)) queueMicrotask(() => this.tray.focusTarget.focus({ preventScroll: true }));
    if (this.builtKey !== null) this.reset();
    this.builtKey = key;
    const { gameInfo } = connection;
    this.buildParts(view, gameInfo);
    const felt = h("div", { class: ["felt", view.seats.length > CROWD && "crowd", `of-${this.family.name}`].filter(Boolean).join(" ") }, this.board.element, h("div", { class: "side" }, this.tray.element, this.end.element));
    this.tray.status.after(buildSolveProgress());
    felt.style.setProperty("--seats", view.seats.length);
    felt.style.setProperty("--rows", this.family.countLines(gameInfo));
    setChildren(this, this.family.hasPlayerStrip && this.players.element, felt);
    this.buildBar(view, gameInfo);
    this.pad = isPadGame(view) ? new RealDicePad(this) : null;
    if (!this.pad) queueMicrotask(() => this.family.startTutorial(this));
  }

  // Forgets what belonged to the game before.
  reset() {
    this.pad?.close();
    this.keptDice = new KeptDice();
    for (const part of [this.shownSeat, this.coach, this.narrator]) part.reset();
  }

  buildParts(view, gameInfo) {
    const { actions, shownSeat } = this;
    this.players = new PlayerStrip(view.seats, { show: (seat) => this.showSeat(seat), follow: () => shownSeat.follow(), want: (intent) => this.gate.send(intent) });
    this.board = this.family.createBoard(gameInfo, view.seats, {
      choose: (option) => actions.chooseBox(option), crossOut: (option) => actions.crossOut(option), follow: () => shownSeat.follow(),
      player: (button, seat) => (seat !== this.model.seat && this.pad?.activeSeat.activate(seat)) || this.players.openPlayerMenu(button, seat),
      press: (button, seat, entry) => this.pad?.entry.press(button, seat, entry), listMenuItems: (box) => this.pad?.entry.listMenuItems(box) ?? [],
    });
    this.tray = new DiceTray(gameInfo, {
      tap: (place) => actions.toggleKeep(place), act: (event) => actions.pressMainButton(event), continueGame: () => actions.continueGame(), stand: (way) => actions.stand(way),
      putIn: (button) => this.players.openStandInMenu(button, this.model.seat), confirmHandover: () => shownSeat.confirmHandover(), startWithout: (seat) => this.gate.send({ want: "start_without", seat }),
    });
    this.end = new GameOverPanel({ begin: () => actions.beginNextGame(), lobby: showLobby, undo: () => actions.undo(), continueGame: () => actions.continueGame() });
  }

  buildBar(view, gameInfo) {
    this.undoButton = h("button", { class: "quiet", "aria-label": t("table.undo"), title: t("table.undo"), "data-act": "undo", onclick: () => this.actions.undo() },
      "↶", h("span", { class: "word" }, t("table.undo")));
    this.hintButton = h("button", { class: "quiet", hidden: isBigScreen() || !view.seats.some(isOwnPlayer), "data-act": "hint", onclick: () => this.coach.ask() }, t("table.hint"));
    this.bar = setBar({ title: gameInfo.title, buttons: [this.hintButton, this.undoButton], more: () => this.listMenuItems() });
  }

  listMenuItems() {
    const { view } = connection.position;
    const own = isBigScreen() ? -1 : view.seats.findIndex(isOwnPlayer);
    return [
      own >= 0 && { label: t("table.ask_coach"), act: () => this.coach.ask(), hook: "ask-coach", off: !this.coach.canAsk },
      own >= 0 && { label: t("player.say"), act: () => this.players.openRemarkMenu(this.querySelector(".tray:not([hidden]) .throw") ?? this.undoButton, own), hook: "say" },
      !isBigScreen() && { label: t("table.screen"), act: () => open(`/room/${connection.roomId}/screen`, "_blank", "noopener"), hook: "screen" },
      connection.room.host && !isBigScreen() && !view.closed && { label: t("table.stop"), act: () => this.actions.stopGame(), hook: "stop" },
    ].filter(Boolean);
  }

  // The tray this table looks at.
  findTray(view) {
    return findTray(view, this.pad?.activeSeat.seat ?? this.shownSeat.viewed);
  }

  // Everything the parts need to draw themselves.
  buildModel() {
    const { pad, shownSeat: { viewed, lingering, isHandedOver }, keptDice } = this;
    const view = pad?.predicted.predict(this.position.view) ?? this.position.view;
    const tray = this.findTray(view);
    const seat = activeSeat(view, tray);
    return buildTableModel({
      room: isBigScreen() ? { ...connection.room, host: false } : connection.room, gameInfo: connection.gameInfo, family: this.family, view, tray,
      shown: viewed ?? lingering ?? pad?.activeSeat.findResting(view, tray) ?? seat, away: viewed !== null && viewed !== seat,
      kept: keptDice.places, rolloffDice: keptDice.rolloffDice, slots: pad?.diceEntry.findSlots(view, tray) ?? null, finalDice: pad?.entersFinalDice(view, tray) ?? false,
      isHandedOver, late: this.lateSeeds.latePlayers,
    });
  }

  get canAct() {
    return this.model?.mine && !this.model.over;
  }

  draw() {
    if (!this.position || !connection.room) return;
    const focus = [this, this.undoButton, this.hintButton].some((one) => one?.contains(document.activeElement)) ? document.activeElement : null;
    const model = this.model = this.buildModel();
    for (const part of [this.players, this.board, this.tray]) part.draw(model);
    this.tray.element.hidden = model.over;
    this.pad?.draw(model);
    this.end.draw(model);
    this.undoButton.disabled = !(this.pad ? this.pad.canUndo : model.view.undo !== null);
    this.hintButton.disabled = !this.coach.canAsk;
    this.coach.draw(model);
    this.narrator.updateTitles(model, isBigScreen());
    this.restoreFocus(focus, model);
  }

  // The focus follows the turn, and is never lost with something that went away.
  restoreFocus(focus, { mine, over }) {
    const cell = focus?.matches(".cell") ? focus : null;
    const gone = focus && (focus.disabled || focus.getClientRects().length === 0);
    if (over && (gone || !this.wasOver)) this.end.element.focus({ preventScroll: true });
    else if (cell && mine && !cell.dataset.box) this.board.updateTabStop()?.focus({ preventScroll: true });
    else if (gone) this.tray.focusTarget.focus({ preventScroll: true });
    this.wasOver = over;
  }

  // Shows another player's sheet; where everybody plays at once and the seat is ours, its tray too.
  showSeat(seat) {
    if (!this.pad?.activeSeat.activate(seat)) this.shownSeat.view(seat);
  }
}

customElements.define("knobel-table", TablePage);
