/* The strip of players: who plays, how they stand, what can be done about them, and what they say. */

import { connection } from "./connection.js";
import { askYesNo, openMenu } from "./dialogs.js";
import { find, getPart, h, setAttribute, setLetters, setText } from "./dom.js";
import { drawEmblem } from "./inks.js";
import { readAloud } from "./live-region.js";
import { hasListeners, REMARKS } from "./reactions.js";
import { renameSeat } from "./rename-dialog.js";
import { compact, required } from "./required.js";
import { isOwnPlayer, isSeatHidden, placeOf } from "./table-model.js";
import { t } from "./translations.js";

const MOST_WITH_NAME = 2;

// The strip of players of one game; `handlers` are {show(seat), follow(), want(intent)}.
export class PlayerStrip {
  /** @type {TableModel} */
  model;

  /**
   * @param {OwnSeat[]} seats
   * @param {{ show(seat: number): void, follow(): unknown, want(intent: Wire.Intent): unknown }} handlers
   */
  constructor(seats, handlers) {
    this.handlers = handlers;
    /**
     * The seats that leave because somebody here wants it.
     * @type {Set<number>}
     */
    this.leaving = new Set();
    this.badges = seats.map((_, place) => this.buildBadge(place));
    this.element = h(
      "ol",
      { class: "seats", "aria-label": t("player.all") },
      this.badges.map((chip) => chip.li),
    );
  }

  /** @param {number} place */
  buildBadge(place) {
    const parts = {
      name: h("span", { class: "name" }),
      total: h("b"),
      pace: h("small"),
      note: h("span", { class: "note" }),
    };
    /** @type {HTMLButtonElement} */
    const button = h(
      "button",
      { type: "button", "data-seat": place, onclick: () => this.handleTap(button, place) },
      drawEmblem(place),
      parts.name,
      parts.total,
      parts.pace,
      parts.note,
    );
    return { ...parts, button, li: h("li", {}, button) };
  }

  /**
   * @param {HTMLElement} button
   * @param {number} place
   */
  handleTap(button, place) {
    if (place === this.model.shown) this.openPlayerMenu(button, place);
    else this.handlers.show(place);
  }

  /** @param {TableModel} model */
  draw(model) {
    const before = this.model;
    this.model = model;
    const { view, seat, shown, over, gameInfo, family } = model;
    if (!family.hasPlayerStrip) return;
    view.seats.forEach((one, place) => {
      const chip = this.badges[place];
      const now = place === seat && !over && (model.mine || !view.free);
      const list = chip.li.classList;
      for (const [kind, on] of Object.entries({ now, shown: place === shown, bot: one.bot !== null, left: one.left }))
        list.toggle(kind, on);
      setText(chip.name, one.name);
      setLetters(chip.name, [one.name]);
      setAttribute(chip.button, "data-place", model.ranked && !one.left ? `${placeOf(view, place)}.` : null);
      const isHidden = isSeatHidden(view, place);
      setText(chip.total, isHidden ? "–" : String(one.total));
      const note = describeSeatState(one);
      setText(chip.note, note);
      const pace = over || isHidden ? null : family.describePace(one, gameInfo); // Nobody is on the way any more.
      setText(chip.pace, pace && !note ? describePaceShort(pace, view.seats.length) : "");
      setAttribute(chip.pace, "title", pace ? `${pace.label} · ${pace.title}` : null);
      setAttribute(chip.button, "aria-current", now ? "true" : null);
      setAttribute(chip.button, "aria-pressed", String(place === shown));
      setAttribute(
        chip.button,
        "aria-label",
        [
          now ? t("player.now", { name: one.name }) : one.name,
          !isHidden && family.describeTotal(one),
          pace?.label,
          model.ranked && !one.left && t("player.place", { place: placeOf(view, place) }),
          note,
        ]
          .filter(Boolean)
          .join(", "),
      );
    });
    if (before?.seat !== seat || before?.shown !== shown) this.scrollToPlayer(shown);
  }

  /** @param {number} place */
  scrollToPlayer(place) {
    const li = this.badges[place]?.li;
    if (!li) return;
    const at = li.offsetLeft - this.element.offsetLeft;
    this.element.scrollTo({ left: at - (this.element.clientWidth - li.offsetWidth) / 2 });
  }

  /**
   * Opens what can be done about a player.
   * @param {HTMLElement} button
   * @param {number} place
   */
  openPlayerMenu(button, place) {
    const { view, room, family } = this.model;
    const seat = view.seats[place];
    const here = view.seats.some((one) => one.yours);
    const person = seat.bot === null && !seat.left && !this.model.over;
    const items = compact([
      family.hasPlayerStrip &&
        place === this.model.shown &&
        place !== this.model.seat && { label: t("player.follow"), act: this.handlers.follow },
      family.hasPlayerStrip &&
        this.element.offsetParent !== null &&
        place !== this.model.shown && { label: t("player.see"), act: () => this.handlers.show(place) },
      isOwnPlayer(seat) &&
        hasListeners(view) && { label: t("player.say"), act: () => this.openRemarkMenu(button, place), hook: "say" },
      isOwnPlayer(seat) && { label: t("player.rename"), act: () => renameSeat(place, seat.name), hook: "rename" },
      seat.yours &&
        person &&
        (seat.away || seat.stand_in) && {
          label: t("player.back"),
          act: () => this.handlers.want({ want: "return", seat: place }),
          hook: "back",
        },
      person &&
        here &&
        seat.away &&
        !view.duplicate &&
        !seat.stand_in && {
          label: t("player.put_in", { name: seat.name }),
          act: () => this.chooseStandIn(place),
          hook: "put-in",
        },
      person && seat.yours && { label: t("player.leave"), act: () => this.confirmLeave(place), hook: "leave" },
      person &&
        !seat.yours &&
        room?.host && {
          label: t("player.remove", { name: seat.name }),
          act: () => this.confirmLeave(place),
          hook: "remove",
        },
    ]);
    openMenu(
      button,
      items,
      [seat.name, !isSeatHidden(view, place) && family.describeTotal(seat), describeSeatState(seat)]
        .filter(Boolean)
        .join(" · "),
    );
  }

  /**
   * @param {HTMLElement} button
   * @param {number} place
   */
  openRemarkMenu(button, place) {
    openMenu(
      button,
      REMARKS.map((remark) => ({ label: t(`remark.${remark}`), act: () => connection.sendRemark(place, remark) })),
      t("player.say"),
    );
  }

  /**
   * Asks which bot plays for somebody who is away.
   * @param {number} place
   */
  async chooseStandIn(place) {
    const room = required(this.model.room, "room").id;
    const { chooseBot } = await import("./bot-picker.js");
    const bot = await chooseBot(this.model.gameInfo.family, { room });
    if (bot) this.handlers.want({ want: "put_in", seat: place, bot: bot.bot });
  }

  /** @param {number} place */
  async confirmLeave(place) {
    const { name, yours } = this.model.view.seats[place];
    const no = t(yours ? "player.stay" : "player.remove_no");
    const first = {
      title: t(yours ? "player.leave_title" : "player.remove_title", { name }),
      text: t("player.leave_text"),
      yes: t(yours ? "player.leave_yes" : "player.remove_yes"),
      no,
      harmful: true,
    };
    const second = {
      title: t("player.sure_title"),
      text: t("player.sure_text", { name }),
      yes: t(yours ? "player.sure_yes" : "player.remove_sure"),
      no,
      harmful: true,
    };
    if (!(await askYesNo(first)) || !(await askYesNo(second))) return;
    this.leaving.add(place);
    this.handlers.want({ want: "leave", seat: place });
  }

  /**
   * Shows a remark at its player for a moment.
   * @param {number} place
   * @param {string} remark
   */
  showRemark(place, remark) {
    const at = [find(document, `.board [data-seat="${place}"]`), this.badges[place]?.li].find(
      (one) => one?.offsetParent,
    );
    if (!at) return;
    const box = at.getBoundingClientRect();
    const bubble = h("p", { class: "bubble" }, t(`remark.${remark}`));
    readAloud(`${this.model.view.seats[place].name}: ${t(`remark.${remark}`)}`);
    getPart("page").append(bubble);
    const left = Math.max(
      8,
      Math.min(box.left + box.width / 2 - bubble.offsetWidth / 2, innerWidth - bubble.offsetWidth - 8),
    );
    bubble.style.setProperty("top", `${box.bottom - 4}px`);
    bubble.style.setProperty("left", `${left}px`);
    setTimeout(() => bubble.remove(), 4000);
  }
}

/** @param {Seat} seat */
function describeSeatState(seat) {
  if (seat.left) return t("player.gone");
  if (seat.stand_in) return t("player.stood_in");
  return seat.away ? t("player.away") : seat.assisted ? t("player.assisted") : "";
}

/**
 * The pace on a chip: with the name of the bonus where there is room for it.
 * @param {{ name: string, text: string }} pace
 * @param {number} seats
 */
function describePaceShort({ name, text }, seats) {
  return text && seats <= MOST_WITH_NAME ? `${name} ${text}` : text;
}
