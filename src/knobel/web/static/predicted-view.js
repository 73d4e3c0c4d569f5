/* Predicted, not known: what the position will be once everything that waits on this device has arrived, as far as that
   can be said without the rules. The server's position replaces it as soon as it comes. Nothing else in the browser
   works out a phase of its own. */

import { readAction, writeScore } from "./notation.js";

// The phase of a tray that waits for the server: only here, and only predicted.
const WAITING = "waiting";

// Predicts for one table what its queue will do; gameInfo says whether boxes are announced first.
export class PredictedView {
  /** @type {Map<number, BoxOption[]>} */
  openOptions;

  /**
   * @param {IntentQueue} queue
   * @param {GameInfo} gameInfo
   */
  constructor(queue, gameInfo) {
    this.queue = queue;
    this.gameInfo = gameInfo;
    this.openOptions = new Map();
  }

  /**
   * Remembers what every open column can take before dice lie there.
   * @param {GameView} view
   */
  remember(view) {
    for (const { seat, dice, announced = null, options = [] } of view.trays)
      if (!dice.length && announced === null) this.openOptions.set(seat, options);
  }

  /**
   * The position as it will be; the same view where nothing waits.
   * @param {GameView} view
   * @returns {GameView}
   */
  predict(view) {
    const pending = view.seats.map((_, seat) => this.queue.pendingFor(view, seat));
    if (!pending.some((items) => items.length)) return view;
    const seats = view.seats.map((seat, place) => ({
      ...seat,
      waits: Object.fromEntries(pending[place].filter((item) => item.box).map((item) => [item.box, item.shown])),
    }));
    return {
      ...view,
      seats,
      trays: view.trays.map((tray) =>
        pending[tray.seat].reduce((now, item) => this.predictTray(now, item, view, pending[tray.seat]), tray),
      ),
    };
  }

  /**
   * @param {Tray} tray
   * @param {QueuedItem} item
   * @param {GameView} view
   * @param {QueuedItem[]} pending
   * @returns {Tray}
   */
  predictTray(tray, { intent, box }, view, pending) {
    const empty = { ...tray, phase: "roll", dice: [], rolled: 0 };
    const open = this.openOptions.get(tray.seat) ?? [];
    if (intent.want === "undo") return tray.dice.length ? { ...empty, options: open } : tray;
    if (box && view.free)
      return {
        ...empty,
        turn: tray.turn + 1,
        phase: this.gameInfo.announced ? "announce" : "roll",
        announced: null,
        options: open.filter((one) => one.box !== box && !pending.some((item) => item.box === one.box)),
      };
    const action = readAction(intent.action);
    if (action?.kind === "announce")
      return {
        ...empty,
        announced: action.box,
        options: (tray.options ?? [])
          .filter((one) => one.box === action.box)
          .map((one) => ({ ...one, scores: one.scores.length ? one.scores : one.anyway, anyway: [] })),
      };
    if (action?.kind === "enter_dice") return predictDice(tray, { ...empty, dice: action.dice ?? [] });
    return waitingFor(empty);
  }
}

/**
 * Dice were entered: where boxes are open any of them may take them, what it would score only the server knows.
 * @param {Tray} tray
 * @param {Tray} lying
 * @returns {Tray}
 */
function predictDice(tray, lying) {
  if (tray.phase === "rolloff" || !tray.options?.length) return waitingFor(lying);
  const unknown = {
    points: null,
    extra: 0,
    refusal: null,
    warn_zero: false,
    can_cross_out: false,
    scores: [],
    anyway: [],
  };
  return {
    ...lying,
    phase: "fill",
    options: tray.options.map((one) => ({ ...one, ...unknown, action: writeScore(one.box) })),
  };
}

/**
 * @param {Tray} now
 * @returns {Tray}
 */
function waitingFor(now) {
  return { ...now, phase: WAITING, options: [], stands: [] };
}

/**
 * Whether a tray waits for the server.
 * @param {Tray} tray
 */
export function isWaiting(tray) {
  return tray.phase === WAITING;
}
