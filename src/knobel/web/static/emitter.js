/* Listeners by name of an event. */

/**
 * Keeps listeners and calls them.
 * @template {object} Events
 */
export class Emitter {
  /** @type {Map<keyof Events, Set<Function>>} */
  #listeners = new Map();

  /**
   * Calls fn whenever something of this kind happens; returns a function that stops it.
   * @template {keyof Events} K
   * @param {K} kind
   * @param {(value: Events[K]) => unknown} fn
   * @returns {() => void}
   */
  on(kind, fn) {
    const all = this.#listeners.get(kind) ?? new Set();
    this.#listeners.set(kind, all.add(fn));
    return () => {
      all.delete(fn);
    };
  }

  /**
   * @template {keyof Events} K
   * @param {K} kind
   * @param {Events[K]} value
   */
  emit(kind, value) {
    for (const fn of [...(this.#listeners.get(kind) ?? [])]) fn(value);
  }
}
