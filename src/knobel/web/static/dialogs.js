/* Toasts, confirmation dialogs, and menus that open at their button. */

import { find, findAll, getFocused, h } from "./dom.js";
import { readAloud } from "./live-region.js";
import { t } from "./translations.js";

/**
 * Which button opened a menu.
 * @type {WeakMap<Element, HTMLElement>}
 */
const openers = new WeakMap();

/**
 * Shows a sentence for a few seconds.
 * @param {string} text
 */
export function showToast(text) {
  const line = h("p", { class: "toast" }, text);
  readAloud(text);
  for (const one of [...toastContainer().children]) if (one.textContent === text) one.remove();
  toastContainer().append(line);
  while (toastContainer().children.length > 3) toastContainer().firstChild?.remove();
  setTimeout(() => line.remove(), 2500 + 60 * text.length);
}

/**
 * Asks before something destructive; yes is true, no or Escape false, and Enter alone does not confirm. Where yes does
 * harm, the other button is the bright one.
 * @param {Question} question
 * @returns {Promise<boolean>}
 */
export function askYesNo({ title, text, yes, no, harmful = false }) {
  return new Promise((answer) => {
    const dialog = h(
      "dialog",
      { class: "paper ask", "aria-labelledby": "ask-title" },
      h("h2", { id: "ask-title" }, title),
      text && h("p", {}, text),
      h(
        "form",
        { method: "dialog", class: "answers" },
        h(
          "button",
          { class: harmful ? "button act" : "button", value: "no", "data-act": "no", autofocus: true },
          no ?? t("ask.no"),
        ),
        h("button", { class: harmful ? "button" : "button act", value: "yes", "data-act": "yes" }, yes ?? t("ask.yes")),
      ),
    );
    openModal(dialog, () => answer(dialog.returnValue === "yes"));
  });
}

/**
 * Opens a dialog above all, gives the focus back when it closes, and takes it away again; it does not outlive its page.
 * @param {HTMLDialogElement} dialog
 * @param {() => void} [closed]
 */
export function openModal(dialog, closed) {
  const before = getFocused();
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog && isOutside(dialog, event)) dialog.close();
  });
  const gone = () => dialog.close();
  addEventListener("popstate", gone);
  dialog.addEventListener("close", () => {
    removeEventListener("popstate", gone);
    dialog.remove();
    if (before?.isConnected) before.focus({ preventScroll: true });
    closed?.();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * Draws the head of a dialog: its title, and the way out.
 * @param {string} id
 * @param {Child} title
 */
export function buildDialogHead(id, title) {
  return h(
    "div",
    { class: "dialog-head" },
    h("h2", { id }, title),
    h(
      "button",
      {
        class: "quiet",
        autofocus: true,
        "data-act": "close",
        onclick: (event) => event.target.closest("dialog")?.close(),
      },
      t("settings.close"),
    ),
  );
}

/**
 * Opens a menu at a button; items are {label, act, off} or null for a line between; heading stands above.
 * @param {HTMLElement} button
 * @param {(MenuItem | null)[]} items
 * @param {string} [heading]
 */
export function openMenu(button, items, heading) {
  const open = document.querySelector(".menu");
  if (open) open.remove();
  if (open && openers.get(open) === button) return;
  const list = h(
    "div",
    {
      class: "menu paper",
      role: items.length ? "menu" : "note",
      tabindex: "-1",
      "aria-label": heading ?? button.textContent,
    },
    heading && h("p", { class: "menu-head", role: "presentation" }, heading),
    items.map((item) => (item === null ? h("hr") : buildMenuItem(item, () => close(true)))),
  );
  openers.set(list, button);
  /** @type {(back: boolean) => void} */
  const close = (back) => {
    list.remove();
    button.setAttribute("aria-expanded", "false");
    document.removeEventListener("pointerdown", away, true);
    if (back) button.focus({ preventScroll: true });
  };
  /** @type {(event: Event) => void} */
  const away = ({ target }) => {
    if (target instanceof Node && !list.contains(target) && !button.contains(target)) close(false);
  };
  list.addEventListener("keydown", (event) => handleMenuKey(event, list, close));
  document.addEventListener("pointerdown", away, true);
  (button.closest("main, header") ?? document.body).append(list);
  positionMenu(list, button);
  button.setAttribute("aria-expanded", "true");
  (find(list, "[role=menuitem]:not([aria-disabled])") ?? list).focus({ preventScroll: true });
}

/**
 * @param {MenuItem} item
 * @param {() => void} close
 */
function buildMenuItem({ label, act, off, hook }, close) {
  return h(
    "button",
    {
      class: "menu-item",
      role: "menuitem",
      tabindex: "-1",
      "aria-disabled": off ? "true" : null,
      "data-act": hook,
      onclick: () => {
        if (!off) {
          close();
          act();
        }
      },
    },
    label,
  );
}

/**
 * @param {KeyboardEvent} event
 * @param {HTMLElement} list
 * @param {(back: boolean) => void} close
 */
function handleMenuKey(event, list, close) {
  const all = findAll(list, "[role=menuitem]");
  const here = all.findIndex((item) => item === document.activeElement);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  event.stopPropagation();
  if (step && all.length) all[(here + step + all.length) % all.length].focus();
  else if (event.key === "Escape" || event.key === "Tab") close(true);
  else return;
  event.preventDefault();
}

/**
 * @param {HTMLElement} list
 * @param {HTMLElement} button
 */
function positionMenu(list, button) {
  const at = button.getBoundingClientRect();
  const size = list.getBoundingClientRect();
  const top = at.bottom + size.height + 8 < innerHeight ? at.bottom + 4 : Math.max(8, at.top - size.height - 4);
  list.style.setProperty("top", `${top}px`);
  list.style.setProperty("left", `${Math.max(8, Math.min(at.left, innerWidth - size.width - 8))}px`);
}

/**
 * @param {HTMLElement} dialog
 * @param {MouseEvent} event
 */
function isOutside(dialog, { clientX, clientY }) {
  const at = dialog.getBoundingClientRect();
  return clientX < at.left || clientX > at.right || clientY < at.top || clientY > at.bottom;
}

/** @returns {HTMLElement} */
function toastContainer() {
  const found = find(document, ".toasts");
  if (found) return found;
  const made = h("div", { class: "toasts", role: "log", "aria-live": "off" });
  document.body.append(made);
  return made;
}
