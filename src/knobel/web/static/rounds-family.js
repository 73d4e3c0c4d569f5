/* Games of rounds with chips at the table. Says what sheet-family.js explains. */

import { RoundEntry } from "./round-entry.js";
import { RoundsBoard } from "./rounds-board.js";
import { describeDoubt, describeStand, describeSum, explainStand } from "./rounds-words.js";
import { t } from "./translations.js";
import { startTutorial } from "./tutorial.js";

/**
 * The first turn, which begins with what the game is about: an opener ends it by over or under, a follower by beating the target.
 * @type {Guide<RoundsKind>}
 */
const GUIDE = {
  pref: "guided_rounds",
  steps: ["roll", "keep", "stand"],
  describe: (step, { aim }) => {
    if (step === "roll") return `${t("guide.goal_rounds")} ${t("guide.roll")}`;
    return t(step === "stand" ? `guide.stand${aim ? "_follower" : "_opener"}` : `guide.${step}`);
  },
  find: (tray, hasKept) =>
    !tray.rolled ? "roll" : tray.phase === "stand" || tray.rolled > 1 || hasKept ? "stand" : "keep",
};

/** @type {FamilyParts<RoundsKind>} */
export const family = {
  createBoard: (gameInfo, seats, handlers) => new RoundsBoard(gameInfo, seats, handlers),
  createEntry: (pad) => new RoundEntry(pad),
  loadCorrection: async () => (await import("./round-correction.js")).openRoundCorrection,
  startTutorial: (table) => startTutorial(table, GUIDE),
  buildReviewMargin: () => {},
  hasPlayerStrip: false,
  hasLiveRanking: false,
  hasSeriesTable: false,
  countLines: () => 1,

  describeScore: (seat, gameInfo) => (seat.chips === gameInfo.chips ? t("rounds.all_chips") : ""),
  describeTotal: (seat) => t("rounds.chips_n", { n: seat.chips }),
  describePace: () => null,
  describeRound: (view) => t("table.round_n", { round: view.round }),
  describeUndo: () => t("table.undo"),
  describeCorrections: () => null,

  describeDice: (tray) => (tray?.dice.length ? describeSum(tray) : ""),
  findBest: () => 0,
  describeBest: ({ tray }) => tray !== null && tray.dice.length > 0 && describeSum(tray),

  listStands: (tray) => tray.stands,
  describeStand: (way, tray) => describeStand(way, tray.sum),
  explainStand: (way, tray) => explainStand(way, tray.sum),
  doubtStand: (tray) => (tray.beats === false ? describeDoubt(tray.sum) : null),
  describeRolloff: (view, dice) =>
    view.tie && view.tie.kind !== "start" ? t("tray.roll", { n: dice }) : t("tray.roll_start"),
  describeAllKept: () => t("tray.all_kept_stand"),
  canPickUp: (tray) => tray.dice.length > 0,
  describeEntry: (name) => t("pad.who.lands", { name }),

  turnKey: (view, seat) => `${view.round} ${view.seats[seat].total !== null}`,

  review: {
    describeResult: ({ place, of }) => (place === null ? "" : t("review.place", { place, n: of })),
    heads: ["round", "luck", "lost"],
    listCells: () => [],
    describeTurn: (values) => t("review.round_says", values),
    describeWhen: (values) => t("review.when_round", values),
  },
};
