/* A margin beside the score sheet of a review, for what the coach notes about the turn of each box. */

import { h, setChildren } from "./dom.js";
import { formatLoss } from "./number-format.js";
import { required } from "./required.js";
import { t } from "./translations.js";

/**
 * Adds the margin to a board: mistakes by the box their turn filled; jump(decision) leads to one.
 * @param {SheetKind["board"]} board
 * @param {Wire.SheetGameMessage} gameInfo
 * @param {ReviewMargin} margin
 */
export function buildReviewMargin(board, gameInfo, { seat, mistakes, boxByTurn, jump }) {
  const table = required(board.element.querySelector("table"), "table");
  for (const row of table.querySelectorAll("thead tr"))
    row.append(h("th", { scope: "col", role: "columnheader", class: "margin" }, t("review.notes")));
  for (const row of table.querySelectorAll("tbody tr, tfoot tr"))
    row.append(h("td", { class: "margin", role: "cell" }));
  gameInfo.boxes.forEach(({ box }, index) => {
    board.cells[seat][index].td.dataset.row = box;
    const found = mistakes.filter((one) => boxByTurn.get(one.turn) === box);
    setChildren(
      required(board.nameButtons[index].closest("tr")?.lastElementChild, "margin"),
      found.map((one) =>
        h(
          "button",
          { class: "pencil", type: "button", "data-event": one.event, onclick: () => jump(one) },
          h("b", {}, t("review.cost_points", { n: formatLoss(one.loss) })),
          " ",
          t("review.best", { best: one.best }),
        ),
      ),
    );
  });
}
