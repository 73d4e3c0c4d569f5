/* What players do at the table: every press and key ends here, and becomes an intent for the server. */

import { askYesNo } from "./dialogs.js";
import { beginGame } from "./game-starter.js";
import { writeRoll } from "./notation.js";
import { required } from "./required.js";
import { playSound } from "./sound.js";
import { t } from "./translations.js";

// The actions of one table.
export class TableActions {
  /** @param {TablePage} table */
  constructor(table) {
    this.table = table;
    this.gate = table.gate;
  }

  /**
   * Sends an action of the active seat; note holds what is shown of it until it has arrived.
   * @param {string} action
   * @param {EntryNote} [note]
   */
  send(action, note) {
    const { model, shownSeat, pad, position } = this.table;
    const { seat } = required(model.tray, "tray");
    shownSeat.stopLingering();
    shownSeat.confirmHandover();
    if (pad?.queuesSeat(seat)) return pad.act(action, note);
    return this.gate.send({ want: "act", seat, ply: position.view.seats[seat].ply, action });
  }

  /**
   * Rolls, or stops rolling where that is all there is; says whether anything was done.
   * @returns {boolean}
   */
  doMainAction() {
    const { mainButton, tray, gameInfo, family, kept } = this.table.model;
    if (!tray || !this.table.canAct || !mainButton.ready || this.gate.isBusy) return false;
    if (mainButton.does === "stand") return this.stand(family.listStands(tray)[0]);
    this.send(writeRoll(gameInfo.dice, tray.dice, kept));
    return true;
  }

  /**
   * Stops rolling; an opener says with it what the others must do.
   * @param {Wire.StandView} way
   */
  stand(way) {
    if (!this.table.canAct || this.gate.isBusy) return false;
    confirmStand(this, way);
    return true;
  }

  /**
   * Stops by keyboard: over, under, or the only way there is.
   * @param {string | null} aim
   */
  standByKey(aim) {
    const { model } = this.table;
    const ways = model.tray && this.table.canAct ? model.family.listStands(model.tray) : [];
    const way = ways.find((one) => one.aim === aim) ?? (ways.length === 1 ? ways[0] : null);
    return way !== null && this.stand(way);
  }

  /**
   * A box was chosen: announced before the first roll, scored afterwards; a zero that hurts is asked about.
   * @param {BoxOption} option
   */
  async chooseBox(option) {
    if (!this.table.canAct || this.gate.isBusy) return;
    if (!this.table.model.tray?.dice.length) return this.send(required(option.announce_action, "action"));
    if (
      option.warn_zero &&
      !(await confirmZero(this.table.model, option, describeBetter(this.table.model), "table.zero_title"))
    )
      return;
    this.send(required(option.action, "action"), {
      box: option.box,
      shown: option.points === null ? "?" : String(option.points),
    });
  }

  /**
   * Scores the only box that is left, without a question.
   * @param {BoxOption} option
   */
  scoreLast(option) {
    if (this.table.canAct && !this.gate.isBusy) this.send(required(option.action, "action"));
  }

  /** @param {BoxOption} option */
  async crossOut(option) {
    if (
      await confirmZero(
        this.table.model,
        option,
        t("table.cross_out_text", { n: option.points }),
        "table.cross_out_title",
      )
    )
      this.send(required(option.cross_out_action, "action"), { box: option.box, shown: "0" });
  }

  /**
   * Scores a zero in the focused box; says whether there is one.
   * @param {HTMLElement} target
   * @returns {boolean}
   */
  crossOutFocused(target) {
    const { board, model, pad } = this.table;
    const option = this.table.canAct && target.dataset.box ? board.findOption(target.dataset.box) : null;
    if (!option || option.refusal || !model.tray?.dice.length) return pad?.entry.scoreZero(option) ?? false;
    if (option.can_cross_out) this.crossOut(option);
    else this.chooseBox(option);
    return true;
  }

  /**
   * Keeps a die or lets it go; a real one that was entered is entered anew.
   * @param {number} place
   */
  toggleKeep(place) {
    const { tray, choosing } = this.table.model;
    if (!this.table.canAct || this.table.pad?.diceEntry.tapDie(place)) return;
    if (!choosing || tray?.locked.includes(place)) return;
    this.table.keptDice.toggle(place);
    playSound("keep");
    this.table.draw();
  }

  /**
   * A number on the keyboard: a place to keep, or what the next real die shows; 0 clears the last one.
   * @param {number} n
   * @returns {boolean}
   */
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
    return this.gate.run(() =>
      beginGame((refused) =>
        askYesNo({ title: t("end.seeds_title"), text: refused.text, yes: t("end.seeds_yes"), no: t("end.seeds_no") }),
      ),
    );
  }

  /** @param {boolean} others Whether people on other devices play, too. */
  async stopGame(others) {
    if (
      await askYesNo({
        title: t("table.stop_title"),
        text: t(others ? "table.stop_text" : "table.stop_alone_text"),
        yes: t(others ? "table.stop" : "table.stop_alone"),
        no: t("table.play_on"),
        harmful: true,
      })
    )
      this.gate.send({ want: "stop" });
  }
}

/**
 * @param {TableModel} model
 * @param {BoxOption} option
 * @param {string} text
 * @param {string} title
 */
function confirmZero({ gameInfo }, { box }, text, title) {
  const name = nameBox(gameInfo, box);
  return askYesNo({
    title: t(title, { box: name }),
    text,
    yes: t("table.zero_yes"),
    no: t("table.zero_no"),
    harmful: true,
  });
}

/**
 * Says where the dice would score, best first of what the server offers.
 * @param {TableModel} model
 */
function describeBetter({ gameInfo, tray }) {
  const worth = (/** @type {BoxOption} */ one) => (one.points ?? 0) + one.extra;
  const options = (tray?.options ?? []).filter((one) => !one.refusal);
  const best = options.reduce(
    (/** @type {BoxOption | null} */ most, one) => (most && worth(most) >= worth(one) ? most : one),
    null,
  );
  if (!best || !worth(best)) return t("table.zero_text");
  return t("table.zero_better", { box: nameBox(gameInfo, best.box), n: worth(best) });
}

/**
 * @param {GameInfo} gameInfo
 * @param {string} box
 */
function nameBox({ boxes }, box) {
  return boxes?.find((one) => one.box === box)?.name ?? box;
}

/**
 * Stops at once, or asks first where that fails although it could be rolled again.
 * @param {TableActions} actions
 * @param {Wire.StandView} way
 */
async function confirmStand(actions, way) {
  const { table, gate } = actions;
  const { tray, family, choosing, finalDice } = table.model;
  const doubt = tray && choosing && !finalDice ? family.doubtStand(tray) : null;
  if (doubt && !((await askYesNo(doubt)) && table.canAct && !gate.isBusy)) return;
  actions.send(way.action);
}
