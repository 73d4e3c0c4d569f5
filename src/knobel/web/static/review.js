/* The review: a finished game on the same sheet, with the coach's red-pencil notes; it can be played again and gone on with. */

import { fill, h, mark, wear } from "./dom.js";
import { bar, go } from "./app.js";
import { botOptions, choice, usualBot } from "./agree.js";
import { Chart } from "./chart.js";
import { cost, figure, signedFigure } from "./figures.js";
import { Film } from "./film.js";
import { house } from "./house.js";
import { outline } from "./hint.js";
import { Stage } from "./stage.js";
import { toast } from "./ask.js";
import { moreWords, t } from "./words.js";
import { aloud } from "./voice.js";

const SOON = 300;
const FINE = "fine";

wear("review.css");

class ReviewPage extends HTMLElement {
  async connectedCallback() {
    this.game = decodeURIComponent(location.pathname.slice("/review/".length));
    this.film = new Film(this.game);
    this.heard = (event) => this.key(event);
    document.addEventListener("keydown", this.heard);
    await moreWords("review", "table");
    bar({ title: t("review.title") });
    const seat = new URLSearchParams(location.search).get("seat");
    await this.look(/^\d{1,2}$/.test(seat ?? "") ? Number(seat) : null);
  }

  disconnectedCallback() {
    document.removeEventListener("keydown", this.heard);
    this.stage?.pause();
  }

  // Lets the coach look at a seat; the first time that may take a while, and the page says so.
  async look(seat) {
    this.stage?.pause();
    const busy = setTimeout(() => this.wait(), SOON);
    const asked = this.asked = {};
    try {
      const found = await this.film.review(seat);
      if (this.asked === asked && this.isConnected) this.lay(found);
    } catch (refused) {
      if (this.asked === asked) fill(this, h("p", { class: "paper says", role: "alert" }, refused.text ?? t("review.none")));
    } finally {
      clearTimeout(busy);
    }
  }

  wait() {
    fill(this, h("p", { class: "paper says", role: "status" }, t("review.busy"), " ", h("small", {}, t("review.first_time"))));
    aloud(t("review.busy"));
  }

  lay(found) {
    const { review, seats, seat, title, publisher } = found;
    this.found = found;
    const place = this.stage?.place ?? null;
    this.mistakes = review.decisions.filter((one) => one.grade !== FINE);
    const boxes = found.block.boxes ?? [];
    this.chart = new Chart(review, (box) => boxes.find((one) => one.box === box)?.name ?? box);
    this.stage = new Stage(found, this.film, this.mistakes, { shown: (view) => this.shown(view), jump: (decision) => this.jump(decision) });
    this.stage.below.append(this.goOn());
    fill(this, this.head(found), this.stage.element, h("div", { class: "after" }, this.chart.element, this.list()));
    bar({ title: t("review.of", { title }), under: [publisher, seats[seat].name].filter(Boolean).join(" · ") });
    document.title = `${t("review.of", { title })} · ${seats[seat].name}`;
    if (place === null && this.mistakes.length) this.stage.toDecision(this.mistakes[0]);
    else this.stage.show(place ?? 0);
  }

  // The ledger in one sentence, what its words mean, and whose it is.
  head({ review, seats, seat }) {
    const values = { par: figure(review.par), luck: signedFigure(review.luck), lost: figure(review.lost), final: figure(review.final) };
    return h("section", { class: "paper headline", "aria-labelledby": "headline" },
      seats.length > 1 && this.who(seats, seat),
      h("h2", { id: "headline" }, h("span", { "data-ledger": "" }, t(`review.headline_${review.unit}`, values)), " ", h("em", {}, this.found.class)),
      h("p", { class: "means" }, t(`review.means_${review.unit}`)),
      remarks(this.found).map((one) => h("p", { class: "means" }, one)));
  }

  who(seats, now) {
    return h("fieldset", { class: "whose" }, h("legend", { class: "unseen" }, t("review.who")),
      h("div", { class: "picks" }, seats.map((seat, place) => h("label", { class: "pick" },
        h("input", { type: "radio", name: "who", value: String(place), checked: place === now, onchange: () => this.choose(place) }),
        h("span", {}, seat.name)))));
  }

  async choose(seat) {
    history.replaceState(null, "", `${location.pathname}?seat=${seat}`);
    await this.look(seat);
    this.querySelector(".whose input:checked")?.focus({ preventScroll: true });
  }

  // Everything worse than fine; each leads to its position.
  list() {
    const rounds = this.found.review.unit === "percent";
    return h("section", { class: "paper mistakes", "aria-labelledby": "mistakes" }, h("h2", { id: "mistakes" }, t("review.better")),
      !this.mistakes.length && h("p", {}, t("review.nothing_better")),
      h("ol", {}, this.mistakes.map((one) => h("li", {}, h("button", { class: "mistake", type: "button", "data-event": one.event, onclick: () => this.jump(one) },
        h("b", {}, cost(one.loss)), h("span", { class: "what" },
          h("span", { class: "when" }, t(!one.dice.length ? "review.when_first" : rounds ? "review.when_round" : "review.when_turn", { turn: one.turn, grade: this.found.names[one.grade], dice: one.dice.join(" ") })),
          h("span", { class: "moves" }, t("review.moves", { played: one.played, best: one.best })), one.why && h("q", {}, one.why)))))));
  }

  jump(decision) {
    this.stage.toDecision(decision);
    this.stage.element.scrollIntoView({ block: "start", behavior: "instant" });
    this.stage.slider.focus({ preventScroll: true });
  }

  // A position is on the table: its turn is marked in the chart, its mistake in the list.
  shown({ turn, decision, over }) {
    this.chart.mark(turn);
    for (const one of this.querySelectorAll("[data-event]")) mark(one, "aria-current", decision && one.dataset.event === String(decision.event) ? "true" : null);
    outline(this.stage.element, decision && decision.grade !== FINE ? decision.best_action : null);
    this.goes.disabled = over;
  }

  // Plays on from the position on the table, against bots.
  goOn() {
    const { family, seats } = this.found;
    this.bot ??= usualBot(house.hello, family).bot;
    this.goes = h("button", { class: "button act", type: "button", "data-act": "play-on", onclick: () => this.playOn() }, t("review.play_on"));
    return h("div", { class: "play-on" }, seats.length > 1 && choice(t("review.against"), botOptions(house.hello, family), this.bot, (bot) => { this.bot = bot; }, "bot"), this.goes);
  }

  async playOn() {
    this.stage.pause();
    this.goes.disabled = true;
    try {
      const { room } = await house.command({ do: "play_on", game: this.game, event: this.stage.event, seat: this.found.seat, bot: this.bot });
      await house.beginAt(room).catch((refused) => toast(refused.text ?? String(refused)));
      go(`/room/${room}`);
    } catch (refused) {
      toast(refused.text ?? String(refused));
      this.goes.disabled = false;
    }
  }

  // Arrows step, n and p find mistakes, space plays; a field or a button that is held keeps its own keys.
  key(event) {
    const { stage } = this, { key, target } = event;
    if (!stage || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || document.querySelector("dialog[open], .menu")) return;
    const slides = target === stage.slider;
    if (!slides && target.closest("input, select, textarea")) return;
    const act = { n: () => stage.mistake(1), p: () => stage.mistake(-1) }[key]
      ?? (slides ? undefined : { ArrowLeft: () => stage.step(-1), ArrowRight: () => stage.step(1) }[key])
      ?? (key === " " && !target.closest("button, a, summary") ? () => stage.play() : null);
    if (!act) return;
    act();
    event.preventDefault();
  }
}

// What one must know to read the figures.
function remarks({ review, seats, seat }) {
  return [
    seats[seat].assisted && t("review.assisted", { name: seats[seat].name }),
    !review.over && t("review.unfinished"),
    review.undone > 0 && t("review.undone", { n: review.undone }),
    review.bent > 0 && t("review.bent", { n: review.bent }),
    review.corrected > 0 && t("review.corrected", { n: review.corrected }),
    review.stood_in > 0 && t("review.stood_in", { n: review.stood_in }),
    review.parts.some((part) => part.kind === "round") && t("review.rounds_apart"),
  ].filter(Boolean);
}

customElements.define("knobel-review", ReviewPage);
