/* One command at a time: until the new position is here, or a refusal, further presses do nothing. */

import { connection } from "./connection.js";
import { showToast } from "./dialogs.js";

const DOUBLE_PRESS_MS = 400;
const RELEASE_DELAY = 1000;

// Lets one command through; count() says how many events the shown game has.
export class CommandGate {
  constructor(count) {
    this.count = count;
    this.pending = null;
    this.forgetPress();
  }

  get isBusy() {
    return this.pending !== null;
  }

  // Sends an intent; a refusal is shown unless isExpected(refusal) says that it was to be expected.
  async send(intent, isExpected = () => false) {
    if (this.pending) return;
    const mine = this.pending = { count: this.count() };
    try {
      await connection.sendIntent(intent);
      setTimeout(() => this.release(mine), RELEASE_DELAY);
    } catch (refused) {
      this.release(mine);
      this.forgetPress();
      if (!isExpected(refused)) showToast(refused.text ?? String(refused));
    }
    if (this.count() !== mine.count) this.release(mine);
  }

  // Runs something slow; presses do nothing meanwhile.
  async run(work) {
    if (this.pending) return;
    const mine = this.pending = { count: null };
    await work().catch((refused) => showToast(refused.text ?? String(refused)));
    this.release(mine);
  }

  // A new position: what was wanted is done.
  update() {
    if (this.pending && this.pending.count !== this.count()) this.pending = null;
  }

  // Whether a press is the second of a double press: a player must see the dice before rolling again.
  isDoublePress(event) {
    const since = event.timeStamp - this.lastPressAt;
    return since < DOUBLE_PRESS_MS / 2 || (since < DOUBLE_PRESS_MS && event.detail > 1);
  }

  rememberPress(event) {
    this.lastPressAt = event.timeStamp;
  }

  forgetPress() {
    this.lastPressAt = -DOUBLE_PRESS_MS;
  }

  release(command) {
    if (this.pending === command) this.pending = null;
  }
}
