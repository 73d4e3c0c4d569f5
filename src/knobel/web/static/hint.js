/* A hint on demand: the best move outlined on the table, in words on a slip, with what the next ones cost. */

import { h, wear } from "./dom.js";
import { toast } from "./ask.js";
import { cost, figure } from "./figures.js";
import { house } from "./house.js";
import { isThrow, keptIn } from "./model.js";
import { mayHelp } from "./consent.js";
import { t } from "./words.js";
import { aloud } from "./voice.js";

const SOON = 300;

wear("hint.css");

// Asks the coach for whoever's turn it is here, after having said what that means; gives the slip, or nothing.
export async function askHint(table) {
  const { view, tray } = table.model;
  const { ply } = view.seats[tray.seat];
  const same = () => table.isConnected && table.position.view.seats[tray.seat]?.ply === ply && table.position.view.game === view.game;
  if (!await mayHelp(view, tray.seat, "hint") || !same()) return null;
  const slip = new Slip(table, tray.seat, ply);
  const slow = setTimeout(() => slip.wait(), SOON);
  try {
    const found = await house.command({ do: "hint", room: house.roomId, seat: tray.seat });
    if (same() && !slip.gone && found.ply === ply && found.moves.length) return slip.show(found);
  } catch (refused) {
    toast(refused.text ?? String(refused));
  } finally {
    clearTimeout(slow);
  }
  slip.close();
  return null;
}

// Outlines a move on the table: the dice to keep, the box to choose, the button to press.
export function outline(root, action) {
  for (const one of root.querySelectorAll(".advised")) one.classList.remove("advised");
  if (action === null) return;
  const kept = isThrow(action) ? keptIn(action) : [];
  for (const place of kept) root.querySelector(`[data-die="${place}"]`)?.classList.add("advised");
  if (isThrow(action)) return;
  const box = CSS.escape(action.replace(/^[!/]/, ""));
  root.querySelector(`td:has(> [data-box="${box}"]), td[data-row="${box}"]`)?.classList.add("advised");
  if (!action.startsWith("stand")) return;
  const way = root.querySelector(`[data-act="${CSS.escape(action.replace(" ", "-"))}"]`) ?? root.querySelector("[data-act=throw]");
  way?.classList.add("advised");
}

class Slip {
  constructor(table, seat, ply) {
    this.table = table;
    this.seat = seat;
    this.ply = ply;
    this.element = h("aside", { class: "hint", role: "note", "aria-label": t("hint.hint") });
  }

  wait() {
    this.table.hinted = this;
    this.lay(h("p", { class: "best" }, t("hint.thinking")));
    aloud(t("hint.thinking"));
  }

  show({ moves, unit }) {
    const [best, ...next] = moves;
    this.action = best.action;
    this.said = t(`hint.best_${unit}`, { move: best.words, value: figure(best.value) });
    this.lay(h("p", { class: "best" }, h("b", {}, best.words), " ", h("small", {}, t(`hint.expects_${unit}`, { value: figure(best.value) }))),
      next.length > 0 && h("ul", { "aria-label": t("hint.next") }, next.map((one) => h("li", {}, one.words, " ", h("b", {}, cost(one.loss))))));
    aloud(this.said);
    return this;
  }

  lay(...children) {
    this.element.replaceChildren(...children.filter(Boolean), h("button", { class: "quiet", type: "button", "data-act": "close-hint", onclick: () => this.close() }, t("hint.close")));
    if (!this.element.isConnected) this.table.tray.element.append(this.element);
  }

  // Stays as long as nothing was moved.
  draw({ view, mine, seat }) {
    if (!mine || seat !== this.seat || view.seats[seat].ply !== this.ply) this.close();
    else if (this.action !== undefined) outline(this.table, this.action);
  }

  close() {
    this.gone = true;
    const held = this.element.contains(document.activeElement);
    this.element.remove();
    outline(this.table, null);
    if (held) this.table.tray.button.focus({ preventScroll: true });
    if (this.table.hinted === this) this.table.hinted = null;
  }
}
