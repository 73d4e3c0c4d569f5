/* What players do at the table: every press and key ends here, and becomes an intent for the server. */

import { askYesNo } from "./dialogs.js";
import { beginGame } from "./game-starter.js";
import { writeRoll } from "./notation.js";
import { playSound } from "./sound.js";
import { t } from "./translations.js";

// The actions of one table.
export class TableActions {
  constructor(table) {
    this.table = table;
    this.gate = table.gate;
  }

  // Sends an action of the active seat; note holds what is shown of it until it has arrived.
  send(action, note) {
    const { model, shownSeat, pad, position } = this.table;
    const { seat } = model.tray;
    shownSeat.stopLingering();
    shownSeat.confirmHandover();
    if (pad?.queuesSeat(seat)) return pad.act(action, note);
    return this.gate.send({ want: "act", seat, ply: position.view.seats[seat].ply, action });
  }

  pressMainButton(event) {
    if (!this.gate.isDoublePress(event) && this.doMainAction()) this.gate.rememberPress(event);
  }

  // Rolls, or stops rolling where that is all there is; says whether anything was done.
  doMainAction() {
    const { mainButton, tray, gameInfo, family, kept } = this.table.model;
    if (!this.table.canAct || !mainButton.ready || this.gate.isBusy) return false;
    if (mainButton.does === "stand") return this.stand(family.listStands(tray)[0]);
    this.send(writeRoll(gameInfo.dice, tray.dice, kept));
    return true;
  }

  // Stops rolling; an opener says with it what the others must do.
  stand(way) {
    if (!this.table.canAct || this.gate.isBusy) return false;
    this.gate.forgetPress();
    this.send(way.action);
    return true;
  }

  // Stops by keyboard: over, under, or the only way there is.
  standByKey(aim) {
    const { model } = this.table;
    const ways = this.table.canAct ? model.family.listStands(model.tray) : [];
    const way = ways.find((one) => one.aim === aim) ?? (ways.length === 1 && ways[0]);
    return Boolean(way) && this.stand(way);
  }

  // A box was chosen: announced before the first roll, scored afterwards; a zero that hurts is asked about.
  async chooseBox(option) {
    if (!this.table.canAct || this.gate.isBusy) return;
    this.gate.forgetPress();
    if (!this.table.model.tray.dice.length) return this.send(option.announce_action);
    if (option.warn_zero && !await confirmZero(this.table.model, option, t("table.zero_text"), "table.zero_title")) return;
    this.send(option.action, { box: option.box, shown: option.points === null ? "?" : String(option.points) });
  }

  async crossOut(option) {
    if (await confirmZero(this.table.model, option, t("table.cross_out_text", { n: option.points }), "table.cross_out_title")) this.send(option.cross_out_action, { box: option.box, shown: "0" });
  }

  // Scores a zero in the focused box; says whether there is one.
  crossOutFocused(target) {
    const { board, model, pad } = this.table;
    const option = this.table.canAct && target.dataset.box ? board.findOption(target.dataset.box) : null;
    if (!option || option.refusal || !model.tray.dice.length) return pad?.entry.scoreZero(option) ?? false;
    if (option.can_cross_out) this.crossOut(option);
    else this.chooseBox(option);
    return true;
  }

  // Keeps a die or lets it go; a real one that was entered is entered anew.
  toggleKeep(place) {
    this.gate.forgetPress();
    const { tray, choosing } = this.table.model;
    if (!this.table.canAct || this.table.pad?.diceEntry.tapDie(place)) return;
    if (!choosing || tray.locked.includes(place)) return;
    this.table.keptDice.toggle(place);
    playSound("keep");
    this.table.draw();
  }

  // A number on the keyboard: a place to keep, or what the next real die shows; 0 clears the last one.
  enterNumber(n) {
    const { model, pad } = this.table;
    if (!this.table.canAct) return false;
    if (model.slots || !n) return pad?.diceEntry.enterFace(n) ?? false;
    if (model.finalDice || n > model.gameInfo.dice) return false;
    this.toggleKeep(n - 1);
    return true;
  }

  undo() {
    const { undo, seats } = this.table.position.view;
    if (this.table.pad?.undo()) return true;
    if (undo === null) return false;
    this.gate.send({ want: "undo", seat: undo, ply: seats[undo].ply });
    return true;
  }

  // Lets a bot move at once, or confirms the end.
  continueGame() {
    const { over, help, view } = this.table.model;
    if (help !== "go-on" && !(over && !view.closed)) return false;
    this.gate.send({ want: "go_on", ply: view.ply }, (refused) => refused.code === "stale" && !over);
    return true;
  }

  beginNextGame() {
    return this.gate.run(() => beginGame((refused) => askYesNo({ title: t("end.seeds_title"), text: refused.text, yes: t("end.seeds_yes"), no: t("end.seeds_no") })));
  }

  async stopGame() {
    if (await askYesNo({ title: t("table.stop_title"), text: t("table.stop_text"), yes: t("table.stop"), no: t("table.play_on") })) this.gate.send({ want: "stop" });
  }
}

function confirmZero({ gameInfo }, { box }, text, title) {
  const { name } = gameInfo.boxes.find((one) => one.box === box);
  return askYesNo({ title: t(title, { box: name }), text, yes: t("table.zero_yes"), no: t("table.zero_no") });
}
