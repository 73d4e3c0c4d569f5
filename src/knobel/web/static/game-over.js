/* The end of a game: who won, what the evening looks like, and what comes next. */

import { setChildren, h } from "./dom.js";
import { showToast } from "./dialogs.js";
import { navigate } from "./router.js";
import { getLanguage, formatList, t } from "./translations.js";

// The panel that takes the tray's place; `handlers` are {begin(), lobby(), undo(), continueGame()}.
export class GameOverPanel {
  constructor(handlers) {
    this.handlers = handlers;
    this.element = h("section", { class: "tray end", "aria-label": t("end.end"), hidden: true, tabindex: "-1" });
  }

  draw(model) {
    const { over, view, room } = model;
    this.element.hidden = !over;
    const now = over && JSON.stringify([view.game, view.closed, view.places, view.seats.map((seat) => seat.total), view.undo, room.host, room.series, room.running, room.begin_refusal]);
    if (now === this.drawnKey) return;
    this.drawnKey = now;
    const held = this.element.contains(document.activeElement) && document.activeElement.dataset.act;
    if (over) setChildren(this.element, this.buildRanking(model), view.closed ? this.buildNext(model) : this.buildConfirm(model));
    if (held) this.element.querySelector(`[data-act="${held}"]`)?.focus({ preventScroll: true });
  }

  buildRanking({ view, room, gameInfo, family }) {
    const title = describeOutcome(view);
    let place = 1;
    const groups = (view.places ?? []).map((seats) => {
      const line = { place, seats };
      place += seats.length;
      return line;
    });
    return [
      h("h2", {}, title),
      h("div", { class: "standing" }, h("ol", { class: "ranking" }, groups.flatMap((line) => line.seats.map((seat) => h("li", { class: line.place === 1 ? "first" : null },
        h("span", { class: "place" }, `${line.place}.`), h("span", { class: "name" }, view.seats[seat].name),
        view.seats[seat].left && h("small", {}, t("player.gone")), view.seats[seat].assisted && h("small", {}, t("player.assisted")), h("b", {}, family.describeScore(view.seats[seat], gameInfo)))))),
      family.hasSeriesTable && view.closed && room.series.games > 1 && room.series.totals.length > 0 && buildSeriesTable(view, room.series)),
    ];
  }

  // The last entry can be undone for a moment.
  buildConfirm({ view, family }) {
    const corrections = family.describeCorrections(view);
    return h("div", { class: "next" }, corrections && h("p", { class: "say" }, corrections),
      h("button", { class: "throw", "data-act": "go-on", onclick: this.handlers.continueGame }, t("end.thats_it")),
      view.undo !== null && h("button", { class: "felt-button", "data-act": "undo-last", onclick: this.handlers.undo }, family.describeUndo()));
  }

  buildNext({ view, room }) {
    const seated = view.seats.some((seat) => seat.yours);
    const { series } = room;
    const label = series.next ? t("end.next_game", { number: series.number, games: series.games }) : t("end.rematch");
    const host = room.seats.find((one) => one.host)?.name;
    return h("div", { class: "next" },
      room.host ? h("button", { class: "throw", "data-act": "rematch", onclick: this.handlers.begin }, label)
        : seated && host && h("p", { class: "say" }, t("end.host_begins", { name: host })),
      h("div", { class: "felt-row" },
        h("button", { class: "felt-button", "data-act": "lobby", onclick: this.handlers.lobby }, t("end.change")),
        h("a", { class: "felt-button", "data-act": "record", href: `/games/${encodeURIComponent(view.game)}.knobel`, download: "" }, t("end.record")),
        h("a", { class: "felt-button", "data-act": "print", href: `/games/${encodeURIComponent(view.game)}.pdf?lang=${getLanguage()}`, download: "" }, t("end.print")),
        h("a", { class: "felt-button", "data-act": "check", href: `/check/${encodeURIComponent(view.game)}`, onclick: (event) => openDiceCheck(event, view.game) }, t("end.check")),
        h("a", { class: "felt-button", "data-act": "review", href: reviewUrl(view), onclick: (event) => openReview(event, view) }, t("end.review"))));
  }
}

// The address of the coach's review: of one's own seat, if there is one.
function reviewUrl(view) {
  const own = view.seats.findIndex((seat) => seat.yours && seat.bot === null);
  return `/review/${encodeURIComponent(view.game)}${own < 0 ? "" : `?seat=${own}`}`;
}

function openReview(event, view) {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  navigate(reviewUrl(view));
}

// Opens above the table, unless it is wanted in a tab of its own.
function openDiceCheck(event, game) {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  import("./dice-check.js").then(({ openDiceCheck: open }) => open(game)).catch(() => showToast(t("end.no_check")));
}

// Says in a few words how a game ended.
export function describeOutcome(view) {
  if (!view.places) return t(view.closed === "expired" ? "end.expired" : "end.stopped");
  const best = view.places[0].map((seat) => view.seats[seat]);
  if (view.seats.length === 1) return t("end.alone", { n: best[0].total });
  if (best.length > 1) return t("end.tie", { names: formatList(best.map((seat) => seat.name)) });
  const only = view.seats.filter((seat) => seat.yours).length === 1;
  return best[0].yours && only ? t("end.you_win") : t("end.wins", { name: best[0].name });
}

// The games of a series so far; sums only where the rules add games up, as the server has them.
function buildSeriesTable({ seats }, { games, totals, sums, places }) {
  const order = places?.flat() ?? [...seats.keys()];
  return h("table", { class: "evening" },
    h("caption", {}, t("end.evening", { number: totals.length, games })),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, h("span", { class: "unseen" }, t("player.player"))),
      totals.map((_, game) => h("th", { scope: "col" }, t("end.game", { number: game + 1 }))), sums && h("th", { scope: "col" }, t("end.sum")))),
    h("tbody", {}, order.map((seat) => h("tr", {}, h("th", { scope: "row" }, seats[seat].name),
      totals.map((game) => h("td", {}, String(game[seat] ?? ""))), sums && h("td", { class: "sum" }, String(sums[seat]))))));
}
