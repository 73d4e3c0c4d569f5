/* Playing alone: your best, the chance to beat it from here, and at the end your ten best games. */

import { fetchChase } from "./api.js";
import { h, setChildren, setText } from "./dom.js";
import { formatNumber } from "./number-format.js";
import { getLanguage, t } from "./translations.js";

/**
 * Whether somebody plays alone on this device, for points.
 * @param {TableModel} model
 */
function isSolo({ view, family }) {
  return family.hasSeriesTable && view.seats.length === 1 && view.seats[0].yours && view.seats[0].bot === null;
}

// One quiet line at the table; it asks anew after every roll.
export class ChaseLine {
  /** @type {string | null} */
  asked = null;
  /** @type {number | null} */
  record = null;

  constructor() {
    this.element = h("p", { class: "chase", hidden: true });
  }

  /** @param {TableModel} model */
  async draw(model) {
    const { view, room, tray } = model;
    const key = isSolo(model) && !model.over && room ? `${view.game}/${view.ply}` : null;
    if (key === this.asked) return;
    this.asked = key;
    if (key === null || !room) {
      this.element.hidden = true;
      return;
    }
    // After an entry there is no chance to be told until the next roll; what is known stays.
    if (this.record !== null && tray && !tray.dice.length) {
      this.show(this.record, null);
      return;
    }
    const chase = await fetchChase(room.id, getLanguage()).catch(() => null);
    if (this.asked !== key) return;
    this.show(chase?.record ?? null, chase?.chance ?? null);
  }

  /**
   * @param {number | null} record
   * @param {Chase["chance"]} found
   */
  show(record, found) {
    this.record = record;
    this.element.hidden = record === null;
    if (record === null) return;
    const percent = found && formatNumber(100 * found.chance);
    if (!found) setText(this.element, t("chase.record", { record }));
    else setText(this.element, t(found.exact ? "chase.chance" : "chase.about", { record, percent }));
  }
}

// At the end: whether the record is beaten, and the ten best games.
export class BestGames {
  /** @type {string | null} */
  asked = null;

  constructor() {
    this.element = h("section", { class: "best-games", "aria-label": t("chase.best"), hidden: true });
  }

  /** @param {TableModel} model */
  async draw(model) {
    const { view, room } = model;
    const key = isSolo(model) && view.closed === "over" && room ? view.game : null;
    if (key === this.asked) return;
    this.asked = key;
    this.element.hidden = true;
    if (key === null || !room) return;
    const chase = await fetchChase(room.id, getLanguage()).catch(() => null);
    if (this.asked !== key || !chase?.best.length) return;
    setChildren(this.element, buildBestGames(chase));
    this.element.hidden = false;
  }
}

/** @param {Chase} chase */
function buildBestGames({ record, beaten, best }) {
  return [
    record !== null && h("p", { class: "record" }, t(beaten ? "chase.beaten" : "chase.missed", { record })),
    h("h3", {}, t("chase.best")),
    h(
      "ol",
      {},
      best.map((one) =>
        h(
          "li",
          { class: one.now ? "now" : null, "aria-current": one.now ? "true" : null },
          h("b", {}, String(one.total)),
          h("span", {}, one.now ? t("chase.now") : one.date),
          one.assisted && h("small", {}, t("player.assisted")),
        ),
      ),
    ),
  ];
}
