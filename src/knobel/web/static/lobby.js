/* The lobby: seats before the table, an invitation, what is agreed, and the start. */

import { setBar } from "./bar.js";
import { connection } from "./connection.js";
import { askYesNo, showToast } from "./dialogs.js";
import { h, setText } from "./dom.js";
import { assignColours, drawEdition } from "./edition-art.js";
import { listEditions } from "./game-setup.js";
import { beginGame } from "./game-starter.js";
import { buildInvitation } from "./invitation.js";
import { listReserved, SeatRow } from "./lobby-seats.js";
import { PartRenderer } from "./part-renderer.js";
import { describePractice, rememberPlayers } from "./player-list.js";
import { prefs } from "./prefs.js";
import { isBigScreen } from "./router.js";
import { SeatingForm } from "./seating-form.js";
import { SetupPanel } from "./setup-panel.js";
import { buildSolveProgress } from "./solve-progress.js";
import { formatList, t } from "./translations.js";

class LobbyPage extends HTMLElement {
  async connectedCallback() {
    this.editions = await listEditions().catch(() => []);
    if (!this.isConnected) return;
    const parts = this.parts = new PartRenderer({
      top: h("div", { class: "tabletop" }),
      seats: h("ol", { class: "chairs", "aria-label": t("lobby.seats") }),
      seating: h("section", { class: "seating paper", "aria-label": t("lobby.seating") }),
      invite: h("section", { class: "invite paper", "aria-label": t("lobby.invite") }),
      setup: h("section", { class: "agreed paper", "aria-label": t("lobby.agreed") }),
    });
    const { top, seats, seating, invite, setup } = parts.elements;
    this.seating = new SeatingForm(seating);
    this.seatRow = new SeatRow(this.seating);
    this.setup = new SetupPanel(parts, this.editions, () => this.draw(connection.room));
    this.status = h("p", { class: "ready-say", role: "status" });
    this.note = h("p", { class: "ready-say practice" });
    this.startButton = h("button", { class: "button act start", "data-act": "start", onclick: () => this.begin() }, t("lobby.start"));
    this.replaceChildren(
      h("div", { class: "room-side" }, h("section", { class: "scene" }, top, seats), seating, setup),
      h("div", { class: "door-side" }, h("section", { class: "ready" }, this.status, this.note, buildSolveProgress(), this.startButton), invite));
    this.unsubscribe = connection.on("room", (view) => this.draw(view));
    if (connection.room) this.draw(connection.room);
  }

  disconnectedCallback() {
    this.unsubscribe?.();
  }

  // Draws what has changed and leaves the rest alone, so that nobody loses what they are typing.
  draw(room) {
    const view = isBigScreen() ? { ...room, host: false, seats: room.seats.map((one) => ({ ...one, yours: false })) } : room;
    const card = this.editions.find((one) => one.id === view.edition && Boolean(one.house_rules) === Boolean(view.house_rules));
    const { games, number } = view.series;
    const under = games > 1 ? t("lobby.game_of", { number, games }) : t("lobby.under");
    const reserved = listReserved(view);
    this.parts.draw("bar", [view.title, under], () => setBar({ title: view.title, under }));
    this.parts.draw("top", [view.edition, view.house_rules], () => this.buildTabletop(view, card));
    this.parts.draw("seats", [view.seats, view.host], () => this.seatRow.build(view));
    this.parts.draw("seating", this.seating.key(view), () => this.seating.build(view));
    this.parts.draw("invite", [view.id, view.code], () => buildInvitation(view));
    this.parts.draw("setup", this.setup.key(view), () => this.setup.build(view, card));
    this.toggleAttribute("data-guest", !this.seating.isSeated(view));
    setText(this.status, describeStatus(view));
    setText(this.note, [view.host && reserved.length > 0 && t("lobby.reserved", { names: formatList(reserved) }), describePractice(card, view.seats.length)].filter(Boolean).join(" "));
    this.startButton.hidden = !view.host;
    this.startButton.disabled = Boolean(view.begin_refusal);
    if (view.host && this.wasHost === false) showToast(t("lobby.host_now"));
    this.wasHost = view.host;
  }

  buildTabletop(view, card) {
    const colour = assignColours(this.editions.map((one) => one.id)).get(view.edition) ?? 0;
    return h("div", { class: "lid small", "data-lid": colour }, drawEdition(card ?? { id: view.edition, title: view.title, publisher: view.publisher }));
  }

  // Begins; a name that was typed and not sent counts.
  async begin() {
    await this.seating.submitTyped();
    const { seats } = connection.room;
    rememberPlayers(seats.filter((one) => one.yours || prefs.get("usual_players").includes(one.name)).map((one) => one.name));
    try {
      await beginGame(confirmWithoutSeeds);
    } catch (refused) {
      showToast(refused.text);
    }
  }
}

function confirmWithoutSeeds() {
  const missing = formatList(connection.room.seats.filter((one) => !one.bot && !one.sealed).map((one) => one.name));
  return askYesNo({ title: missing ? t("lobby.without", { names: missing }) : t("lobby.anyway"), text: t("lobby.without_why"), yes: t("lobby.without_yes"), no: t("lobby.without_no") });
}

function describeStatus(view) {
  if (view.host) return view.begin_refusal ?? t("lobby.ready", { n: view.seats.length });
  if (isBigScreen()) return t("lobby.scan");
  const host = view.seats.find((one) => one.host)?.name ?? t("lobby.the_host");
  return view.seats.some((one) => one.yours) ? t("lobby.waiting", { host }) : t("lobby.welcome");
}

customElements.define("knobel-lobby", LobbyPage);
