/* Decides which page is shown, and navigates. Knows pages only by the names of their elements. */

import { connection } from "./connection.js";
import { showToast } from "./dialogs.js";
import { getPart, h, loadStylesheet, setChildren } from "./dom.js";
import { asRefusal } from "./required.js";

const RELOAD_DELAY = 2000;
const PLACEHOLDERS = 3;
/** @type {[RegExp, string][]} */
const ADDRESSES = [
  [/^\/$/, "knobel-home"],
  [/^\/house-rules$/, "knobel-house-rules"],
  [/^\/check\//, "knobel-check"],
  [/^\/review\//, "knobel-review"],
  [/^\/games$/, "knobel-games"],
  [/^\/people$/, "knobel-people"],
  [/^\/statistics$/, "knobel-statistics"],
  [/^\/practice$/, "knobel-practice"],
  [/^\/tournament(\/[^/]+)?$/, "knobel-tournament"],
];
const page = getPart("page");
/** @type {Record<string, () => Promise<unknown>>} */
let loaders = {};
/** @type {string | null | undefined} */
let lobbyWantedAfter = null;
let shownPath = "";

/**
 * Goes to another page.
 * @param {string} path
 */
export function navigate(path) {
  if (path !== location.pathname) history.pushState(null, "", path);
  showRoute();
}

/**
 * Follows a link to another page without loading it anew, unless a tab of its own is wanted.
 * @param {MouseEvent} event
 * @param {string} path
 */
export function followLink(event, path) {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  navigate(path);
}

// Whether this page is the big screen of a room: it shows everything and cannot act.
export function isBigScreen() {
  return location.pathname.endsWith("/screen");
}

// Shows the lobby although a game that is over could still be shown.
export function showLobby() {
  lobbyWantedAfter = connection.room?.game;
  showRoom();
}

// Fetches the pages of a room before they are needed.
export function preloadRoomPages() {
  return Promise.all(["knobel-lobby", "knobel-table"].map((name) => loaders[name]()));
}

/**
 * Listens to addresses and to the room, and shows the first page; pages are functions that fetch one, by its element.
 * @param {Record<string, () => Promise<unknown>>} pages
 */
export function startRouter(pages) {
  loaders = pages;
  connection.on("room", showRoom);
  connection.on("game", showRoom);
  connection.on("position", showRoom);
  window.addEventListener("popstate", showRoute);
  return showRoute();
}

// Shows the page of the address.
export async function showRoute() {
  const room = location.pathname.match(/^\/room\/([^/]+?)(?:\/screen)?$/)?.[1];
  document.documentElement.toggleAttribute("data-screen", Boolean(room) && isBigScreen());
  if (!room) {
    connection.leaveRoom();
    const [, page] = ADDRESSES.find(([address]) => address.test(location.pathname)) ?? [null, "knobel-missing"];
    return showPage(page, location.pathname);
  }
  if (isBigScreen()) await loadStylesheet("views.css");
  const id = decodeURIComponent(room);
  if (connection.roomId === id && connection.room) return showRoom();
  try {
    await connection.enterRoom(id);
  } catch (refused) {
    showToast(asRefusal(refused).text ?? "");
    navigate("/");
  }
}

// Draws the page anew, as in another language.
export function redrawPage() {
  setChildren(page);
  return showRoute();
}

// A room shows its lobby until a game runs; afterwards the table, with the end on it, until the lobby is asked for.
function showRoom() {
  const { room, gameInfo, position } = connection;
  if (!room || !location.pathname.startsWith("/room/")) return;
  if (room.running) lobbyWantedAfter = null;
  const isTable = room.running || (room.game && room.game !== lobbyWantedAfter);
  if (isTable && !(gameInfo && position)) {
    if (!page.firstElementChild) showPage(null);
    return;
  }
  showPage(isTable ? "knobel-table" : "knobel-lobby");
}

/**
 * @param {string | null} name
 * @param {string} [path] The address it shows, if one page shows several.
 */
function showPage(name, path = "") {
  if (name && page.firstElementChild?.localName === name && path === shownPath) return;
  shownPath = path;
  if (name) loaders[name]().catch(() => setTimeout(() => location.reload(), RELOAD_DELAY));
  const { dataset } = document.documentElement;
  const isFirst = !dataset.page;
  dataset.page = name ? name.replace("knobel-", "") : "";
  setChildren(page, name ? setChildren(document.createElement(name), buildPlaceholders()) : buildPlaceholders());
  document.title = "Knobel";
  window.scrollTo(0, 0);
  if (!isFirst) page.focus({ preventScroll: true });
}

// What stands on a page until it draws itself: its module and its words may still be on their way.
function buildPlaceholders() {
  return h(
    "div",
    { class: "first-sight", "aria-hidden": "true" },
    Array.from({ length: PLACEHOLDERS }, () => h("div", { class: "placeholder" })),
  );
}
