/* Shaking the device rolls the dice, where somebody has switched that on. */

import { prefs } from "./prefs.js";

const STRONG = 13;
const SWINGS = 3;
const WITHIN_MS = 900;
const PAUSE_MS = 1500;

/** @typedef {typeof DeviceMotionEvent & { requestPermission?: () => Promise<string> }} AskableMotion */

// Whether this device can feel being shaken: browsers tell that only to pages they trust.
export function canShake() {
  return isSecureContext && "DeviceMotionEvent" in window && matchMedia("(pointer: coarse)").matches;
}

/**
 * Asks for the sensor where the browser wants that; must be called by a tap.
 * @returns {Promise<boolean>}
 */
export async function allowShaking() {
  const { requestPermission } = /** @type {AskableMotion} */ (DeviceMotionEvent);
  return !requestPermission || (await requestPermission.call(DeviceMotionEvent).catch(() => "denied")) === "granted";
}

// Calls roll() when the device is shaken, as long as that is wanted.
export class ShakeToRoll {
  /** @type {number[]} */
  swings = [];
  restingUntil = 0;

  /** @param {() => unknown} roll */
  constructor(roll) {
    this.roll = roll;
    this.listen = (/** @type {DeviceMotionEvent} */ event) => this.feel(event);
    this.unsubscribe = prefs.on("shake", () => this.update());
    this.update();
  }

  update() {
    removeEventListener("devicemotion", this.listen);
    if (prefs.get("shake")) addEventListener("devicemotion", this.listen);
  }

  stop() {
    this.unsubscribe();
    removeEventListener("devicemotion", this.listen);
  }

  /** @param {DeviceMotionEvent} event */
  feel({ acceleration, timeStamp }) {
    const { x, y, z } = acceleration ?? {};
    if (Math.hypot(x ?? 0, y ?? 0, z ?? 0) < STRONG || timeStamp < this.restingUntil) return;
    this.swings = [...this.swings.filter((at) => timeStamp - at < WITHIN_MS), timeStamp];
    if (this.swings.length < SWINGS) return;
    this.swings = [];
    this.restingUntil = timeStamp + PAUSE_MS;
    this.roll();
  }
}
