/* Preferences and names remembered in this browser; none of them leave it. */

/** @type {Preferences} */
const DEFAULTS = {
  theme: "auto",
  motion: "full",
  sound: false,
  faces: "pips",
  view: "usual",
  pace: 1,
  edition: null,
  text: null,
  usual_players: [],
  name: "",
  rooms: [],
  guided: false,
  guided_rounds: false,
  lang: null,
  ledger: false,
  win_bar: false,
  win_bar_screen: false,
  win_levels: false,
  each_roll: false,
  known: [],
  bot: null,
  best: {},
  fill_last: false,
  shake: false,
  people: [],
  played: [],
  lessons: [],
  daily: {},
  streaks: {},
};
const STORAGE_KEY = "knobel.prefs";
/** @type {Map<keyof Preferences, Set<Function>>} */
const listeners = new Map();
/** @type {Partial<Preferences>} */
let stored = readStored();

// The preferences of this browser.
export const prefs = {
  /**
   * @template {keyof Preferences} K
   * @param {K} name
   * @returns {Preferences[K]}
   */
  get(name) {
    return stored[name] ?? DEFAULTS[name];
  },

  /**
   * @template {keyof Preferences} K
   * @param {K} name
   * @param {Preferences[K]} value
   */
  set(name, value) {
    stored = { ...stored, [name]: value };
    try {
      localStorage.setItem(STORAGE_KEY, JSON.stringify(stored));
    } catch {
      /* a browser that keeps nothing still plays */
    }
    notify(name);
  },

  /**
   * Calls fn with each new value; gives back how to stop listening.
   * @template {keyof Preferences} K
   * @param {K} name
   * @param {(value: Preferences[K]) => unknown} fn
   */
  on(name, fn) {
    const all = listeners.get(name) ?? new Set();
    listeners.set(name, all.add(fn));
    return () => {
      all.delete(fn);
    };
  },
};

window.addEventListener("storage", (event) => {
  if (event.key !== STORAGE_KEY) return;
  stored = readStored();
  for (const name of listeners.keys()) notify(name);
});

/** @param {keyof Preferences} name */
function notify(name) {
  for (const fn of listeners.get(name) ?? []) fn(prefs.get(name));
}

function readStored() {
  try {
    return upgrade(JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "{}"));
  } catch {
    return {};
  }
}

/**
 * Pages before wire version 3 had other names for two preferences.
 * @param {Partial<Preferences> & { family?: string[], each_throw?: boolean }} stored
 * @returns {Partial<Preferences>}
 */
function upgrade({ family: players, each_throw: eachRoll, ...found }) {
  return {
    ...(players && { usual_players: players }),
    ...(eachRoll !== undefined && { each_roll: eachRoll }),
    ...found,
  };
}
