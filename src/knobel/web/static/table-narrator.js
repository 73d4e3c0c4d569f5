/* What the table says: one announcement for each action, sounds, and titles. */

import { describeOutcome } from "./game-over.js";
import { readAloud } from "./live-region.js";
import { playSound } from "./sound.js";
import { describeGame, describeTurn } from "./table-titles.js";

// Announces what happens at one table.
export class TableNarrator {
  constructor(table) {
    this.table = table;
    this.reset();
  }

  reset() {
    this.narratedSeat = undefined;
  }

  // Says what happened, then whose turn it is if that changed.
  narrate(before, fresh) {
    const { model, position } = this.table;
    const { view, tray, seat, over, finalDice } = model;
    const player = tray && !over && !view.waiting.length ? seat : null;
    const turned = player !== this.narratedSeat;
    if (before && !fresh && !turned) return;
    this.narratedSeat = player;
    const turn = turned && player !== null && (view.trays.length === 1 ? tray.prompt : before && finalDice && this.table.pad.describePrompt(model));
    const happened = position.narration.join(" ");
    const text = [happened, turn].filter(Boolean).join(" ");
    if (text) this.table.tray.showStatus(finalDice && happened ? happened : text);
    readAloud(text, text && model.family.describeBest(model), turned && over && view.places && describeOutcome(view));
    if (turned && before && model.mine) playSound("turn");
  }

  // Plays the sound of rolling dice or, for any other action, of a pencil.
  playLast(fresh, landed) {
    if (landed) this.tumble(landed.positions);
    else if (fresh && this.table.position.last.some((event) => event.event === "acted")) playSound("score");
  }

  tumble(places) {
    playSound("roll");
    const time = this.table.tray.tumbleDice(places);
    if (!time) return;
    this.table.classList.add("tumbling");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.table.classList.remove("tumbling"), time * 0.8);
  }

  updateTitles(model, screen) {
    this.table.bar.setUnder(describeGame(model, screen));
    document.title = `${describeTurn(model)} · ${model.gameInfo.title}`;
  }
}
