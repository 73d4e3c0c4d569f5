/* The end of a game: who won, what the evening looks like, and what comes next. */

import { fill, h } from "./dom.js";
import { toast } from "./ask.js";
import { go } from "./app.js";
import { house } from "./house.js";
import { language, listed, t } from "./words.js";

const SEAL_TIME = 700;

// The panel that takes the tray's place; `hands` are {begin(), lobby(), undo(), goOn()}.
export class End {
  constructor(hands) {
    this.hands = hands;
    this.element = h("section", { class: "tray end", "aria-label": t("end.end"), hidden: true, tabindex: "-1" });
  }

  draw(model) {
    const { over, view, room } = model;
    this.element.hidden = !over;
    const now = over && JSON.stringify([view.game, view.closed, view.places, view.seats.map((seat) => seat.total), view.undo, room.host, room.number, room.games, room.totals, room.running, room.missing]);
    if (now === this.drawn) return;
    this.drawn = now;
    const held = this.element.contains(document.activeElement) && document.activeElement.dataset.act;
    if (over) fill(this.element, this.ranking(model), view.closed ? this.next(model) : this.confirm(model));
    if (held) this.element.querySelector(`[data-act="${held}"]`)?.focus({ preventScroll: true });
  }

  ranking({ view, room, block }) {
    const title = headline(view);
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
        view.seats[seat].left && h("small", {}, t("player.gone")), view.seats[seat].assisted && h("small", {}, t("player.assisted")), h("b", {}, scoreOf(view.seats[seat], block)))))),
      block.family === "sheet" && view.closed && room.games > 1 && room.totals.length > 0 && evening(view, room)),
    ];
  }

  // The last entry can be taken back for a moment.
  confirm({ view, block }) {
    const mends = block.family === "sheet" && view.seats.some((seat) => seat.yours && seat.own_dice);
    return h("div", { class: "next" }, mends && h("p", { class: "say" }, t("end.mend")),
      h("button", { class: "throw", "data-act": "go-on", onclick: this.hands.goOn }, t("end.thats_it")),
      view.undo !== null && h("button", { class: "felt-button", "data-act": "take-back", onclick: this.hands.undo }, t(block.family === "sheet" ? "end.take_back" : "table.undo")));
  }

  next({ view, room }) {
    const seated = view.seats.some((seat) => seat.yours);
    const more = room.games > 1 && room.number > 1 && room.number <= room.games;
    const label = more ? t("end.next_game", { number: room.number, games: room.games }) : t("end.rematch");
    const host = room.chairs.find((chair) => chair.host)?.name;
    return h("div", { class: "next" },
      room.host ? h("button", { class: "throw", "data-act": "rematch", onclick: this.hands.begin }, label)
        : seated && host && h("p", { class: "say" }, t("end.host_begins", { name: host })),
      h("div", { class: "felt-row" },
        h("button", { class: "felt-button", "data-act": "lobby", onclick: this.hands.lobby }, t("end.change")),
        h("a", { class: "felt-button", "data-act": "record", href: `/games/${encodeURIComponent(view.game)}.knobel`, download: "" }, t("end.record")),
        h("a", { class: "felt-button", "data-act": "print", href: `/games/${encodeURIComponent(view.game)}.pdf?lang=${language()}`, download: "" }, t("end.print")),
        h("a", { class: "felt-button", "data-act": "check", href: `/check/${encodeURIComponent(view.game)}`, onclick: (event) => checkDice(event, view.game) }, t("end.check")),
        h("a", { class: "felt-button", "data-act": "review", href: reviewOf(view), onclick: (event) => lookBack(event, view) }, t("end.review"))));
  }
}

function scoreOf(seat, block) {
  if (block.family === "sheet") return String(seat.total);
  return seat.chips === block.chips ? t("rounds.all_chips") : "";
}

// The address of the coach's review: of one's own seat, if there is one.
function reviewOf(view) {
  const own = view.seats.findIndex((seat) => seat.yours && seat.bot === null);
  return `/review/${encodeURIComponent(view.game)}${own < 0 ? "" : `?seat=${own}`}`;
}

function lookBack(event, view) {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  go(reviewOf(view));
}

// Opens above the table, unless it is wanted in a tab of its own.
function checkDice(event, game) {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  import("./check.js").then(({ openCheck }) => openCheck(game)).catch(() => toast(t("end.no_check")));
}

// Says in a few words how a game ended.
export function headline(view) {
  if (!view.places) return t(view.closed === "expired" ? "end.expired" : "end.stopped");
  const best = view.places[0].map((seat) => view.seats[seat]);
  if (view.seats.length === 1) return t("end.alone", { n: best[0].total });
  if (best.length > 1) return t("end.tie", { names: listed(best.map((seat) => seat.name)) });
  const only = view.seats.filter((seat) => seat.yours).length === 1;
  return best[0].yours && only ? t("end.you_win") : t("end.wins", { name: best[0].name });
}

function evening(view, room) {
  const sums = view.seats.map((_, seat) => room.totals.reduce((sum, game) => sum + (game[seat] ?? 0), 0));
  const order = view.seats.map((_, seat) => seat).sort((a, b) => sums[b] - sums[a]);
  return h("table", { class: "evening" },
    h("caption", {}, t("end.evening", { number: room.totals.length, games: room.games })),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, h("span", { class: "unseen" }, t("player.player"))),
      room.totals.map((_, game) => h("th", { scope: "col" }, t("end.game", { number: game + 1 }))), h("th", { scope: "col" }, t("end.sum")))),
    h("tbody", {}, order.map((seat) => h("tr", {}, h("th", { scope: "row" }, view.seats[seat].name),
      room.totals.map((game) => h("td", {}, String(game[seat] ?? ""))), h("td", { class: "sum" }, String(sums[seat]))))));
}

// Starts the next game; where devices have not promised a seed, the host is asked.
export async function beginNext(ask, tries = 0) {
  try {
    await house.want({ want: "begin" });
  } catch (refused) {
    if (refused.code !== "seeds_missing") throw refused;
    if (!tries) return new Promise((later) => setTimeout(later, SEAL_TIME)).then(() => beginNext(ask, 1));
    const anyway = await ask({ title: t("end.seeds_title"), text: refused.text, yes: t("end.seeds_yes"), no: t("end.seeds_no") });
    if (anyway) await house.want({ want: "begin", anyway: true });
  }
}
