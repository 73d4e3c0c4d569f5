/* Listeners by name of an event. */

// Keeps listeners and calls them.
export class Emitter {
  #listeners = new Map();

  // Calls fn whenever something of this kind happens; returns a function that stops it.
  on(kind, fn) {
    if (!this.#listeners.has(kind)) this.#listeners.set(kind, new Set());
    this.#listeners.get(kind).add(fn);
    return () => this.#listeners.get(kind).delete(fn);
  }

  emit(kind, value) {
    for (const fn of [...(this.#listeners.get(kind) ?? [])]) fn(value);
  }
}
