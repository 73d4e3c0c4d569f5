/* A short reason beside the thing it is about. */

import { getPart, h, setText } from "./dom.js";
import { readAloud } from "./live-region.js";

/** @type {HTMLElement | null} */
let tooltip = null;
let timer = 0;

/**
 * Shows why, at an element, for a few seconds; aloud, where the element has not said it itself.
 * @param {Element} at
 * @param {string} text
 * @param {boolean} [said]
 */
export function showTooltip(at, text, said = true) {
  tooltip ??= h("p", { class: "tooltip" });
  if (!tooltip.isConnected) getPart("page").append(tooltip);
  if (said) readAloud(text);
  tooltip.hidden = false;
  setText(tooltip, text);
  const box = at.getBoundingClientRect();
  const size = tooltip.getBoundingClientRect();
  const top = box.top - size.height - 6 > 8 ? box.top - size.height - 6 : box.bottom + 6;
  tooltip.style.setProperty("top", `${top}px`);
  tooltip.style.setProperty("left", `${Math.max(8, Math.min(box.right - size.width, innerWidth - size.width - 8))}px`);
  clearTimeout(timer);
  timer = setTimeout(hideTooltip, 3000 + 50 * text.length);
}

// Hides the reason; returns whether one was shown.
export function hideTooltip() {
  const shown = tooltip !== null && !tooltip.hidden;
  if (tooltip) tooltip.hidden = true;
  return shown;
}
