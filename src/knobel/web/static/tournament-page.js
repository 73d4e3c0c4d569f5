/* Tournaments: the form of a new one, or one by its link, which draws itself anew whenever something has changed. */

import { setBar } from "./bar.js";
import { askYesNo, showToast } from "./dialogs.js";
import { find, h, setChildren } from "./dom.js";
import { sortEditions } from "./edition-order.js";
import { getFamily } from "./families.js";
import { listEditions } from "./game-setup.js";
import { buildLink } from "./invitation.js";
import { readAloud } from "./live-region.js";
import { prefs } from "./prefs.js";
import { askName } from "./rename-dialog.js";
import { asRefusal } from "./required.js";
import { followLink, navigate } from "./router.js";
import { changeTournament, fetchTournament, fetchTournaments } from "./tournament-api.js";
import { TournamentForm } from "./tournament-form.js";
import { buildCurrentRound, buildNextRound, buildTotalsForm } from "./tournament-round.js";
import { buildResults, buildStandings } from "./tournament-view.js";
import { formatList, getLanguage, t } from "./translations.js";

const POLL_DELAY = 4000;

class TournamentPage extends HTMLElement {
  tournament = "";
  timer = 0;
  shown = "";
  /** @type {TournamentView | null} */
  view = null;
  /** The round whose results are being entered; while that is so, nothing is drawn anew. */
  entering = 0;
  isAbsentOpen = false;
  /** @type {TournamentActs} */
  acts = {
    change: (change) => this.change(change),
    enter: (round) => this.enter(round),
    close: () => this.enter(0),
    rename: (player) => this.rename(player),
  };

  async connectedCallback() {
    setBar({ title: t("bar.tournament"), under: t("tournament.under") });
    const [, id] = location.pathname.match(/^\/tournament\/([^/]+)$/) ?? [];
    this.tournament = id ? decodeURIComponent(id) : "";
    if (this.tournament) await this.load();
    else await this.showStart();
  }

  disconnectedCallback() {
    clearTimeout(this.timer);
  }

  // The tournaments of this browser, and the form of a new one.
  async showStart() {
    const [own, editions] = await Promise.all([fetchTournaments().catch(() => []), listEditions().catch(() => [])]);
    const cards = sortEditions(editions, getLanguage(), prefs.get("edition"));
    const fitting = cards.filter((card) => getFamily(card.family).freeTurns);
    setChildren(
      this,
      own.length > 0 &&
        h(
          "section",
          { class: "paper tournament-own" },
          h("h2", {}, t("tournament.yours")),
          h("ul", {}, own.map(buildOwn)),
        ),
      fitting.length > 0
        ? new TournamentForm(fitting).element
        : h("p", { class: "paper message", role: "alert" }, t("tournament.offline")),
    );
  }

  // Fetches the tournament now, and again in a while.
  async load() {
    clearTimeout(this.timer);
    if (!document.hidden) {
      try {
        this.show(await fetchTournament(this.tournament));
      } catch (refused) {
        const { code, text } = asRefusal(refused);
        if (code === "tournament_unknown") return this.showMissing(text ?? "");
        if (!this.view) this.showMissing(text ?? t("tournament.offline"));
      }
    }
    if (this.isConnected) this.timer = setTimeout(() => this.load(), POLL_DELAY);
  }

  /** @param {string} text */
  showMissing(text) {
    const back = h(
      "a",
      { class: "button", href: "/tournament", onclick: (event) => followLink(event, "/tournament") },
      t("bar.tournament"),
    );
    setChildren(this, h("p", { class: "paper message", role: "alert" }, text), h("p", {}, back));
  }

  /** @param {TournamentView} view */
  show(view) {
    const now = JSON.stringify([view, getLanguage()]);
    if (now === this.shown || this.entering) return;
    if (this.view && view.played > this.view.played) readAloud(t("tournament.ended", { n: view.played }));
    this.shown = now;
    this.view = view;
    this.draw(view);
  }

  /** @param {TournamentView} view */
  draw(view) {
    const focused = this.contains(document.activeElement) ? findHook(document.activeElement) : null;
    this.isAbsentOpen = find(this, "details[data-part=absent]")?.hasAttribute("open") ?? false;
    setBar({ title: view.title, under: describeTournament(view) });
    const { current, over } = view;
    setChildren(
      this,
      h(
        "div",
        { class: "tournament-now" },
        this.entering > 0 && buildTotalsForm(view, this.entering, this.acts),
        this.entering === 0 &&
          h(
            "section",
            { class: "paper tournament-round", "data-part": "round" },
            current && buildCurrentRound(view, current, this.acts),
            !current && !over && buildNextRound(view, this.acts),
            over && [h("h2", {}, t("tournament.over")), h("p", { class: "tournament-first" }, describeWinners(view))],
            !current && this.buildShare(),
          ),
        buildStandings(view, this.acts),
      ),
      this.buildRounds(view),
      this.buildTools(view),
    );
    if (this.isAbsentOpen) find(this, "details[data-part=absent]")?.setAttribute("open", "");
    if (focused) find(this, focused)?.focus({ preventScroll: true });
  }

  // The link of this page, for everybody who wants to look.
  buildShare() {
    const picture = `/qr/tournament/${encodeURIComponent(this.tournament)}.svg`;
    return h("div", { class: "tournament-share" }, buildLink(location.pathname, picture, t("tournament.link")));
  }

  /** @param {TournamentView} view */
  buildRounds(view) {
    const numbers = view.results.map((_, place) => place + 1).reverse();
    return h(
      "div",
      { class: "tournament-rounds" },
      numbers.map((number) =>
        h(
          "section",
          { class: "paper", "data-round": number },
          h("h2", {}, t("tournament.results_of", { n: number })),
          buildResults(view, number),
          view.is_host &&
            h(
              "button",
              { class: "quiet", "data-act": `correct-${number}`, onclick: () => this.enter(number) },
              t("tournament.correct"),
            ),
        ),
      ),
    );
  }

  /** @param {TournamentView} view */
  buildTools({ is_host: isHost, title }) {
    return h(
      "div",
      { class: "tournament-tools" },
      h("button", { class: "quiet", "data-act": "print", onclick: () => print() }, t("tournament.print")),
      h(
        "a",
        {
          class: "quiet",
          "data-act": "file",
          href: `/tournaments/${encodeURIComponent(this.tournament)}.toml`,
          download: `${title}.toml`,
        },
        t("tournament.file"),
      ),
      isHost &&
        h(
          "button",
          { class: "quiet", "data-act": "delete", onclick: () => this.delete(title) },
          t("tournament.delete"),
        ),
    );
  }

  /** @param {number} round */
  enter(round) {
    this.entering = round;
    if (this.view) this.draw(this.view);
    const form = find(this, "[data-part=totals]");
    form?.scrollIntoView({ block: "nearest" });
    find(this, "[data-part=totals] input")?.focus();
  }

  /** @param {TournamentChange} change */
  async change(change) {
    if (!this.view) return;
    try {
      const view = await changeTournament(this.view, change);
      this.entering = 0;
      this.show(view);
    } catch (refused) {
      showToast(asRefusal(refused).text ?? t("tournament.offline"));
      this.shown = "";
      await this.load();
    }
  }

  /** @param {number} player */
  async rename(player) {
    const players = this.view?.players ?? [];
    const name = await askName(players[player], players);
    if (name && name !== players[player]) await this.change({ want: "rename", player, name });
  }

  /** @param {string} title */
  async delete(title) {
    if (!this.view) return;
    const isSure = await askYesNo({
      title: t("tournament.delete_ask", { title }),
      text: t("tournament.delete_text"),
      yes: t("tournament.delete"),
      harmful: true,
    });
    if (!isSure) return;
    await changeTournament(this.view, { want: "delete" }).catch(() => {});
    navigate("/tournament");
  }
}

/** @param {TournamentLine} line */
function buildOwn(line) {
  const address = `/tournament/${encodeURIComponent(line.id)}`;
  return h(
    "li",
    {},
    h("a", { href: address, onclick: (event) => followLink(event, address) }, line.title),
    h("small", {}, describeProgress(line)),
  );
}

/** @param {TournamentProgress} progress */
function describeProgress({ played, rounds, over }) {
  return over ? t("tournament.over") : t("tournament.progress", { n: played, rounds });
}

/** @param {TournamentView} view */
function describeWinners({ players, standings }) {
  const first = standings.filter((one) => one.place === 1);
  return t("tournament.first", { names: formatList(first.map((one) => players[one.player])) });
}

/** @param {TournamentView} view */
function describeTournament(view) {
  return `${view.edition} · ${t(`tournament.${view.system}`)} · ${describeProgress(view)}`;
}

/**
 * How an element that was drawn anew is found again.
 * @param {Element | null} element
 */
function findHook(element) {
  const act = element?.getAttribute("data-act");
  const field = element?.getAttribute("data-field");
  return act ? `[data-act="${act}"]` : field ? `[data-field="${field}"]` : null;
}

customElements.define("knobel-tournament", TournamentPage);
