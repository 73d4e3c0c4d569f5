/* The board of a game of rounds: chips and kitty, what the opener asks, how everybody stands, the rounds so far. */

import "./table-styles.js";
import { findAll, h, loadStylesheet, setAttribute, setChildren, setText, svg } from "./dom.js";
import { drawEmblem } from "./inks.js";
import { canCorrect } from "./table-model.js";
import { t } from "./translations.js";

const PHONE_WIDTH = 700;

await loadStylesheet("rounds.css");

// The board of one game; `handlers` are {player(button, seat), press(button, seat, round)}.
export class RoundsBoard {
  /** @type {TableModel<RoundsKind>} */
  model;

  /**
   * @param {Wire.RoundsGameMessage} gameInfo
   * @param {OwnSeat[]} seats
   * @param {BoardHandlers} handlers
   */
  constructor(gameInfo, seats, handlers) {
    this.gameInfo = gameInfo;
    this.handlers = handlers;
    this.kittyChips = h("div", { class: "kitty-chips" });
    this.kittyLabel = h("p", { class: "kitty-label" });
    this.prompt = h("p", { class: "prompt paper" });
    this.playerRows = seats.map((_, place) => this.buildRow(place));
    this.logBody = h("div", { class: "log-rounds", tabindex: "0", role: "region", "aria-label": t("rounds.log") });
    this.log = h(
      "details",
      { class: "log", hidden: true, open: innerWidth > PHONE_WIDTH },
      h("summary", {}, t("rounds.log")),
      this.logBody,
    );
    this.element = h(
      "section",
      { class: "board paper rounds", "aria-label": t("rounds.table") },
      h("div", { class: "middle" }, h("div", { class: "kitty" }, this.kittyChips, this.kittyLabel), this.prompt),
      h(
        "table",
        { class: "players" },
        h("caption", { class: "unseen" }, t("rounds.caption", { title: gameInfo.title })),
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            ["player.player", "rounds.chips", "rounds.this"].map((key) => h("th", { scope: "col" }, t(key))),
          ),
        ),
        h(
          "tbody",
          {},
          this.playerRows.map((row) => row.tr),
        ),
      ),
      this.log,
    );
  }

  // The buttons with the names of the players.
  get headButtons() {
    return this.playerRows.map((row) => row.button);
  }

  /** @param {number} place */
  buildRow(place) {
    const name = h("span", { class: "who" });
    const note = h("small");
    /** @type {HTMLButtonElement} */
    const button = h(
      "button",
      { class: "name", type: "button", "aria-haspopup": "menu", onclick: () => this.handlers.player(button, place) },
      drawEmblem(place),
      name,
      note,
    );
    const row = {
      name,
      note,
      button,
      chips: h("td", { class: "chips-held" }),
      total: h("td", { class: "round-cell" }),
    };
    return { ...row, tr: h("tr", { "data-seat": place }, h("th", { scope: "row" }, button), row.chips, row.total) };
  }

  /** @param {TableModel<RoundsKind>} model */
  draw(model) {
    const { view, seat, over } = model;
    this.model = model;
    this.drawKitty(view);
    setText(this.prompt, describePrompt(model));
    this.prompt.hidden = !this.prompt.textContent;
    for (const [place, one] of view.seats.entries()) this.drawPlayer(one, place, place === seat && !over, view);
    this.drawLog(view);
  }

  /** @param {RoundsView} view */
  drawKitty({ kitty }) {
    const now = String(kitty);
    if (this.kittyChips.dataset.chips === now) return;
    this.kittyChips.dataset.chips = now;
    setChildren(
      this.kittyChips,
      Array.from({ length: this.gameInfo.chips }, (_, place) => drawChip(place < kitty)),
    );
    setText(this.kittyLabel, kitty ? t("rounds.kitty", { n: kitty }) : t("rounds.kitty_empty"));
  }

  /**
   * @param {RoundsSeat} one
   * @param {number} place
   * @param {boolean} now
   * @param {RoundsView} view
   */
  drawPlayer(one, place, now, view) {
    const row = this.playerRows[place];
    const out = one.left || one.place !== null;
    setText(row.name, one.name);
    setText(
      row.note,
      [describeSeatState(one, place, view), one.assisted && t("player.assisted")].filter(Boolean).join(" · "),
    );
    for (const [kind, on] of Object.entries({ now, out, opens: place === view.opener, yours: one.yours }))
      row.tr.classList.toggle(kind, on);
    setAttribute(row.tr, "aria-current", now ? "true" : null);
    setAttribute(
      row.button,
      "aria-label",
      [now ? t("player.now", { name: one.name }) : one.name, row.note.textContent].filter(Boolean).join(", "),
    );
    if (row.chips.dataset.chips !== String(one.chips)) {
      const before = row.chips.dataset.chips;
      row.chips.dataset.chips = String(one.chips);
      setChildren(
        row.chips,
        h("span", { class: "unseen" }, t("rounds.chips_n", { n: one.chips })),
        Array.from({ length: one.chips }, () => drawChip(true)),
        one.chips === 0 && h("span", { class: "no-chips", "aria-hidden": "true" }, "0"),
      );
      if (before !== undefined && Number(before) < one.chips) row.chips.lastElementChild?.classList.add("taken");
    }
    const made =
      one.total === null && !view.tie?.seats.includes(place)
        ? null
        : this.buildTotal(
            one,
            place,
            { round: view.round, corrected: one.corrected, mends: one.total !== null },
            buildRoundTotal(one, place, view),
          );
    if (row.total.innerHTML !== (made ? made.outerHTML : "")) setChildren(row.total, made);
  }

  /**
   * A player's total in a round; one entered with real dice can be corrected.
   * @param {RoundsSeat} one
   * @param {number} seat
   * @param {{ round: number, corrected: boolean, mends?: boolean }} entry
   * @param {(HTMLElement | string | false | null)[]} parts
   */
  buildTotal(one, seat, { round, corrected, mends = true }, parts) {
    const kind = corrected ? "round-total corrected" : "round-total";
    if (!mends || !canCorrect(this.model.view, one))
      return h("span", { class: kind, title: corrected ? t("table.note.corrected") : null }, parts);
    const label = [
      one.name,
      `${t("rounds.round")} ${round}`,
      ...parts.map((part) => part instanceof HTMLElement && part.textContent),
      corrected && t("table.note.corrected"),
      t("table.correct"),
    ];
    return h(
      "button",
      {
        class: kind,
        type: "button",
        "data-entry": round,
        "aria-label": label.filter(Boolean).join(", "),
        onclick: (event) => this.handlers.press?.(event.currentTarget, seat, String(round)),
      },
      parts,
    );
  }

  /**
   * The rounds so far, the newest first: a row for each round, a column for each player.
   * @param {RoundsView} view
   */
  drawLog({ log, seats, game, closed }) {
    const key = JSON.stringify([game, log, closed]);
    this.log.hidden = !log.length;
    if (this.log.dataset.drawn === key) return;
    this.log.dataset.drawn = key;
    setChildren(
      this.logBody,
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("th", { scope: "col" }, t("rounds.round")),
            seats.map((one) => h("th", { scope: "col" }, one.name)),
          ),
        ),
        h(
          "tbody",
          {},
          log
            .map((round) =>
              h(
                "tr",
                {},
                h("th", { scope: "row" }, String(round.round)),
                seats.map((one, seat) => this.buildLogCell(round, one, seat)),
              ),
            )
            .reverse(),
        ),
      ),
    );
  }

  /**
   * @param {Wire.RoundView} round
   * @param {RoundsSeat} one
   * @param {number} seat
   */
  buildLogCell(round, one, seat) {
    const total = round.totals.find(([place]) => place === seat)?.[1];
    const notes = [
      seat === round.opener && round.aim && t(`rounds.${round.aim}`),
      seat === round.loser && t("rounds.took"),
      seat === round.chip_from && t("rounds.gave"),
      round.left.includes(seat) && t("rounds.went"),
    ].filter(Boolean);
    const said = notes.length > 0 && h("small", {}, notes.join(", "));
    return h(
      "td",
      { class: seat === round.loser ? "loser" : seat === round.opener ? "opens" : null, "data-seat": seat },
      total === undefined
        ? said
        : this.buildTotal(one, seat, { round: round.round, corrected: round.corrected.includes(seat) }, [
            h("b", {}, String(total)),
            said,
          ]),
    );
  }

  /**
   * A game of rounds has no boxes to walk through: arrows reach the buttons below the dice.
   * @param {string} key
   */
  moveFocus(key) {
    const buttons = findAll(document, ".tray-actions button:not([hidden])");
    const at = buttons.findIndex((button) => button === document.activeElement);
    const step = key === "ArrowDown" || key === "ArrowRight" ? 1 : -1;
    buttons[(at + step + buttons.length) % buttons.length]?.focus();
  }

  updateTabStop() {
    return null;
  }

  findOption() {
    return null;
  }
}

/** @param {TableModel<RoundsKind>} model */
function describePrompt({ view, tray, over }) {
  if (over || !tray || view.waiting.length) return "";
  if (view.tie) return t(`rounds.tie.${view.tie.kind}`);
  if (view.aim) return t(`rounds.aim.${view.aim}`, { target: view.target });
  return view.opener === null ? "" : t("rounds.opens", { name: view.seats[view.opener].name });
}

/**
 * @param {RoundsSeat} one
 * @param {number} place
 * @param {RoundsView} view
 */
function describeSeatState(one, place, { opener, places }) {
  if (one.left) return t("player.gone");
  if (one.place !== null) return describePlace(one.place, places?.at(-1)?.includes(place) ?? false);
  if (one.stand_in) return t("player.stood_in");
  if (one.away) return t("player.away");
  return place === opener && !places ? t("rounds.opener") : "";
}

/**
 * Whoever has given away their chips is safe, the first one wins; whoever is left at the end loses.
 * @param {number} place
 * @param {boolean} isLast
 */
function describePlace(place, isLast) {
  if (place === 1) return t("rounds.place_first");
  return isLast ? t("rounds.place_last") : t("rounds.place_safe", { place });
}

/**
 * A player's result in this round: their total, and whether it is enough; in a tie, their roll-off.
 * @param {RoundsSeat} one
 * @param {number} place
 * @param {RoundsView} view
 */
function buildRoundTotal(one, place, { tie, opener, aim }) {
  const at = tie?.seats.indexOf(place) ?? -1;
  if (tie && at >= 0)
    return [h("b", {}, tie.sums[at] === undefined ? "" : String(tie.sums[at])), h("small", {}, t("rounds.rolls_off"))];
  if (one.total === null) return [];
  const word =
    place === opener
      ? aim && t(`rounds.${aim}`)
      : one.beats === null
        ? ""
        : t(one.beats ? "rounds.enough" : "rounds.short");
  return [h("b", {}, String(one.total)), word && h("small", { class: one.beats === false ? "short" : null }, word)];
}

/** @param {boolean} there */
function drawChip(there) {
  return svg(
    "svg",
    { class: there ? "token" : "token gap", viewBox: "0 0 24 24", width: 24, height: 24, "aria-hidden": "true" },
    svg("circle", { cx: 12, cy: 12, r: 11 }),
    svg("circle", { class: "notches", cx: 12, cy: 12, r: 9.2 }),
    svg("circle", { class: "ring", cx: 12, cy: 12, r: 6 }),
  );
}
