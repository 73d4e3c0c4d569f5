/* What the table says: one announcement for each action, sounds, and titles. */

import { findCelebration, isPersonalBest, stamp } from "./celebration.js";
import { tumbleDuration } from "./dice.js";
import { readAloud } from "./live-region.js";
import { isRoll } from "./notation.js";
import { describeOutcome } from "./outcome.js";
import { playSound } from "./sound.js";
import { hidesTurns, isOwnPlayer } from "./table-model.js";
import { describeGame, describeTurn } from "./table-titles.js";
import { t } from "./translations.js";

/** @param {Position} position */
function findLanded({ last }) {
  return last.findLast((event) => event.event === "landed") ?? null;
}

/**
 * Who was drawn to start; whoever watches a duplicate game is told when they will see something.
 * @param {GameView} view
 */
function describeBeginning(view) {
  const isWatching = !view.seats.some((seat) => seat.yours);
  return view.drawn ?? (hidesTurns(view) && isWatching ? t("table.hidden_turns") : "");
}

/**
 * Whether only others are still playing, whose turns are hidden.
 * @param {GameView} view
 */
function waitsForOthers(view) {
  const isSeated = view.seats.some((seat) => isOwnPlayer(seat) && !seat.left);
  return hidesTurns(view) && isSeated && !view.waiting.length && !view.trays.some(({ seat }) => view.seats[seat].yours);
}

/**
 * Whether what happened is only what others have done.
 * @param {Position} position
 */
function isOthersDoing({ last, view }) {
  return last.length > 0 && last.every((event) => "seat" in event && !view.seats[event.seat].yours);
}

// Announces what happens at one table.
export class TableNarrator {
  /** @type {number | null | undefined} */
  narratedSeat;

  /** @param {TablePage} table */
  constructor(table) {
    this.table = table;
    this.reset();
  }

  reset() {
    this.narratedSeat = undefined;
  }

  /**
   * Says what happened, then whose turn it is if that changed.
   * @param {Position | null} before
   * @param {boolean} fresh
   */
  narrate(before, fresh) {
    const { model, position, pad } = this.table;
    const { view, tray, seat, over, finalDice } = model;
    const player = tray && !over && !view.waiting.length ? seat : null;
    const turned = player !== this.narratedSeat;
    if (before && !fresh && !turned) return;
    this.narratedSeat = player;
    const waits = !over && waitsForOthers(view);
    const isTheirs = hidesTurns(view) && isOthersDoing(position);
    const turn =
      turned &&
      !waits &&
      player !== null &&
      (view.trays.length === 1 ? tray?.prompt : before && finalDice && pad?.describePrompt(model));
    const happened = this.wasRemoved(before)
      ? t("player.removed_you")
      : position.narration.join(" ") || (before ? "" : describeBeginning(view));
    if (fresh && position.last.some((event) => event.event === "acted" && !isRoll(event.action)))
      this.table.tray.facts.addMove(happened);
    const text = [happened, turn].filter(Boolean).join(" ");
    // In the middle of one's own turn the line above the dice stays with it.
    if (waits) this.table.tray.showStatus([!isTheirs && happened, pad?.describeWait()].filter(Boolean).join(" "));
    else if (text && !(isTheirs && model.mine && tray?.dice.length))
      this.table.tray.showStatus(finalDice && happened ? happened : text);
    readAloud(text, text && model.family.describeBest(model), turned && over && view.places && describeOutcome(view));
    if (turned && before && model.mine) playSound("turn");
    if (before && over && view.places && !before.view.places) this.table.end.celebrate();
    if (before && !before.view.closed && view.closed === "over") this.celebrateBest();
    const celebrated = fresh ? findCelebration(before, position, findLanded(position)) : null;
    if (celebrated)
      setTimeout(
        () => this.table.isConnected && stamp(this.table.tray.element, celebrated, model.room?.names),
        tumbleDuration(),
      );
  }

  // A player alone on this device may have played their best game yet.
  celebrateBest() {
    const { model, end } = this.table;
    const own = model.view.seats.filter(isOwnPlayer);
    const best = own.length === 1 && model.family.hasLiveRanking && !own[0].left;
    if (best && isPersonalBest(model.room?.edition ?? "", own[0].total ?? 0)) stamp(end.element, "best");
  }

  /**
   * Whether the host has just taken somebody on this device out of the game.
   * @param {Position | null} before
   */
  wasRemoved(before) {
    const { position, players } = this.table;
    return Boolean(
      before &&
        position.view.seats.some(
          (seat, place) =>
            isOwnPlayer(seat) && seat.left && !before.view.seats[place].left && !players.leaving.has(place),
        ),
    );
  }

  /**
   * Plays the sound of rolling dice or, for any other action, of a pencil.
   * @param {boolean} fresh
   * @param {Wire.Landed | null} landed
   */
  playLast(fresh, landed) {
    if (landed) this.tumble(landed.positions);
    else if (fresh && this.table.position.last.some((event) => event.event === "acted")) playSound("score");
  }

  /** @param {number[]} places */
  tumble(places) {
    playSound("roll");
    const landed = this.table.tray.tumbleDice(places);
    if (!landed) return;
    this.table.classList.add("tumbling");
    // Dice that are rolled again in mid-air have not landed: the later roll ends it.
    landed.then((all) => all && requestAnimationFrame(() => this.table.classList.remove("tumbling")));
  }

  /**
   * @param {TableModel} model
   * @param {boolean} screen
   */
  updateTitles(model, screen) {
    this.table.bar.setUnder(describeGame(model, screen));
    document.title = `${describeTurn(model)} · ${model.gameInfo.title}`;
  }
}
