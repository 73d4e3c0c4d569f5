/* The bar above every page: the way home, a title, buttons, and a menu. */

import { connection } from "./connection.js";
import { openMenu } from "./dialogs.js";
import { getPart, h, setChildren, setText, svg } from "./dom.js";
import { openHelp, openRules, openSettings } from "./late-dialogs.js";
import { compact } from "./required.js";
import { navigate } from "./router.js";
import { t } from "./translations.js";

const bar = getPart("bar");

/**
 * Fills the bar; "more" lists what the page adds to the menu. Returns how to change the line under the title.
 * @param {{ title: string, under?: string, buttons?: HTMLElement[], more?: () => MenuItem[] }} parts
 */
export function setBar({ title, under = "", buttons = [], more = () => [] }) {
  const open = () => openMenu(dots, [...more(), ...listCommonItems()], t("bar.more"));
  /** @type {HTMLButtonElement} */
  const dots = h(
    "button",
    { class: "quiet", "aria-label": t("bar.more"), "aria-haspopup": "menu", "data-act": "more", onclick: open },
    "⋯",
  );
  const underLine = h("span", {}, under);
  document.title = title === "Knobel" ? title : `${title} · Knobel`;
  const titles = h("div", { class: "titles" }, h("h1", {}, title), underLine);
  const home = h("a", { class: "mark", href: "/", "aria-label": t("bar.home"), onclick: goHome }, drawLogo());
  setChildren(bar, home, titles, h("nav", { "aria-label": t("bar.tools") }, buttons, dots));
  return { setUnder: (/** @type {string} */ text) => setText(underLine, text) };
}

function listCommonItems() {
  return compact([
    connection.gameInfo && { label: t("bar.rules"), act: () => openRules(), hook: "rules" },
    { label: t("bar.games"), act: () => navigate("/games"), hook: "games" },
    { label: t("bar.people"), act: () => navigate("/people"), hook: "people" },
    { label: t("bar.help"), act: openHelp, hook: "help" },
    { label: t("bar.settings"), act: openSettings, hook: "settings" },
  ]);
}

function drawLogo() {
  /** @type {(x: number, y: number) => SVGElement} */
  const spot = (x, y) => svg("circle", { cx: x, cy: y, r: 2 });
  return svg(
    "svg",
    { viewBox: "0 0 24 24", "aria-hidden": "true" },
    svg("rect", { x: 2, y: 2, width: 20, height: 20, rx: 5 }),
    spot(8, 8),
    spot(16, 16),
    spot(12, 12),
  );
}

/** @param {MouseEvent} event */
function goHome(event) {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  navigate("/");
}
