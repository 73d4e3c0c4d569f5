/* What the server last said about the room we are in. */

import { Emitter } from "./emitter.js";

/**
 * Emits "room", "game", "position" and "solving".
 * @extends {Emitter<ConnectionEvents>}
 */
export class RoomState extends Emitter {
  /** @type {Position | null} */
  position;
  /** @type {PositionMessage | null} */
  sharedPosition;
  /** @type {GameInfo | null} */
  gameInfo;
  /** @type {Wire.SolvingMessage | null} */
  solveProgress;
  /** @type {Wire.RoomView | null} */
  room;

  constructor() {
    super();
    this.clearRoom();
  }

  clearRoom() {
    this.room = this.solveProgress = null;
    this.clearGame();
  }

  clearGame() {
    this.gameInfo = this.sharedPosition = this.position = null;
  }

  /**
   * What is yours comes with the room: where that changes, the position changes for us too.
   * @param {Wire.RoomView} view
   */
  setRoom(view) {
    this.room = view;
    const before = this.position;
    const after = this.sharedPosition && personalize(this.sharedPosition, view);
    if (before) this.position = after;
    this.emit("room", view);
    if (before && after && describeOwn(before) !== describeOwn(after)) this.emit("position", after);
  }

  /** @param {GameInfo} gameInfo */
  setGame(gameInfo) {
    if (this.position && this.position.view.game !== gameInfo.game) this.clearGame();
    this.gameInfo = gameInfo;
    this.emit("game", gameInfo);
  }

  /** @param {PositionMessage} message */
  setPosition(message) {
    this.sharedPosition = message;
    this.position = personalize(message, this.room);
    this.emit("position", this.position);
  }

  /** @param {Wire.SolvingMessage} message */
  setSolveProgress(message) {
    this.solveProgress = message;
    this.emit("solving", message);
  }
}

/**
 * Adds to a position, which is the same for everybody, what is this device's: its seats, and what it can undo.
 * @param {PositionMessage} position
 * @param {Wire.RoomView | null} room
 * @returns {Position}
 */
function personalize(position, room) {
  /** @type {(seat: number) => boolean} */
  const isYours = (seat) => Boolean(room?.seats[seat]?.yours);
  const { view } = position;
  return {
    ...position,
    view: {
      ...view,
      undo: view.undo.find(isYours) ?? null,
      seats: view.seats.map((seat, place) => ({ ...seat, yours: isYours(place) })),
    },
  };
}

/** @param {Position} position */
function describeOwn({ view }) {
  return JSON.stringify([view.undo, view.seats.map((seat) => seat.yours)]);
}
