/* The table: draws where the game stands. */

import { setBar } from "./bar.js";
import { CommandGate } from "./command-gate.js";
import { connection } from "./connection.js";
import { getFocused, h, setChildren } from "./dom.js";
import { getTableFamily, loadFamily } from "./families.js";
import { GameOverPanel } from "./game-over.js";
import { KeptDice } from "./kept-dice.js";
import { listenToKeys } from "./keyboard.js";
import { fillLastBox } from "./last-box.js";
import { LateSeedWatcher } from "./late-seeds.js";
import { PlayerStrip } from "./player-strip.js";
import { prefs } from "./prefs.js";
import { required } from "./required.js";
import { isBigScreen, showLobby } from "./router.js";
import { ShakeToRoll } from "./shake.js";
import { ShownSeat } from "./shown-seat.js";
import { buildSolveProgress } from "./solve-progress.js";
import { SoundButton } from "./sound-button.js";
import { TableActions } from "./table-actions.js";
import { TableCoach } from "./table-coach.js";
import { listTableMenu } from "./table-menu.js";
import {
  addressPlayer,
  asSpectator,
  buildTableModel,
  canAct,
  findRestingSeat,
  findTray,
  isOwnPlayer,
  isPadGame,
} from "./table-model.js";
import { TableNarrator } from "./table-narrator.js";
import { hideTooltip } from "./tooltip.js";
import { getLanguage, loadParts, t } from "./translations.js";
import { DiceTray } from "./tray.js";
import { keepAwake } from "./wake-lock.js";
import { buildWhatIf } from "./what-if.js";

const MANY_PLAYERS = 5;
const RETRY_DELAY = 1000;
/** @type {(new (table: TablePage) => RealDicePad) | null} */
let RealDicePad = null;

export class TablePage extends HTMLElement {
  /** @type {boolean | undefined} */
  wasOver;
  /** @type {ReturnType<typeof setBar>} */
  bar;
  /** @type {HTMLButtonElement} */
  hintButton;
  /** @type {HTMLButtonElement} */
  undoButton;
  /** @type {SoundButton | undefined} */
  soundButton;
  /** @type {GameOverPanel} */
  end;
  /** @type {DiceTray} */
  tray;
  /** @type {Board} */
  board;
  /** @type {PlayerStrip} */
  players;
  /** @type {TableFamily} */
  family;
  /** @type {TableModel} */
  model;
  /** @type {Position} */
  position;
  /** @type {(() => void)[]} */
  unsubscribers;
  /** @type {LateSeedWatcher} */
  lateSeeds;
  /** @type {ShakeToRoll} */
  shake;
  /** @type {TableNarrator} */
  narrator;
  /** @type {TableCoach} */
  coach;
  /** @type {TableActions} */
  actions;
  /** @type {KeptDice} */
  keptDice;
  /** @type {ShownSeat} */
  shownSeat;
  /** @type {CommandGate} */
  gate;
  /** @type {RealDicePad | null} */
  pad;
  /** @type {string | null} */
  builtKey;

  connectedCallback() {
    this.builtKey = this.pad = null;
    this.gate = new CommandGate(() => this.position?.view.count);
    this.shownSeat = new ShownSeat(() => this.draw());
    this.keptDice = new KeptDice();
    this.actions = new TableActions(this);
    this.coach = new TableCoach(this);
    this.narrator = new TableNarrator(this);
    this.lateSeeds = new LateSeedWatcher(() => this.draw());
    this.shake = new ShakeToRoll(() => this.model?.mainButton.does === "roll" && this.actions.doMainAction());
    this.unsubscribers = [
      connection.on("position", (position) => this.handlePosition(position)),
      connection.on("room", () => this.draw()),
      connection.on("remark", ({ seat, remark }) => this.players?.showRemark(seat, remark)),
      prefs.on("faces", () => this.draw()),
      prefs.on("view", () => this.draw()),
      prefs.on("ledger", () => this.draw()),
      prefs.on("win_bar", () => this.draw()),
      prefs.on("win_bar_screen", () => this.draw()),
      prefs.on("win_levels", () => this.draw()),
      prefs.on("sound", () => this.soundButton?.draw()),
      listenToKeys(this),
    ];
    if (connection.position) this.handlePosition(connection.position);
  }

  disconnectedCallback() {
    for (const stop of [
      ...this.unsubscribers,
      () => this.pad?.close(),
      () => this.lateSeeds.stop(),
      () => this.shownSeat.stop(),
      () => this.tray?.moveClock.stop(),
      () => this.shake.stop(),
      () => keepAwake(false),
    ])
      stop();
    hideTooltip();
  }

  /**
   * A new position: takes over what was kept, draws it, lets dice tumble, says what happened.
   * @param {Position} shared
   * @returns {unknown}
   */
  handlePosition(shared) {
    const position = addressPlayer(isBigScreen() ? asSpectator(shared) : shared);
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
    const landed = (fresh && position.last.findLast((event) => event.event === "landed")) || null;
    const tray = this.findTray(position.view);
    const trayBefore = before && this.findTray(before.view);
    this.keptDice.update(trayBefore, tray, position.last, landed);
    this.shownSeat.updateTurn(position.view, trayBefore?.seat ?? null, tray, canAct(position.view, tray));
    this.lateSeeds.watch(position.view, connection.room?.host || connection.room?.acting_host);
    this.draw();
    this.tray.moveClock.start(position.seconds_left, this.model.mine);
    this.narrator.narrate(before, fresh);
    this.narrator.playLast(fresh, landed);
    this.gate.update();
    fillLastBox(this, landed);
  }

  /**
   * Fetches what this game needs besides: its family, and for real dice the pad.
   * @param {GameInfo} gameInfo
   * @param {GameView} view
   */
  async loadParts({ family }, view) {
    try {
      const [pad] = await Promise.all([
        isPadGame(view) && import("./real-dice-pad.js"),
        isPadGame(view) && loadParts("pad"),
        loadFamily(family),
      ]);
      if (pad) RealDicePad = pad.RealDicePad;
      if (this.isConnected && connection.position) this.handlePosition(connection.position);
    } catch {
      setTimeout(
        () => this.isConnected && connection.position && this.handlePosition(connection.position),
        RETRY_DELAY,
      );
    }
  }

  /**
   * Lays out the table for a game; afterwards everything is only redrawn in place.
   * @param {GameView} view
   */
  buildTable(view) {
    const key = JSON.stringify([view.game, view.seats.map((seat) => seat.yours), getLanguage()]);
    if (this.builtKey === key) return;
    if (this.contains(document.activeElement))
      queueMicrotask(() => this.tray.focusTarget.focus({ preventScroll: true }));
    if (this.builtKey !== null) this.reset();
    this.builtKey = key;
    const gameInfo = required(connection.gameInfo, "game");
    this.buildParts(view, gameInfo);
    const felt = h(
      "div",
      {
        class: ["table-layout", view.seats.length > MANY_PLAYERS && "many-players", `of-${this.family.name}`]
          .filter(Boolean)
          .join(" "),
      },
      this.board.element,
      h("div", { class: "side" }, this.tray.element, this.end.element),
    );
    this.tray.status.after(buildSolveProgress());
    felt.style.setProperty("--seats", String(view.seats.length));
    felt.style.setProperty("--rows", String(this.family.countLines(gameInfo)));
    setChildren(
      this,
      h("div", { class: "table-top" }, buildWhatIf(gameInfo), this.family.hasPlayerStrip && this.players.element),
      felt,
    );
    this.buildBar(view, gameInfo);
    this.pad = RealDicePad && isPadGame(view) ? new RealDicePad(this) : null;
    if (!this.pad) queueMicrotask(() => this.family.startTutorial(this));
  }

  // Forgets what belonged to the game before.
  reset() {
    this.pad?.close();
    this.keptDice = new KeptDice();
    for (const part of [this.shownSeat, this.coach, this.narrator]) part.reset();
  }

  /**
   * @param {GameView} view
   * @param {GameInfo} gameInfo
   */
  buildParts(view, gameInfo) {
    const { actions, shownSeat } = this;
    this.players = new PlayerStrip(view.seats, {
      show: (seat) => this.showSeat(seat),
      follow: () => shownSeat.follow(),
      want: (intent) => this.gate.send(intent),
    });
    this.board = this.family.createBoard(gameInfo, view.seats, {
      choose: (option) => actions.chooseBox(option),
      crossOut: (option) => actions.crossOut(option),
      follow: () => shownSeat.follow(),
      player: (button, seat) =>
        (seat !== this.model.seat && this.pad?.activeSeat.activate(seat)) || this.players.openPlayerMenu(button, seat),
      press: (button, seat, entry) => this.pad?.entry.press(button, seat, entry),
      listMenuItems: (box) => this.pad?.entry.listMenuItems(box) ?? [],
    });
    this.tray = new DiceTray(gameInfo, {
      tap: (place) => actions.toggleKeep(place),
      act: () => actions.doMainAction(),
      continueGame: () => actions.continueGame(),
      stand: (way) => actions.stand(way),
      putIn: () => this.players.chooseStandIn(this.model.seat),
      confirmHandover: () => shownSeat.confirmHandover(),
      startWithout: (seat) => this.gate.send({ want: "start_without", seat }),
    });
    this.end = new GameOverPanel({
      begin: () => actions.beginNextGame(),
      lobby: showLobby,
      undo: () => actions.undo(),
      continueGame: () => actions.continueGame(),
    });
  }

  /**
   * @param {GameView} view
   * @param {GameInfo} gameInfo
   */
  buildBar(view, gameInfo) {
    this.undoButton = h(
      "button",
      {
        class: "quiet",
        "aria-label": t("table.undo"),
        title: t("table.undo"),
        "data-act": "undo",
        onclick: () => this.actions.undo(),
      },
      "↶",
      h("span", { class: "word" }, t("table.undo")),
    );
    this.hintButton = h(
      "button",
      {
        class: "quiet",
        hidden: isBigScreen() || !view.seats.some(isOwnPlayer),
        "data-act": "hint",
        onclick: () => this.coach.ask(),
      },
      t("table.hint"),
    );
    this.soundButton = new SoundButton();
    this.bar = setBar({
      title: gameInfo.title,
      buttons: [this.soundButton.element, this.hintButton, this.undoButton],
      more: () => listTableMenu(this),
    });
  }

  /**
   * The tray this table looks at.
   * @param {GameView} view
   */
  findTray(view) {
    return findTray(view, this.pad?.activeSeat.seat ?? this.shownSeat.viewed);
  }

  /**
   * Everything the parts need to draw themselves.
   * @returns {TableModel}
   */
  buildModel() {
    const room = required(connection.room, "room");
    const {
      pad,
      shownSeat: { viewed, lingering, isHandedOver },
      keptDice,
    } = this;
    const view = pad?.predicted.predict(this.position.view) ?? this.position.view;
    const tray = this.findTray(view);
    const seat = findRestingSeat(view, tray);
    return buildTableModel({
      room: isBigScreen() ? { ...room, host: false } : room,
      gameInfo: required(connection.gameInfo, "game"),
      family: this.family,
      view,
      tray,
      shown: viewed ?? lingering ?? pad?.activeSeat.findResting(view, tray) ?? seat,
      away: viewed !== null && viewed !== seat,
      kept: keptDice.places,
      rolloffDice: keptDice.rolloffDice,
      slots: pad?.diceEntry.findSlots(view, tray) ?? null,
      finalDice: pad?.entersFinalDice(view, tray) ?? false,
      isHandedOver,
      late: this.lateSeeds.latePlayers,
    });
  }

  get canAct() {
    return this.model?.mine && !this.model.over;
  }

  draw() {
    if (!this.position || !connection.room) return;
    const focus = [this, this.undoButton, this.hintButton].some((one) => one?.contains(document.activeElement))
      ? getFocused()
      : null;
    const model = this.buildModel();
    this.model = model;
    for (const part of [this.players, this.board, this.tray]) part.draw(model);
    this.tray.element.hidden = model.over;
    this.pad?.draw(model);
    this.end.draw(model);
    this.undoButton.disabled = !(this.pad ? this.pad.canUndo : model.view.undo !== null);
    this.hintButton.disabled = !this.coach.canAsk;
    this.coach.draw(model);
    this.narrator.updateTitles(model, isBigScreen());
    keepAwake(!model.over);
    this.restoreFocus(focus, model);
  }

  /**
   * The focus follows the turn, and is never lost with something that went away.
   * @param {HTMLElement | null} focus
   * @param {TableModel} model
   */
  restoreFocus(focus, { mine, over }) {
    const cell = focus?.matches(".cell") ? focus : null;
    const gone = focus && (focus.matches(":disabled") || focus.getClientRects().length === 0);
    if (over && (gone || !this.wasOver)) this.end.element.focus({ preventScroll: true });
    else if (cell && mine && !cell.dataset.box) this.board.updateTabStop()?.focus({ preventScroll: true });
    else if (gone) this.tray.focusTarget.focus({ preventScroll: true });
    this.wasOver = over;
  }

  /**
   * Shows another player's sheet; where everybody plays at once and the seat is ours, its tray too.
   * @param {number} seat
   */
  showSeat(seat) {
    if (!this.pad?.activeSeat.activate(seat)) this.shownSeat.view(seat);
  }
}

customElements.define("knobel-table", TablePage);
