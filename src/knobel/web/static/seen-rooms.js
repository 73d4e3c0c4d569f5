/* Rooms as they were seen last, so that a page opened without the server can still show them. */

import { connection } from "./connection.js";

const KEY = "knobel.room.";
const MAX_ROOMS = 6;
let isRestored = false;

// Remembers every position, and shows the last one where a room is opened and the server does not answer.
export function rememberRooms() {
  connection.on("position", save);
  connection.on("state", (state) => {
    if (state === "lost" && connection.entering && connection.roomId) restore(connection.roomId);
    if (state === "open") isRestored = false;
  });
}

// Whether what is shown is a memory: the server has not answered since the page was opened.
export function isMemory() {
  return isRestored;
}

function save() {
  const { roomId, room, gameInfo, sharedPosition } = connection;
  if (!roomId || !room || !gameInfo || !sharedPosition || isRestored) return;
  try {
    localStorage.setItem(KEY + roomId, JSON.stringify({ at: Date.now(), room, gameInfo, position: sharedPosition }));
    forgetOldest();
  } catch {
    /* then this room can only be seen with the server */
  }
}

function forgetOldest() {
  const all = Object.keys(localStorage).filter((key) => key.startsWith(KEY));
  if (all.length <= MAX_ROOMS) return;
  const age = (/** @type {string} */ key) => JSON.parse(localStorage.getItem(key) ?? "{}").at ?? 0;
  for (const key of all.sort((one, other) => age(other) - age(one)).slice(MAX_ROOMS)) localStorage.removeItem(key);
}

/** @param {string} roomId */
function restore(roomId) {
  const kept = JSON.parse(localStorage.getItem(KEY + roomId) ?? "null");
  if (!kept) return;
  isRestored = true;
  connection.handleRoom(kept.room);
  connection.setGame(kept.gameInfo);
  connection.setPosition(kept.position);
}
