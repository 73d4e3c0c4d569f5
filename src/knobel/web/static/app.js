/* The door: which page is shown, in which light, in which language. */

import { fill, h, mark, svg, wear, write } from "./dom.js";
import { menu, toast } from "./ask.js";
import { house } from "./house.js";
import { language, loadWords, moreWords, t } from "./words.js";
import { prefs } from "./prefs.js";
import { openHelp, openRules } from "./guide.js";
import { openSettings } from "./settings.js";
import "./home.js";

const page = document.getElementById("page");
const head = document.getElementById("bar");
let lobbyAfter = null;
let watched = null;

// Goes to another page of the house.
export function go(path) {
  if (path !== location.pathname) history.pushState(null, "", path);
  route();
}

// Fills the bar above every page: a title, a line under it, and buttons; "more" stands at the end by itself.
export function bar({ title, under = "", buttons = [], more = () => [] }) {
  const opened = () => menu(dots, [...more(), ...everywhere()], t("bar.more"));
  const dots = h("button", { class: "quiet", "aria-label": t("bar.more"), "aria-haspopup": "menu", "data-act": "more", onclick: opened }, "⋯");
  const where = h("div", { class: "where" }, h("h1", {}, title), h("span", {}, under));
  const home = h("a", { class: "mark", href: "/", "aria-label": t("bar.home"), onclick: homeward }, sign());
  fill(head, home, where, h("nav", { "aria-label": t("bar.tools") }, buttons, dots));
  return { under: (text) => write(where.lastChild, text) };
}

// Says whether this page is the big screen of a room: it shows everything and touches nothing.
export function isScreen() {
  return location.pathname.endsWith("/screen");
}

// Shows the lobby although a game that is over could still be shown.
export function toLobby() {
  lobbyAfter = house.room?.game;
  show();
}

function everywhere() {
  return [
    house.block && { label: t("bar.rules"), act: openRules, hook: "rules" },
    { label: t("bar.help"), act: openHelp, hook: "help" },
    { label: t("bar.settings"), act: openSettings, hook: "settings" },
  ].filter(Boolean);
}

function sign() {
  const spot = (x, y) => svg("circle", { cx: x, cy: y, r: 2 });
  return svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" },
    svg("rect", { x: 2, y: 2, width: 20, height: 20, rx: 5 }), spot(8, 8), spot(16, 16), spot(12, 12));
}

function homeward(event) {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  go("/");
}

async function route() {
  if (location.pathname.startsWith("/check/")) {
    house.leave();
    return put("knobel-check");
  }
  if (location.pathname.startsWith("/review/")) {
    house.leave();
    return put("knobel-review");
  }
  const room = location.pathname.match(/^\/room\/([^/]+?)(?:\/screen)?$/)?.[1];
  document.documentElement.toggleAttribute("data-screen", isScreen());
  if (isScreen()) await wear("views.css");
  if (!room) {
    house.leave();
    return put("knobel-home");
  }
  if (house.roomId === room && house.room) return show();
  try {
    await house.enter(decodeURIComponent(room));
  } catch (refused) {
    toast(refused.text);
    go("/");
  }
}

// A room shows its lobby until a game runs; afterwards the table, with the end on it, until somebody wants the lobby.
function show() {
  const { room, block, position } = house;
  if (!room || !location.pathname.startsWith("/room/")) return;
  if (room.running) lobbyAfter = null;
  if (room.running) watched = room.game;
  const looks = room.chairs.some((chair) => chair.yours) || watched === room.game || isScreen();
  const over = room.game && room.game !== lobbyAfter && looks;
  const table = room.running || over;
  if (table && !(block && position)) return page.firstElementChild ?? put(null);
  put(table ? "knobel-table" : "knobel-lobby");
}

function put(name) {
  if (name && page.firstElementChild?.localName === name) return;
  const later = { "knobel-lobby": layLobby, "knobel-table": layTable, "knobel-check": () => import("./check.js"), "knobel-review": () => import("./review.js") }[name];
  later?.().catch(() => setTimeout(() => location.reload(), 2000));
  const first = !document.body.dataset.page;
  document.body.dataset.page = name ? name.replace("knobel-", "") : "";
  fill(page, name && document.createElement(name));
  document.title = "Knobel";
  window.scrollTo(0, 0);
  if (!first) page.focus({ preventScroll: true });
}

// Lobby and table are fetched by the home once it stands, or here when somebody comes straight to them.
export async function layLobby() {
  await moreWords("lobby");
  return import("./lobby.js");
}

// Fetches the table.
export async function layTable() {
  await moreWords("table");
  return import("./table.js");
}

function light() {
  const theme = prefs.get("theme");
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

function eyes() {
  const children = prefs.get("view") === "children";
  if (children) wear("views.css");
  mark(document.documentElement, "data-view", children ? "children" : null);
}

function motion() {
  document.documentElement.dataset.motion = prefs.get("motion");
}

function linked(state) {
  const line = document.getElementById("lost");
  clearTimeout(linked.soon);
  if (state === "open") line.hidden = true;
  else linked.soon = setTimeout(() => { line.hidden = false; write(line, house.lostWords?.() ?? t("bar.reconnecting")); }, 400);
}

// Speaks another language from now on: the page is drawn anew, whatever lies on the table stays.
async function speak(lang) {
  if (lang === language()) return;
  try {
    await Promise.all([loadWords(lang), house.greet(lang)]);
  } catch {
    return toast(t("bar.reconnecting"));
  }
  fill(page);
  house.speak(language());
  route();
}

async function start() {
  light();
  motion();
  eyes();
  prefs.on("theme", light);
  prefs.on("view", eyes);
  prefs.on("motion", motion);
  const lang = prefs.get("lang");
  try {
    await Promise.all([loadWords(lang), house.start(lang)]);
  } catch {
    setTimeout(start, 1000);
    return;
  }
  prefs.on("lang", speak);
  house.on("link", linked);
  house.on("refused", ({ text }) => toast(text));
  for (const kind of ["room", "block", "position"]) house.on(kind, show);
  window.addEventListener("popstate", route);
  route();
}

start();
