/* How everybody stands so far, where there is nothing to enter on this device. */

import { h, setChildren } from "./dom.js";
import { placeOf } from "./table-model.js";
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
    const seats = view.seats
      .map((_, seat) => seat)
      .sort((one, other) => placeOf(view, one) - placeOf(view, other) || one - other);
    setChildren(
      this.element,
      seats.map((seat) =>
        h(
          "li",
          { class: placeOf(view, seat) === 1 ? "first" : null },
          h("span", { class: "place" }, `${placeOf(view, seat)}.`),
          h("span", { class: "name" }, view.seats[seat].name),
          h("b", {}, String(view.seats[seat].total)),
        ),
      ),
    );
  }
}
