/* The invitation to a room: a QR code, the room code, and a link, or how others could be reached. */

import { connection } from "./connection.js";
import { showToast } from "./dialogs.js";
import { h } from "./dom.js";
import { t } from "./translations.js";

const LAN_OPTION = "--lan";
const LOCAL_HOSTS = ["localhost", "127.0.0.1", "[::1]"];

/** Whether this page was opened under an address that means another computer elsewhere. */
function isLocal() {
  return LOCAL_HOSTS.includes(location.hostname);
}

// Whether other devices can reach the server.
export function canBeReached() {
  return !isLocal() || Boolean(connection.serverInfo?.lan);
}

// What links for others begin with: the address in the network, where this page was opened by one of this computer.
export function findLinkBase() {
  return (isLocal() && connection.serverInfo?.lan) || location.origin;
}

/**
 * Draws a link for others: as a QR code, where other devices can reach the server, and as text to copy.
 * @param {string} path
 * @param {string} picture
 * @param {string} label
 * @param {{ before?: Child, after?: Child }} [parts]
 */
export function buildLink(path, picture, label, { before, after } = {}) {
  const link = h("p", { class: "link", tabindex: "0", "data-link": "" }, `${findLinkBase()}${path}`);
  return h(
    "div",
    { class: "invite-body" },
    canBeReached() && h("img", { class: "qr", src: picture, alt: t("lobby.qr"), width: 132, height: 132 }),
    h(
      "div",
      {},
      before,
      h("span", { class: "link-label" }, label),
      link,
      h("button", { class: "button", "data-act": "copy", onclick: () => copy(link) }, t("lobby.copy")),
      after,
    ),
  );
}

/**
 * Draws the invitation to a room.
 * @param {Pick<Wire.RoomView, "id" | "code" | "host">} room
 */
export function buildInvitation({ id, code, host }) {
  const isReachable = canBeReached();
  const path = `/room/${encodeURIComponent(id)}`;
  return [
    h("h2", {}, t("lobby.invite")),
    host &&
      !isReachable &&
      h("p", { class: "only-here" }, t("lobby.only_here").split(LAN_OPTION).flatMap(insertOption)),
    buildLink(path, `/qr/${encodeURIComponent(id)}.svg`, t(isReachable ? "lobby.link" : "lobby.link_here"), {
      before:
        code &&
        h("p", { class: "room-code" }, h("span", {}, t("lobby.code")), h("b", { "data-code": code }, spaceOut(code))),
      after: h(
        "a",
        { class: "quiet", "data-act": "screen", href: `${path}/screen`, target: "_blank", rel: "noopener" },
        t("table.screen"),
      ),
    }),
  ];
}

/** @param {HTMLElement} link */
async function copy(link) {
  getSelection()?.selectAllChildren(link);
  let copied = false;
  try {
    if (navigator.clipboard) await navigator.clipboard.writeText(link.textContent ?? "");
    copied = Boolean(navigator.clipboard) || document.execCommand("copy");
  } catch {
    /* the link is marked: it can be copied by hand */
  }
  showToast(copied ? t("lobby.copied") : t("lobby.marked"));
}

/** @param {string} code */
function spaceOut(code) {
  return code.length === 8 ? `${code.slice(0, 4)} ${code.slice(4)}` : code;
}

/**
 * Puts the option back between the parts of a sentence; it never breaks over two lines.
 * @param {string} part
 * @param {number} place
 */
function insertOption(part, place) {
  return place ? [h("code", {}, LAN_OPTION), part] : [part];
}
