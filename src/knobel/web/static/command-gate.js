/* One command at a time: until the new position is here, or a refusal, further presses do nothing. */

import { connection } from "./connection.js";
import { showToast } from "./dialogs.js";
import { forgetPress } from "./press-guard.js";
import { asRefusal } from "./required.js";

const RELEASE_DELAY = 1000;

// Lets one command through; count() says how many events the shown game has.
export class CommandGate {
  /** @type {{ count: number | null | undefined } | null} */
  pending;

  /** @param {() => number | undefined} count */
  constructor(count) {
    this.count = count;
    this.pending = null;
  }

  get isBusy() {
    return this.pending !== null;
  }

  /**
   * Sends an intent; a refusal is shown unless isExpected(refusal) says that it was to be expected.
   * @param {Wire.Intent} intent
   * @param {(refused: Refusal) => boolean} [isExpected]
   */
  async send(intent, isExpected = () => false) {
    if (this.pending) return;
    const mine = { count: this.count() };
    this.pending = mine;
    try {
      await connection.sendIntent(intent);
      setTimeout(() => this.release(mine), RELEASE_DELAY);
    } catch (thrown) {
      const refused = asRefusal(thrown);
      this.release(mine);
      forgetPress();
      if (!isExpected(refused)) showToast(refused.text ?? String(refused));
    }
    if (this.count() !== mine.count) this.release(mine);
  }

  /**
   * Runs something slow; presses do nothing meanwhile.
   * @param {() => Promise<unknown>} work
   */
  async run(work) {
    if (this.pending) return;
    const mine = { count: null };
    this.pending = mine;
    await work().catch((refused) => showToast(refused.text ?? String(refused)));
    this.release(mine);
  }

  // A new position: what was wanted is done.
  update() {
    if (this.pending && this.pending.count !== this.count()) this.pending = null;
  }

  /** @param {CommandGate["pending"]} command */
  release(command) {
    if (this.pending === command) this.pending = null;
  }
}
