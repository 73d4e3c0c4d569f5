/* A family of games that lives only in the tests: a coin is tossed, heads are counted. */

import { h, setText } from "/static/dom.js";

class CoinBoard {
  constructor(gameInfo, seats, handlers) {
    this.counts = seats.map(() => h("b"));
    this.headButtons = seats.map((_, seat) =>
      h("button", { type: "button", onclick: () => handlers.player(this.headButtons[seat], seat) }),
    );
    this.element = h(
      "section",
      { class: "board paper coins", "aria-label": gameInfo.title },
      this.headButtons.map((button, seat) => h("p", { "data-seat": seat }, button, " ", this.counts[seat])),
    );
  }

  draw({ view }) {
    view.seats.forEach((one, seat) => {
      setText(this.headButtons[seat], one.name);
      setText(this.counts[seat], `${one.heads} of ${view.goal}`);
    });
  }

  findOption() {
    return null;
  }

  moveFocus() {}

  updateTabStop() {
    return null;
  }
}

const nothing = () => null;

export const family = {
  createBoard: (gameInfo, seats, handlers) => new CoinBoard(gameInfo, seats, handlers),
  startTutorial: nothing,
  buildReviewMargin: nothing,
  hasPlayerStrip: false,
  hasLiveRanking: false,
  hasSeriesTable: false,
  countLines: () => 1,
  describeScore: (seat) => `${seat.heads} heads`,
  describeTotal: (seat) => `${seat.heads} heads`,
  describePace: nothing,
  describeRound: (view) => `toss ${view.round}`,
  describeUndo: () => "Undo",
  describeCorrections: nothing,
  describeDice: (tray) => `face ${tray?.dice[0] ?? "?"}`,
  findBest: () => 0,
  describeBest: nothing,
  listStands: () => [],
  describeStand: () => "",
  explainStand: () => "",
  doubtStand: () => null,
  describeRolloff: () => "Toss",
  describeAllKept: () => "Kept",
  turnKey: (view) => String(view.round),
};
