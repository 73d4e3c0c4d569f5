/* The bar above every page: the way home, a title, buttons, and a menu. */

import { connection } from "./connection.js";
import { openMenu } from "./dialogs.js";
import { h, setChildren, setText, svg } from "./dom.js";
import { openHelp, openRules } from "./help.js";
import { navigate } from "./router.js";
import { openSettings } from "./settings.js";
import { t } from "./translations.js";

const bar = document.getElementById("bar");

// Fills the bar; "more" lists what the page adds to the menu. Returns how to change the line under the title.
export function setBar({ title, under = "", buttons = [], more = () => [] }) {
  const open = () => openMenu(dots, [...more(), ...listCommonItems()], t("bar.more"));
  const dots = h("button", { class: "quiet", "aria-label": t("bar.more"), "aria-haspopup": "menu", "data-act": "more", onclick: open }, "⋯");
  const titles = h("div", { class: "where" }, h("h1", {}, title), h("span", {}, under));
  const home = h("a", { class: "mark", href: "/", "aria-label": t("bar.home"), onclick: goHome }, drawLogo());
  setChildren(bar, home, titles, h("nav", { "aria-label": t("bar.tools") }, buttons, dots));
  return { setUnder: (text) => setText(titles.lastChild, text) };
}

function listCommonItems() {
  return [
    connection.gameInfo && { label: t("bar.rules"), act: openRules, hook: "rules" },
    { label: t("bar.help"), act: openHelp, hook: "help" },
    { label: t("bar.settings"), act: openSettings, hook: "settings" },
  ].filter(Boolean);
}

function drawLogo() {
  const spot = (x, y) => svg("circle", { cx: x, cy: y, r: 2 });
  return svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" },
    svg("rect", { x: 2, y: 2, width: 20, height: 20, rx: 5 }), spot(8, 8), spot(16, 16), spot(12, 12));
}

function goHome(event) {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  navigate("/");
}
