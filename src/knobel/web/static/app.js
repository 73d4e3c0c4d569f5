/* Starts the app: theme, language, the connection, and the first page. */

import { connection } from "./connection.js";
import { showToast } from "./dialogs.js";
import { loadStylesheet, setAttribute } from "./dom.js";
import { startOfflineBanner } from "./offline-banner.js";
import { prefs } from "./prefs.js";
import { redrawPage, startRouter } from "./router.js";
import { getLanguage, loadParts, loadTranslations, t } from "./translations.js";
import "./home.js";

const MAX_ROOMS = 12;
const RETRY_DELAY = 1000;
const PAGES = {
  "knobel-home": () => import("./home.js"),
  "knobel-lobby": () => loadParts("lobby").then(() => import("./lobby.js")),
  "knobel-table": () => loadParts("table").then(() => import("./table.js")),
  "knobel-check": () => import("./dice-check.js"),
  "knobel-review": () => import("./review.js"),
};

function applyTheme() {
  const theme = prefs.get("theme");
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

function applyView() {
  const children = prefs.get("view") === "children";
  if (children) loadStylesheet("views.css");
  setAttribute(document.documentElement, "data-view", children ? "children" : null);
}

function applyMotion() {
  document.documentElement.dataset.motion = prefs.get("motion");
}

// Redraws the page in another language; the game is not affected.
async function changeLanguage(lang) {
  if (lang === getLanguage()) return;
  try {
    await Promise.all([loadTranslations(lang), connection.fetchServerInfo(lang)]);
  } catch {
    return showToast(t("bar.reconnecting"));
  }
  connection.setLanguage(getLanguage());
  redrawPage();
}

function rememberRoom({ id }) {
  const rooms = prefs.get("rooms");
  if (rooms[0] !== id) prefs.set("rooms", [id, ...rooms.filter((one) => one !== id)].slice(0, MAX_ROOMS));
}

async function start() {
  for (const [name, apply] of [["theme", applyTheme], ["motion", applyMotion], ["view", applyView]]) {
    apply();
    prefs.on(name, apply);
  }
  const lang = prefs.get("lang");
  try {
    await Promise.all([loadTranslations(lang), connection.start(lang)]);
  } catch {
    setTimeout(start, RETRY_DELAY);
    return;
  }
  prefs.on("lang", changeLanguage);
  connection.on("refused", ({ text }) => showToast(text));
  connection.on("room", rememberRoom);
  startOfflineBanner();
  startRouter(PAGES);
}

start();
