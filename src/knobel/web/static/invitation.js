/* The invitation to a room: a QR code, the room code, and a link. */

import { connection } from "./connection.js";
import { showToast } from "./dialogs.js";
import { h } from "./dom.js";
import { t } from "./translations.js";

const LOCAL_HOSTS = ["localhost", "127.0.0.1", "[::1]"];

// Draws the invitation to a room.
export function buildInvitation({ id, code }) {
  const local = LOCAL_HOSTS.includes(location.hostname);
  const base = local ? connection.serverInfo?.lan ?? location.origin : location.origin;
  const link = h("p", { class: "link", tabindex: "0", "data-link": "" }, `${base}/room/${id}`);
  return [
    h("h2", {}, t("lobby.invite")),
    h("div", { class: "inviting" },
      h("img", { class: "qr", src: `/qr/${encodeURIComponent(id)}.svg`, alt: t("lobby.qr"), width: 132, height: 132 }),
      h("div", {},
        code && h("p", { class: "spoken" }, h("span", {}, t("lobby.code")), h("b", { "data-code": code }, spaceOut(code))),
        h("span", { class: "by-link" }, t("lobby.link")), link,
        h("button", { class: "button", "data-act": "copy", onclick: () => copy(link) }, t("lobby.copy")),
        h("a", { class: "quiet", "data-act": "screen", href: `/room/${encodeURIComponent(id)}/screen`, target: "_blank", rel: "noopener" }, t("table.screen")))),
    local && !connection.serverInfo?.lan && h("p", { class: "note" }, t("lobby.only_here")),
  ];
}

async function copy(link) {
  getSelection().selectAllChildren(link);
  let copied = false;
  try {
    copied = navigator.clipboard ? (await navigator.clipboard.writeText(link.textContent), true) : document.execCommand("copy");
  } catch { /* the link is marked: it can be copied by hand */ }
  showToast(copied ? t("lobby.copied") : t("lobby.marked"));
}

function spaceOut(code) {
  return code.length === 8 ? `${code.slice(0, 4)} ${code.slice(4)}` : code;
}
