/* The strip of players: who plays, how he stands, what can be done about him, and what he says. */

import { ask, menu } from "./ask.js";
import { h, mark, write } from "./dom.js";
import { house } from "./house.js";
import { t } from "./words.js";
import { aloud } from "./voice.js";
import { placeOf } from "./model.js";
import { signed } from "./sheet.js";

const REMARKS = ["hello", "thanks", "well_played", "lucky", "ouch", "your_turn", "moment", "again", "bye"];

// The strip of players of one game; `hands` are {show(seat), follow(), want(intent)}.
export class Players {
  constructor(seats, hands) {
    this.hands = hands;
    this.chips = seats.map((_, place) => this.chip(place));
    this.element = h("ol", { class: "seats", "aria-label": t("player.all") }, this.chips.map((chip) => chip.li));
  }

  chip(place) {
    const parts = { name: h("span", { class: "name" }), total: h("b"), gap: h("small"), note: h("span", { class: "note" }) };
    const button = h("button", { type: "button", "data-seat": place, onclick: () => this.tapped(button, place) },
      parts.name, parts.total, parts.gap, parts.note);
    return { ...parts, button, li: h("li", {}, button) };
  }

  tapped(button, place) {
    if (place === this.model.shown) this.open(button, place);
    else this.hands.show(place);
  }

  draw(model) {
    const before = this.model;
    this.model = model;
    const { view, seat, shown, over, block } = model;
    if (block.family !== "sheet") return;
    view.seats.forEach((one, place) => {
      const chip = this.chips[place];
      const now = place === seat && !over && (model.mine || !view.free);
      const list = chip.li.classList;
      for (const [kind, on] of Object.entries({ now, shown: place === shown, bot: one.bot !== null, left: one.left })) list.toggle(kind, on);
      write(chip.name, one.name);
      mark(chip.button, "data-place", model.ranked && !one.left ? `${placeOf(view, place)}.` : null);
      write(chip.total, String(one.total));
      const note = noteOf(one);
      write(chip.note, note);
      write(chip.gap, block.bonus && !note ? signed(one.gap) : "");
      mark(chip.gap, "title", block.bonus ? t("table.bonus_way", { upper: one.upper, goal: block.bonus.goal }) : null);
      mark(chip.button, "aria-current", now ? "true" : null);
      mark(chip.button, "aria-pressed", String(place === shown));
      mark(chip.button, "aria-label", [now ? t("player.now", { name: one.name }) : one.name, t("player.total", { n: one.total }),
        block.bonus && t("player.gap", { gap: signed(one.gap) }), model.ranked && !one.left && t("player.place", { place: placeOf(view, place) }), note].filter(Boolean).join(", "));
    });
    if (before?.seat !== seat || before?.shown !== shown) this.reveal(shown);
  }

  reveal(place) {
    const li = this.chips[place]?.li;
    if (!li) return;
    const at = li.offsetLeft - this.element.offsetLeft;
    this.element.scrollTo({ left: at - (this.element.clientWidth - li.offsetWidth) / 2 });
  }

  // Opens what can be done about a player.
  open(button, place) {
    const { view, room } = this.model;
    const seat = view.seats[place];
    const here = view.seats.some((one) => one.yours);
    const person = seat.bot === null && !seat.left && !this.model.over;
    const sheets = this.model.block.family === "sheet";
    const items = [
      sheets && place === this.model.shown && place !== this.model.seat && { label: t("player.follow"), act: this.hands.follow },
      sheets && place !== this.model.shown && { label: t("player.see"), act: () => this.hands.show(place) },
      seat.yours && seat.bot === null && { label: t("player.say"), act: () => this.remarks(button, place), hook: "say" },
      seat.yours && person && (seat.away || seat.stand_in) && { label: t("player.back"), act: () => this.hands.want({ want: "return", seat: place }), hook: "back" },
      person && here && seat.away && !seat.stand_in && { label: t("player.put_in", { name: seat.name }), act: () => this.standIns(button, place), hook: "put-in" },
      person && seat.yours && { label: t("player.leave"), act: () => this.leave(place), hook: "leave" },
      person && !seat.yours && room.host && { label: t("player.remove", { name: seat.name }), act: () => this.leave(place) },
    ].filter(Boolean);
    menu(button, items, [seat.name, this.model.block.family === "sheet" ? t("player.total", { n: seat.total }) : t("rounds.chips_n", { n: seat.chips }), noteOf(seat)].filter(Boolean).join(" · "));
  }

  remarks(button, place) {
    menu(button, REMARKS.map((remark) => ({ label: t(`remark.${remark}`), act: () => house.say(place, remark) })), t("player.say"));
  }

  standIns(button, place) {
    const bots = house.hello.bots[this.model.block.family];
    menu(button, bots.map(({ bot, name }) => ({ label: name, act: () => this.hands.want({ want: "put_in", seat: place, bot }) })), t("player.which_bot"));
  }

  async leave(place) {
    const { name, yours } = this.model.view.seats[place];
    const first = { title: t(yours ? "player.leave_title" : "player.remove_title", { name }), text: t("player.leave_text"), yes: t("player.leave_yes"), no: t("player.stay") };
    const second = { title: t("player.sure_title"), text: t("player.sure_text", { name }), yes: t("player.sure_yes"), no: t("player.stay") };
    if (await ask(first) && await ask(second)) this.hands.want({ want: "leave", seat: place });
  }

  // Shows a remark at its player for a moment.
  said(place, remark) {
    const at = [document.querySelector(`.block [data-seat="${place}"]`), this.chips[place]?.li].find((one) => one?.offsetParent);
    if (!at) return;
    const box = at.getBoundingClientRect();
    const bubble = h("p", { class: "bubble" }, t(`remark.${remark}`));
    aloud(`${this.model.view.seats[place].name}: ${t(`remark.${remark}`)}`);
    document.querySelector("main").append(bubble);
    const left = Math.max(8, Math.min(box.left + box.width / 2 - bubble.offsetWidth / 2, innerWidth - bubble.offsetWidth - 8));
    bubble.style.setProperty("top", `${box.bottom - 4}px`);
    bubble.style.setProperty("left", `${left}px`);
    setTimeout(() => bubble.remove(), 4000);
  }
}

function noteOf(seat) {
  if (seat.left) return t("player.gone");
  if (seat.stand_in) return t("player.stood_in");
  return seat.away ? t("player.away") : seat.assisted ? t("player.assisted") : "";
}
