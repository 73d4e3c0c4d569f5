/* A margin beside the score sheet of a review, for what the coach notes about the turn of each box. */

import { h, setChildren } from "./dom.js";
import { formatLoss } from "./number-format.js";
import { t } from "./translations.js";

// Adds the margin to a board: mistakes by the box their turn filled; jump(decision) leads to one.
export function buildReviewMargin(board, gameInfo, { seat, mistakes, boxByTurn, jump }) {
  const table = board.element.querySelector("table");
  for (const row of table.querySelectorAll("thead tr")) row.append(h("th", { scope: "col", role: "columnheader", class: "margin" }, t("review.notes")));
  for (const row of table.querySelectorAll("tbody tr, tfoot tr")) row.append(h("td", { class: "margin", role: "cell" }));
  gameInfo.boxes.forEach(({ box }, index) => {
    board.cells[seat][index].td.dataset.row = box;
    const found = mistakes.filter((one) => boxByTurn.get(one.turn) === box);
    setChildren(board.nameButtons[index].closest("tr").lastElementChild, found.map((one) => h("button", { class: "pencil", type: "button", "data-event": one.event, onclick: () => jump(one) },
      h("b", {}, formatLoss(one.loss)), " ", t("review.best", { best: one.best }))));
  });
}
