/* A short reason beside the thing it is about. */

import { h, write } from "./dom.js";
import { aloud } from "./voice.js";

let tip = null;
let timer = 0;

// Shows why, at an element, for a few seconds; aloud, where the element has not said it itself.
export function showTip(at, text, said = true) {
  tip ??= h("p", { class: "tip" });
  if (!tip.isConnected) document.querySelector("main").append(tip);
  if (said) aloud(text);
  tip.hidden = false;
  write(tip, text);
  const box = at.getBoundingClientRect();
  const size = tip.getBoundingClientRect();
  const top = box.top - size.height - 6 > 8 ? box.top - size.height - 6 : box.bottom + 6;
  tip.style.setProperty("top", `${top}px`);
  tip.style.setProperty("left", `${Math.max(8, Math.min(box.right - size.width, innerWidth - size.width - 8))}px`);
  clearTimeout(timer);
  timer = setTimeout(hideTip, 3000 + 50 * text.length);
}

// Takes the reason away; says whether there was one.
export function hideTip() {
  const shown = tip !== null && !tip.hidden;
  if (tip) tip.hidden = true;
  return shown;
}
