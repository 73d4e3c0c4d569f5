/* Opens rooms and begins games; waits for devices that have not committed to a seed yet. */

import * as api from "./api.js";
import { newCommandId } from "./commands.js";
import { connection } from "./connection.js";
import { asRefusal } from "./required.js";

const SEAL_WAIT = 700;

/**
 * Opens a room, and begins at once if asked; resolves with its id.
 * @param {Settings} settings
 * @param {Wire.OpenRequest["seats"]} seats
 * @param {boolean} begin
 */
export async function openRoom(settings, seats, begin) {
  const room = await api.openRoom(newCommandId(), settings, seats, connection.lang);
  if (begin) await enterAndBegin(room).catch((refused) => connection.emit("refused", refused));
  return room;
}

/**
 * Opens a room in which a finished game goes on, and begins; resolves with its id.
 * @param {Omit<Wire.ContinueRequest, "id">} from
 */
export async function continueFinishedGame(from) {
  const room = await api.openRoomFromGame(newCommandId(), from, connection.lang);
  await enterAndBegin(room).catch((refused) => connection.emit("refused", refused));
  return room;
}

/** @param {string} roomId */
async function enterAndBegin(roomId) {
  const room = await connection.enterRoom(roomId);
  if (!room.sealed && room.seats.some((one) => one.yours)) {
    /** @type {Promise<void>} */
    const isSealed = new Promise((sealed) => {
      const stop = connection.on("room", (view) => {
        if (view.sealed) {
          stop();
          sealed();
        }
      });
    });
    await isSealed;
  }
  return connection.sendIntent({ want: "begin" });
}

/**
 * Begins the next game of the room; where a device has not promised its seed, waits a moment, then asks by confirm(refusal).
 * @param {(refused: Refusal) => Promise<boolean>} confirm
 * @returns {Promise<unknown>}
 */
export async function beginGame(confirm) {
  for (const isLast of [false, true]) {
    try {
      return await connection.sendIntent({ want: "begin" });
    } catch (refused) {
      if (asRefusal(refused).code !== "seeds_missing") throw refused;
      if (isLast)
        return (await confirm(asRefusal(refused))) ? connection.sendIntent({ want: "begin", anyway: true }) : null;
      await new Promise((later) => setTimeout(later, SEAL_WAIT));
    }
  }
}
