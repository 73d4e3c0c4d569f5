/* What the server last said about the room we are in. */

import { Emitter } from "./emitter.js";

// Emits "room", "game", "position" and "solving".
export class RoomState extends Emitter {
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

  // What is yours comes with the room: where that changes, the position changes for us too.
  setRoom(view) {
    this.room = view;
    const before = this.position;
    if (before) this.position = personalize(this.sharedPosition, view);
    this.emit("room", view);
    if (before && describeOwn(before) !== describeOwn(this.position)) this.emit("position", this.position);
  }

  setGame(gameInfo) {
    if (this.position && this.position.view.game !== gameInfo.game) this.clearGame();
    this.gameInfo = gameInfo;
    this.emit("game", gameInfo);
  }

  setPosition(message) {
    this.sharedPosition = message;
    this.position = personalize(message, this.room);
    this.emit("position", this.position);
  }

  setSolveProgress(message) {
    this.solveProgress = message;
    this.emit("solving", message);
  }
}

// Adds to a position, which is the same for everybody, what is this device's: its seats, and what it can undo.
function personalize(position, room) {
  const isYours = (seat) => Boolean(room?.seats[seat]?.yours);
  const { view } = position;
  return { ...position, view: { ...view, undo: view.undo.find(isYours) ?? null, seats: view.seats.map((seat, place) => ({ ...seat, yours: isYours(place) })) } };
}

function describeOwn({ view }) {
  return JSON.stringify([view.undo, view.seats.map((seat) => seat.yours)]);
}
