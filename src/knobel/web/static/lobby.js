/* The lobby: seats before the table, an invitation, what is agreed, and the start. */

import { setBar } from "./bar.js";
import { listBots } from "./bot-picker.js";
import { connection } from "./connection.js";
import { askYesNo, showToast } from "./dialogs.js";
import { h, setText } from "./dom.js";
import { assignColours, drawEdition } from "./edition-art.js";
import { buildEveningPanel, eveningKey } from "./evening-panel.js";
import { listEditions } from "./game-setup.js";
import { beginGame } from "./game-starter.js";
import { buildInvitation, canBeReached } from "./invitation.js";
import { leads, listRemoved, listReserved, SeatRow, sendIntent, takesSavedSeats } from "./lobby-seats.js";
import { PartRenderer } from "./part-renderer.js";
import { describePractice, rememberPlayers } from "./player-list.js";
import { prefs } from "./prefs.js";
import { asRefusal, required } from "./required.js";
import { isBigScreen } from "./router.js";
import { SeatingForm } from "./seating-form.js";
import { SetupPanel } from "./setup-panel.js";
import { buildSolveProgress } from "./solve-progress.js";
import { buildTournamentLink } from "./tournament-link.js";
import { formatList, t } from "./translations.js";

class LobbyPage extends HTMLElement {
  /** @type {boolean | undefined} */
  wasHost;
  /** @type {string | undefined} */
  botsKey;
  /** @type {Wire.RoomView | null} */
  shownRoom = null;
  /** @type {(() => void) | undefined} */
  unsubscribe;
  /** @type {HTMLButtonElement} */
  lockButton;
  /** @type {HTMLButtonElement} */
  startButton;
  /** @type {HTMLElement} */
  note;
  /** @type {HTMLElement} */
  status;
  /** @type {SetupPanel} */
  setup;
  /** @type {SeatRow} */
  seatRow;
  /** @type {SeatingForm} */
  seating;
  /** @type {PartRenderer} */
  parts;
  /** @type {EditionCard[]} */
  editions;

  async connectedCallback() {
    this.editions = await listEditions().catch(() => []);
    if (!this.isConnected) return;
    const parts = new PartRenderer({
      top: h("div", { class: "tabletop" }),
      seats: h("ol", { class: "seat-list", "aria-label": t("lobby.seats") }),
      seating: h("section", { class: "seating paper", "aria-label": t("lobby.seating") }),
      invite: h("section", { class: "invite paper", "aria-label": t("lobby.invite") }),
      evening: h("section", { class: "evening-panel paper", "aria-label": t("evening.title") }),
      link: h("div", { class: "start-link" }),
      setup: h("section", { class: "setup-panel paper", "aria-label": t("lobby.agreed") }),
    });
    this.parts = parts;
    const { top, seats, seating, invite, evening, link, setup } = parts.elements;
    this.seating = new SeatingForm(seating);
    this.seatRow = new SeatRow(this.seating);
    this.setup = new SetupPanel(parts, this.editions, () => this.draw(required(connection.room, "room")));
    this.status = h("p", { class: "start-status", role: "status" });
    this.note = h("p", { class: "start-status practice" });
    this.startButton = h(
      "button",
      { class: "button act start", "data-act": "start", onclick: () => this.begin() },
      t("lobby.start"),
    );
    this.lockButton = h("button", {
      class: "button lock",
      "data-act": "lock",
      onclick: () => sendIntent({ want: "lock", locked: !required(connection.room, "room").locked }),
    });
    this.replaceChildren(
      h("div", { class: "lobby-main" }, h("section", { class: "lobby-table" }, top, seats), seating, evening, setup),
      h(
        "div",
        { class: "lobby-side" },
        h(
          "section",
          { class: "start-panel" },
          this.status,
          this.note,
          buildSolveProgress(),
          this.startButton,
          this.lockButton,
          link,
        ),
        invite,
      ),
    );
    this.unsubscribe = connection.on("room", (view) => this.draw(view));
    if (connection.room) this.draw(connection.room);
  }

  disconnectedCallback() {
    this.unsubscribe?.();
  }

  /**
   * Draws what has changed and leaves the rest alone, so that nobody loses what they are typing.
   * @param {Wire.RoomView} room
   */
  draw(room) {
    const view = isBigScreen()
      ? { ...room, host: false, acting_host: false, seats: room.seats.map((one) => ({ ...one, yours: false })) }
      : room;
    const card = this.editions.find(
      (one) => one.id === view.edition && Boolean(one.house_rules) === Boolean(view.house_rules),
    );
    const { games, number } = view.series;
    const under = games > 1 ? t("lobby.game_of", { number, games }) : t("lobby.under");
    const reserved = listReserved(view);
    this.parts.draw("bar", [view.title, under], () => setBar({ title: view.title, under }));
    this.parts.draw("top", [view.edition, view.house_rules], () => this.buildTabletop(view, card));
    this.updateBots(view);
    const seatsKey = [
      view.seats,
      view.host,
      view.acting_host,
      takesSavedSeats(view),
      view.duplicate,
      this.seatRow.bots,
    ];
    this.parts.draw("seats", seatsKey, () => this.seatRow.build(view));
    this.parts.draw("seating", this.seating.key(view), () => this.seating.build(view));
    this.parts.draw("invite", [view.id, view.code, view.host], () => buildInvitation(view));
    this.parts.draw("link", [view.tournament], () => buildTournamentLink(view, "button"));
    this.parts.draw("evening", eveningKey(view), () => buildEveningPanel(view));
    this.parts.draw("setup", this.setup.key(view), () => this.setup.build(view, card));
    this.toggleAttribute("data-unseated", !this.seating.isSeated(view));
    setText(this.status, describeStatus(view));
    setText(
      this.note,
      [
        view.host && reserved.length > 0 && canBeReached() && t("lobby.reserved", { names: formatList(reserved) }),
        describePractice(card, view.seats.length),
      ]
        .filter(Boolean)
        .join(" "),
    );
    this.startButton.hidden = !leads(view);
    this.lockButton.hidden = !view.host;
    setText(this.lockButton, t(view.locked ? "lobby.unlock" : "lobby.lock"));
    this.startButton.disabled = Boolean(view.begin_refusal);
    const removed = listRemoved(this.shownRoom, view);
    if (removed.length) showToast(t("lobby.removed", { names: formatList(removed) }));
    this.shownRoom = view;
    if (leads(view) && this.wasHost === false) showToast(t("lobby.host_now"));
    this.wasHost = leads(view);
  }

  /**
   * Asks how bots do by the rules agreed here, once a bot sits here and whenever the rules change.
   * @param {Wire.RoomView} view
   */
  async updateBots({ id, seats, family, edition, text, switches, house_rules: own }) {
    const key = JSON.stringify([edition, text, switches, own]);
    if (key === this.botsKey || !seats.some((one) => one.bot)) return;
    this.botsKey = key;
    this.seatRow.bots = await listBots(family, { room: id });
    if (this.isConnected && connection.room) this.draw(connection.room);
  }

  /**
   * @param {Wire.RoomView} view
   * @param {EditionCard | undefined} card
   */
  buildTabletop(view, card) {
    const colour = assignColours(this.editions.map((one) => one.id)).get(view.edition) ?? 0;
    return h(
      "div",
      { class: "edition-card small", "data-colour": colour },
      drawEdition(card ?? { id: view.edition, title: view.title, publisher: view.publisher }),
    );
  }

  // Begins; a name that was typed and not sent counts.
  async begin() {
    await this.seating.submitTyped();
    const { seats } = required(connection.room, "room");
    rememberPlayers(
      seats.filter((one) => one.yours || prefs.get("usual_players").includes(one.name)).map((one) => one.name),
    );
    try {
      await beginGame(confirmWithoutSeeds);
    } catch (refused) {
      showToast(asRefusal(refused).text ?? "");
    }
  }
}

function confirmWithoutSeeds() {
  const missing = formatList(
    required(connection.room, "room")
      .seats.filter((one) => !one.bot && !one.sealed)
      .map((one) => one.name),
  );
  return askYesNo({
    title: missing ? t("lobby.without", { names: missing }) : t("lobby.anyway"),
    text: t("lobby.without_why"),
    yes: t("lobby.without_yes"),
    no: t("lobby.without_no"),
  });
}

/** @param {Wire.RoomView} view */
function describeReadiness({ seats }) {
  const missing = seats.filter((one) => !one.present).map((one) => one.name);
  return missing.length ? t("lobby.not_here", { names: formatList(missing) }) : t("lobby.ready", { n: seats.length });
}

/** @param {Wire.RoomView} view */
function describeStatus(view) {
  if (leads(view)) return view.begin_refusal ?? describeReadiness(view);
  if (isBigScreen() && canBeReached()) return t("lobby.scan");
  const host = view.seats.find((one) => one.host)?.name ?? t("lobby.the_host");
  const hasSeat = listReserved(view).length > 0 || !takesSavedSeats(view);
  const sits = view.seats.some((one) => one.yours);
  return isBigScreen() || sits || !hasSeat ? t("lobby.waiting", { host }) : t("lobby.welcome");
}

customElements.define("knobel-lobby", LobbyPage);
