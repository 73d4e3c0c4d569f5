/* How everybody stands so far, where there is nothing to enter on this device. */

import { h, setChildren } from "./dom.js";
import { hidesTurns, isSeatHidden, placeOf } from "./table-model.js";
import { t } from "./translations.js";

// The list of one table.
export class LiveRanking {
  constructor() {
    this.element = h("ol", { class: "ranking so-far", "aria-label": t("pad.so_far") });
  }

  /**
   * @param {TableModel} model
   * @param {boolean} watching
   */
  draw({ view, over }, watching) {
    this.element.hidden = !watching || over;
    if (!watching) return;
    // What is hidden has no place.
    const isRanked = !hidesTurns(view);
    const seats = view.seats
      .map((_, seat) => seat)
      .sort((one, other) => (isRanked ? placeOf(view, one) - placeOf(view, other) : 0) || one - other);
    setChildren(
      this.element,
      seats.map((seat) =>
        h(
          "li",
          { class: isRanked && placeOf(view, seat) === 1 ? "first" : null },
          isRanked && h("span", { class: "place" }, `${placeOf(view, seat)}.`),
          h("span", { class: "name" }, view.seats[seat].name),
          h("b", {}, isSeatHidden(view, seat) ? "–" : String(view.seats[seat].total)),
        ),
      ),
    );
  }
}
