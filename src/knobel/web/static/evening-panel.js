/* The evening in the lobby: how its games are counted, handicaps, how it stands, who starts. */

import { fetchHandicaps } from "./api.js";
import { connection } from "./connection.js";
import { askYesNo, showToast } from "./dialogs.js";
import { h } from "./dom.js";
import {
  buildCertificateLink,
  buildSeriesTable,
  buildSheetButton,
  describeWinners,
  hasGames,
  nameStanding,
} from "./evening.js";
import { buildSelect } from "./game-setup.js";
import { sendIntent } from "./lobby-seats.js";
import { asRefusal, required } from "./required.js";
import { getLanguage, t } from "./translations.js";

const MAX_HANDICAP = 999;
/** @type {Exclude<Wire.SeriesView["agreed"], null>[]} */
const STANDINGS = ["sum", "places", "wins"];

/**
 * What the panel depends on.
 * @param {Wire.RoomView} view
 */
export function eveningKey(view) {
  return [view.series, view.host, view.seats.map((one) => [one.name, one.handicap])];
}

/**
 * The panel; nothing where only one game is agreed on.
 * @param {Wire.RoomView} view
 */
export function buildEveningPanel(view) {
  const { series, seats, host } = view;
  if (series.games < 2) return [];
  const starter = series.starter === null ? undefined : seats[series.starter];
  const alone = series.independent && seats.length > 1;
  return [
    h("h2", {}, t("evening.title")),
    hasGames(series) && [describeWinners(seats, series), buildSeriesTable(seats, series)],
    starter && h("p", { class: "starter" }, t("evening.starts", { name: starter.name })),
    host
      ? h("div", { class: "setup-row" }, buildStandingChoice(view))
      : h("p", {}, `${t("evening.counting")}: ${nameStanding(series.agreed)}`),
    alone && h("p", { class: "note" }, t("evening.single")),
    host && !series.independent && seats.length > 1 && buildHandicaps(view),
    hasGames(series) &&
      h(
        "div",
        { class: "evening-links" },
        buildSheetButton(view, "quiet read"),
        buildCertificateLink(view, "quiet read"),
        host &&
          h(
            "button",
            { class: "quiet read", "data-act": "restart-evening", onclick: confirmRestart },
            t("evening.restart"),
          ),
      ),
  ];
}

/** @param {Wire.RoomView} view */
function buildStandingChoice(view) {
  /** @type {[string, string][]} */
  const known = [
    ["", nameStanding(null)],
    ...STANDINGS.map((one) => /** @type {[string, string]} */ ([one, nameStanding(one)])),
  ];
  return buildSelect(
    t("evening.counting"),
    known,
    view.series.agreed ?? "",
    (standing) => agreeOnStanding(view, STANDINGS.find((one) => one === standing) ?? null),
    "standing",
  );
}

/**
 * Everything else stays as it is agreed.
 * @param {Wire.RoomView} view
 * @param {Wire.SeriesView["agreed"]} standing
 */
function agreeOnStanding(
  { edition, text, switches, series, house_rules, free, duplicate, pace, start, move_seconds },
  standing,
) {
  return sendIntent({
    want: "settle",
    edition,
    text,
    switches,
    games: series.games,
    house_rules,
    free,
    duplicate,
    pace,
    start,
    move_seconds: /** @type {Wire.ChangeSettings["move_seconds"]} */ (move_seconds),
    standing,
  });
}

/** @param {Wire.RoomView} view */
function buildHandicaps({ seats }) {
  return h(
    "details",
    { class: "handicaps", open: seats.some((one) => one.handicap > 0) },
    h("summary", { "data-act": "handicaps" }, t("evening.handicap")),
    h("p", { class: "note" }, t("evening.handicap_why")),
    h(
      "button",
      { class: "quiet read", "data-act": "suggest-handicaps", onclick: suggestHandicaps },
      t("evening.suggest"),
    ),
    seats.map((one, seat) =>
      h(
        "label",
        { class: "handicap" },
        h("span", {}, one.name),
        h("input", {
          type: "number",
          inputmode: "numeric",
          min: 0,
          max: MAX_HANDICAP,
          value: String(one.handicap),
          "data-handicap": seat,
          onchange: (event) => agreeOnHandicap(event.target, seat),
        }),
      ),
    ),
  );
}

/**
 * @param {HTMLInputElement} field
 * @param {number} seat
 */
function agreeOnHandicap(field, seat) {
  const points = Math.min(MAX_HANDICAP, Math.max(0, Math.round(Number(field.value) || 0)));
  field.value = String(points);
  return sendIntent({ want: "handicap", seat, points });
}

// Takes over what past games suggest; whose past is not known gets nothing, and everything can still be changed.
async function suggestHandicaps() {
  const room = required(connection.room, "room");
  try {
    const { points, games } = await fetchHandicaps(room.id, getLanguage());
    if (!games.some(Boolean)) {
      showToast(t("evening.no_past"));
      return;
    }
    for (const [seat, one] of room.seats.entries())
      if (one.handicap !== points[seat]) await sendIntent({ want: "handicap", seat, points: points[seat] });
  } catch (refused) {
    showToast(asRefusal(refused).text ?? "");
  }
}

async function confirmRestart() {
  const sure = await askYesNo({
    title: t("evening.restart"),
    text: t("evening.restart_why"),
    yes: t("evening.restart"),
    no: t("evening.keep"),
  });
  if (sure) await sendIntent({ want: "restart" });
}
