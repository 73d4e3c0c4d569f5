/* Preferences and names remembered in this browser; none of them leave it. */

const DEFAULTS = {
  theme: "auto", motion: "full", sound: false, faces: "pips", view: "usual", pace: 1, edition: null, text: null,
  usual_players: [], name: "", rooms: [], guided: false, lang: null, ledger: false, each_roll: false,
};
const STORAGE_KEY = "knobel.prefs";
const listeners = new Map();
let stored = readStored();

// The preferences: get, set, and on(name, fn), which gives back how to stop listening.
export const prefs = {
  get: (name) => stored[name] ?? DEFAULTS[name] ?? null,
  set(name, value) {
    stored = { ...stored, [name]: value };
    try {
      localStorage.setItem(STORAGE_KEY, JSON.stringify(stored));
    } catch { /* a browser that keeps nothing still plays */ }
    notify(name);
  },
  on(name, fn) {
    if (!listeners.has(name)) listeners.set(name, new Set());
    listeners.get(name).add(fn);
    return () => listeners.get(name).delete(fn);
  },
};

window.addEventListener("storage", (event) => {
  if (event.key !== STORAGE_KEY) return;
  stored = readStored();
  for (const name of listeners.keys()) notify(name);
});

function notify(name) {
  for (const fn of listeners.get(name) ?? []) fn(prefs.get(name));
}

function readStored() {
  try {
    return upgrade(JSON.parse(localStorage.getItem(STORAGE_KEY)) ?? {});
  } catch {
    return {};
  }
}

// Pages before wire version 3 had other names for two preferences.
function upgrade({ family: players, each_throw: eachRoll, ...found }) {
  return { ...(players && { usual_players: players }), ...(eachRoll !== undefined && { each_roll: eachRoll }), ...found };
}
