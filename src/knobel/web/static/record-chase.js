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
    if (!found) {
      setText(this.element, t("chase.record", { record }));
      return;
    }
    if (!found.possible) {
      setText(this.element, t("chase.gone", { record }));
      return;
    }
    const percent = formatNumber(100 * found.chance);
    const parts = [t(found.exact ? "chase.chance" : "chase.about", { record, percent })];
    const most = found.greatest === null ? percent : formatNumber(100 * found.greatest);
    if (most !== percent) parts.push(t("chase.aim", { percent: most }));
    setText(this.element, parts.join(" · "));
  }
}

// At the end: whether the record is beaten, and the ten best games; their places are there before they are known.
export class BestGames {
  /** @type {string | null} */
  asked = null;

  constructor() {
    this.record = h("p", { class: "record", role: "status", hidden: true });
    this.list = h("ol");
    this.element = h(
      "details",
      { class: "fold best-games", hidden: true },
      h("summary", { "data-act": "best-games" }, t("chase.best")),
      this.list,
    );
  }

  /** @param {TableModel} model */
  async draw(model) {
    const { view, room } = model;
    const key = isSolo(model) && view.closed === "over" && room ? view.game : null;
    if (key === this.asked) return;
    this.asked = key;
    this.record.hidden = this.element.hidden = key === null;
    this.show(null);
    if (key === null || !room) return;
    const chase = await fetchChase(room.id, getLanguage()).catch(() => null);
    if (this.asked === key) this.show(chase);
  }

  /** @param {Chase | null} chase */
  show(chase) {
    const { record = null, beaten = false, best = [] } = chase ?? {};
    setText(this.record, record === null ? "" : t(beaten ? "chase.beaten" : "chase.missed", { record }));
    setChildren(this.list, best.map(buildBestGame));
  }
}

/** @param {Chase["best"][number]} one */
function buildBestGame({ now, total, date, assisted }) {
  return h(
    "li",
    { class: now ? "now" : null, "aria-current": now ? "true" : null },
    h("b", {}, String(total)),
    h("span", {}, now ? t("chase.now") : date),
    assisted && h("small", {}, t("player.assisted")),
  );
}
