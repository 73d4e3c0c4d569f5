/* Starts the app: theme, language, the connection, and the first page. */

import { connection } from "./connection.js";
import { onUnproven } from "./device-secret.js";
import { showToast } from "./dialogs.js";
import { loadStylesheet, setAttribute } from "./dom.js";
import { startOfflineBanner } from "./offline-banner.js";
import { prefs } from "./prefs.js";
import { redrawPage, startRouter } from "./router.js";
import { rememberRooms } from "./seen-rooms.js";
import { getLanguage, loadParts, loadTranslations, t } from "./translations.js";
import "./home.js";

const MAX_ROOMS = 12;
const RETRY_DELAY = 1000;
const PAGES = {
  "knobel-home": () => import("./home.js"),
  "knobel-lobby": () =>
    Promise.all([
      loadParts("lobby"),
      loadStylesheet("lobby.css"),
      loadStylesheet("evening.css"),
      loadStylesheet("bots.css"),
    ]).then(() => import("./lobby.js")),
  "knobel-table": () => loadParts("table").then(() => import("./table.js")),
  "knobel-check": () => import("./dice-check.js"),
  "knobel-review": () => import("./review.js"),
  "knobel-house-rules": () =>
    Promise.all([loadParts("make"), loadStylesheet("house-rules.css")]).then(() => import("./house-rules-page.js")),
  "knobel-games": () => loadYourPage("games", "past").then(() => import("./games-page.js")),
  "knobel-people": () => loadYourPage("people").then(() => import("./people-page.js")),
  "knobel-statistics": () => loadYourPage("statistics").then(() => import("./statistics-page.js")),
  "knobel-practice": () =>
    Promise.all([
      loadYourPage("practice", "review", "table"),
      loadStylesheet("review.css"),
      loadStylesheet("practice.css"),
    ]).then(() => import("./practice-page.js")),
  "knobel-tournament": () =>
    Promise.all([
      loadParts("tournament", "lobby"),
      loadStylesheet("lobby.css"),
      loadStylesheet("your-games.css"),
      loadStylesheet("tournament.css"),
    ]).then(() => import("./tournament-page.js")),
  "knobel-missing": () => import("./missing-page.js"),
};

/**
 * Fetches what the pages about people need before they are drawn.
 * @param {...string} parts
 */
function loadYourPage(...parts) {
  return Promise.all([loadParts(...parts), ...["inks.css", "memory.css", "your-games.css"].map(loadStylesheet)]);
}

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

/**
 * Redraws the page in another language; the game is not affected.
 * @param {string | null} lang
 */
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

/** @param {Wire.RoomView} room */
function rememberRoom({ id }) {
  const rooms = prefs.get("rooms");
  if (rooms[0] !== id) prefs.set("rooms", [id, ...rooms.filter((one) => one !== id)].slice(0, MAX_ROOMS));
}

// Lets the page open without the server, where the browser allows that: on this machine, or by https.
function keepForOffline() {
  if (isSecureContext && "serviceWorker" in navigator)
    navigator.serviceWorker.register("/service-worker.js").catch(() => {});
}

async function start() {
  for (const apply of [applyTheme, applyMotion, applyView]) apply();
  prefs.on("theme", applyTheme);
  prefs.on("motion", applyMotion);
  prefs.on("view", applyView);
  const lang = prefs.get("lang");
  try {
    await Promise.all([loadTranslations(lang), connection.fetchServerInfo(lang)]);
  } catch {
    setTimeout(start, RETRY_DELAY);
    return;
  }
  prefs.on("lang", changeLanguage);
  connection.on("refused", ({ text }) => showToast(text ?? ""));
  connection.on("room", rememberRoom);
  onUnproven((text) => import("./recovery.js").then(({ askAfterLostSecret }) => askAfterLostSecret(text)));
  connection.socket.listenToPage();
  startOfflineBanner();
  rememberRooms();
  keepForOffline();
  startRouter(PAGES);
}

start();
