/* Why fair dice feel unlucky, shown with the rolls of one game. */

import { chanceOfDrought, chanceOfUneven, tallyFaces } from "./dice-stats.js";
import { h, svg } from "./dom.js";
import { formatDecimal, t } from "./translations.js";

const MISCONCEPTIONS = ["misses", "rolls", "eyes", "streaks"];

/**
 * Counts the faces of a checked game; `nameOf` says whose a seat is.
 * @param {Verified} found
 * @param {(seat: number) => string} nameOf
 */
export function buildStatistics(found, nameOf) {
  const faces = found.header.rules.faces;
  const seats = tallyFaces(found.landings, found.header.seats.length, faces)
    .map((seat, place) => ({
      ...seat,
      name: nameOf(place),
      often: seat.dice ? chanceOfUneven(seat.counts) : 1,
    }))
    .filter((seat) => seat.dice);
  if (!seats.length) return null;
  const oddest = Math.min(...seats.map((seat) => seat.often));
  return h(
    "section",
    { class: "luck" },
    h("h3", {}, t("check.luck.title")),
    h("p", {}, t("check.luck.intro")),
    seats.map((seat, place) => buildFaceCounts(seat, faces, place === 0)),
    seats.length > 1 &&
      h(
        "p",
        {},
        t("check.luck.together", { count: seats.length, often: describeChance(1 - (1 - oddest) ** seats.length) }),
      ),
    h(
      "ul",
      {},
      MISCONCEPTIONS.map((thought) =>
        h("li", {}, h("b", {}, t(`check.luck.${thought}`)), " ", t(`check.luck.${thought}_why`)),
      ),
    ),
  );
}

/**
 * One player's faces beside what one would expect, and the longest wait for each.
 * @param {FaceTally & { name: string, often: number }} seat
 * @param {number} faces
 * @param {boolean} open
 */
function buildFaceCounts({ name, dice, real, counts, waits, often: odd }, faces, open) {
  const expected = dice / faces,
    most = Math.max(...counts, expected);
  const longest = Math.max(...waits),
    missed = waits.indexOf(longest) + 1,
    waited = chanceOfDrought(dice, longest, faces);
  /** @type {(key: string) => HTMLElement} */
  const column = (key) => h("th", { scope: "col" }, t(key));
  return h(
    "details",
    { class: "face-counts", open },
    h("summary", {}, t("check.luck.player", { name, n: dice })),
    h(
      "table",
      {},
      h(
        "caption",
        {},
        t("check.luck.expected", { expected: formatDecimal(expected, { whole: true }) }),
        real > 0 && ` ${t("check.luck.real")}`,
      ),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          column("check.luck.face"),
          column("check.luck.fell"),
          h("td", { class: "bars" }),
          column("check.luck.wait"),
        ),
      ),
      h(
        "tbody",
        {},
        counts.map((count, face) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, String(face + 1)),
            h("td", {}, String(count)),
            h("td", { class: "bars" }, drawBars(count / most, expected / most)),
            h("td", {}, String(waits[face])),
          ),
        ),
      ),
    ),
    h(
      "p",
      {},
      t("check.luck.uneven", { often: describeChance(odd) }),
      " ",
      t("check.luck.longest", { n: longest, face: missed, often: describeChance(waited) }),
      " ",
      waited * faces < 0.5
        ? t("check.luck.any", { often: describeChance(waited * faces) })
        : t("check.luck.many", { faces }),
    ),
  );
}

/**
 * @param {number} share
 * @param {number} expected
 */
function drawBars(share, expected) {
  return svg(
    "svg",
    { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect", { class: "fell", x: 0, y: 1.5, width: 96 * share, height: 7 }),
    svg("rect", { class: "mean", x: 96 * expected - 0.4, y: 0, width: 0.8, height: 10 }),
  );
}

/**
 * Says how often, in games.
 * @param {number} chance
 */
function describeChance(chance) {
  if (chance >= 0.995) return t("check.often.always");
  if (chance >= 0.095) return t("check.often.hundred", { count: Math.round(chance * 100) });
  if (chance >= 0.001) return t("check.often.one", { count: formatDecimal(Math.round(1 / chance), { whole: true }) });
  return t("check.often.hardly");
}
