/* What this browser remembers about its people; nothing of it leaves the browser. */

const DEFAULTS = {
  theme: "auto", motion: "full", sound: false, faces: "pips", view: "usual", pace: 1, edition: null, text: null,
  family: [], name: "", rooms: [], guided: false, lang: null, ledger: false, each_throw: false,
};
const KEY = "knobel.prefs";
const listeners = new Map();
let kept = read();

// The preferences: get, set, and on(name, fn), which gives back how to stop listening.
export const prefs = {
  get: (name) => kept[name] ?? DEFAULTS[name] ?? null,
  set(name, value) {
    kept = { ...kept, [name]: value };
    try {
      localStorage.setItem(KEY, JSON.stringify(kept));
    } catch { /* a browser that keeps nothing still plays */ }
    told(name);
  },
  on(name, fn) {
    if (!listeners.has(name)) listeners.set(name, new Set());
    listeners.get(name).add(fn);
    return () => listeners.get(name).delete(fn);
  },
};

window.addEventListener("storage", (event) => {
  if (event.key !== KEY) return;
  kept = read();
  for (const name of listeners.keys()) told(name);
});

function told(name) {
  for (const fn of listeners.get(name) ?? []) fn(prefs.get(name));
}

function read() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}
