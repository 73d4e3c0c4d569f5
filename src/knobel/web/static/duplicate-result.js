/* The result of a duplicate game: everybody against the average of the table, against par, and by points lost. */

import { fetchDuplicateResult } from "./api.js";
import { h, setChildren } from "./dom.js";
import { formatNumber, formatSigned } from "./number-format.js";
import { listPlaces } from "./outcome.js";
import { t } from "./translations.js";

/**
 * Shows who has done how well as soon as that is worked out; a game that is not the newest any more is dropped.
 * @param {HTMLElement} place
 * @param {GameView} view
 */
export async function showDuplicateResult(place, view) {
  const result = await fetchDuplicateResult(view.game);
  if (place.dataset.game !== view.game) return;
  const heads = [t("end.against_average"), t("end.against_par"), t("end.points_lost")];
  setChildren(
    place,
    h(
      "table",
      { class: "same-dice-table" },
      h("caption", {}, t("end.same_dice")),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("td", {}),
          heads.map((head) => h("th", { scope: "col" }, head)),
        ),
      ),
      h(
        "tbody",
        {},
        listPlaces(view).map(({ seat }) => {
          const { against_average, against_par, lost } = result.seats[seat];
          return h(
            "tr",
            { "data-seat": seat },
            h("th", { scope: "row" }, view.seats[seat].name),
            h("td", {}, formatDifference(against_average)),
            h("td", {}, formatDifference(against_par)),
            h("td", {}, lost === null ? "–" : formatNumber(lost)),
          );
        }),
      ),
    ),
    result.par !== null && h("p", { class: "same-dice-note" }, t("end.par_of_dice", { n: result.par })),
  );
}

/** @param {number | null} points */
function formatDifference(points) {
  return points === null ? "–" : formatSigned(points);
}
