/* Score-sheet games at the table: a sheet with a column for each player. */

import { describeBonusPace, formatPaceBegun, isBonusOpen } from "./bonus-pace.js";
import { BoxEntry } from "./box-entry.js";
import { buildReviewMargin } from "./review-margin.js";
import { ScoreSheet } from "./score-sheet.js";
import { t } from "./translations.js";
import { startTutorial } from "./tutorial.js";

/** @type {Guide<SheetKind>} */
const GUIDE = {
  pref: "guided",
  steps: ["roll", "keep", "again", "choose"],
  describe: (step) => t(`guide.${step}`),
  find: (tray, hasKept) => {
    if (!tray.rolled) return "roll";
    if (tray.phase === "fill" || tray.rolled > 1) return "choose";
    return hasKept ? "again" : "keep";
  },
};

/**
 * The parts every family has.
 * @type {FamilyParts<SheetKind>}
 */
export const family = {
  // The board: {element, headButtons, draw(model), findOption(box), moveFocus(key), updateTabStop()}.
  createBoard: (gameInfo, seats, handlers) => new ScoreSheet(gameInfo, seats, handlers),
  // What is entered by tapping the board where dice are real: {press(button, seat, entry), scoreZero(option), listMenuItems(box)}.
  createEntry: (pad) => new BoxEntry(pad),
  // Fetches how an entry is corrected: a class of dialogs.
  loadCorrection: async () => (await import("./box-correction.js")).openBoxCorrection,
  startTutorial: (table) => startTutorial(table, GUIDE),
  buildReviewMargin,
  hasPlayerStrip: true,
  hasLiveRanking: true,
  hasSeriesTable: true,
  // How many lines the board has, so that it fits the screen.
  countLines: ({ boxes, bonus, upper_total, lower_total, prime }) =>
    boxes.length + 1 + [bonus, upper_total, lower_total, prime].filter(Boolean).length,

  // What a player has, in a list of places, in a menu, and in the strip of players.
  describeScore: (seat) => String(seat.total),
  describeTotal: (seat) => t("player.total", { n: seat.total }),
  describePace: (seat, gameInfo) =>
    gameInfo.bonus && isBonusOpen(seat, gameInfo)
      ? {
          name: gameInfo.bonus.name,
          text: formatPaceBegun(seat, gameInfo),
          title: t("table.bonus_way", { upper: seat.upper, goal: gameInfo.bonus.goal }),
          label: describeBonusPace(seat.bonus_pace, gameInfo.bonus.name),
        }
      : null,
  describeRound: (view) => t("table.round", { round: view.round, rounds: view.rounds }),
  describeUndo: () => t("end.undo_last"),
  // What is said at the end about entries that can still be corrected.
  describeCorrections: (view) => (view.seats.some((seat) => seat.yours && seat.real_dice) ? t("end.mend") : null),

  // What the dice are worth: shown below them (null: no such line), the best points, and the same in words.
  describeDice: () => null,
  findBest: (tray) =>
    tray.dice.length
      ? Math.max(
          0,
          ...tray.options.filter((option) => !option.refusal).map((option) => (option.points ?? 0) + option.extra),
        )
      : 0,
  describeBest({ tray, best, gameInfo, mine }) {
    const found =
      tray && mine && best
        ? tray.options.filter((option) => !option.refusal && (option.points ?? 0) + option.extra === best)
        : [];
    return (
      found.length > 0 &&
      t("tray.best", {
        boxes: found.map((option) => gameInfo.boxes.find((box) => box.box === option.box)?.name).join(", "),
        n: best,
      })
    );
  },

  // The one button: ways to stop rolling, what a roll for the start is called, what to do where all dice are kept.
  listStands: () => [],
  describeStand: () => "",
  explainStand: () => "",
  doubtStand: () => null,
  describeRolloff: () => t("tray.roll_start"),
  describeAllKept: () => t("tray.choose_all_kept"),
  // Whether dice entered all at once can still be picked up again, from the phase the server says.
  canPickUp: (tray) => tray.phase === "fill",
  describeEntry: (name) => t("pad.who.writes", { name }),

  // Changes whenever a turn of a seat is over.
  turnKey: (view, seat) => String(view.seats[seat].entries),

  review: {
    hasWinChart: true,
    describeResult: ({ n }) => t("review.score", { n }),
    heads: ["turn", "box", "points", "luck", "lost"],
    listCells: ({ box, points }, gameInfo) => [
      gameInfo.boxes.find((one) => one.box === box)?.name ?? box ?? "",
      points ?? "",
    ],
    describeTurn: (values) => t("review.turn_says", values),
    describeWhen: (values) => t("review.when_turn", values),
  },
};
