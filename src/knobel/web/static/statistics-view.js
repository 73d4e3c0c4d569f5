/* What the statistics page shows of one person in one game: figures first, then charts. What a game does not have is left out. */

import { h } from "./dom.js";
import { getFamily } from "./families.js";
import { buildFigures } from "./figure-cards.js";
import { drawLook } from "./known-people.js";
import { formatLoss, formatNumber, formatSigned } from "./number-format.js";
import { followLink } from "./router.js";
import {
  buildBoxChart,
  buildHoursChart,
  buildLevelChart,
  buildTimeChart,
  buildTotalsChart,
  toSeconds,
} from "./statistics-charts.js";
import { formatDay } from "./times.js";
import { t } from "./translations.js";

/**
 * Builds the figures and charts of a person in a game.
 * @param {EditionStatistics} found
 * @param {PastGame[]} games The last ones, the newest first.
 * @param {StatisticsAnswer} answer
 */
export function buildStatistics(found, games, { person, level_names: levels }) {
  const { review } = found;
  return [
    h("h2", {}, drawLook(person), t("stats.heading", { name: person.name, title: found.title })),
    buildFigures(t("stats.figures"), [
      { name: "games", label: t("stats.games"), value: String(found.games), beside: describeSpan(found) },
      ...listScores(found),
      ...listContests(found),
      ...listRounds(found),
      ...listReview(found),
    ]),
    review.games < found.games &&
      h("p", { class: "statistics-note" }, t("stats.reviewed", { n: review.games, of: found.games })),
    buildThemeCosts(found, person.id),
    h(
      "div",
      { class: "chart-grid", "data-ink": person.colour },
      buildBoxChart(found.boxes),
      ...listTimeLines(found, games, person.id).map(buildTimeChart),
      buildTotalsChart(listOwnTotals(found, games, person.id)),
      buildLevelChart(found.months, levels),
      buildHoursChart(found.hours),
    ),
  ];
}

/**
 * What each theme of mistakes costs per game, the dearest first, how that changes, and the way to practise them.
 * @param {EditionStatistics} found
 * @param {string} person
 */
function buildThemeCosts({ themes = [] }, person) {
  const address = `/practice?${new URLSearchParams({ kind: "mistake", person })}`;
  return (
    themes.length > 0 &&
    h(
      "section",
      { class: "paper theme-costs", "data-themes": "" },
      h("h3", {}, t("stats.themes")),
      h(
        "ol",
        {},
        themes.map(({ theme, name, per_game: n, earlier, recent }) =>
          h(
            "li",
            { "data-theme": theme },
            t("stats.theme_cost", { theme: name, n: formatLoss(n) }),
            earlier !== null &&
              recent !== null &&
              h("small", {}, t("stats.trend_runs", { from: formatLoss(earlier), to: formatLoss(recent) })),
          ),
        ),
      ),
      h(
        "a",
        { class: "button", href: address, "data-act": "practise", onclick: (event) => followLink(event, address) },
        t("bar.practice"),
      ),
    )
  );
}

/** @param {EditionStatistics} found */
function describeSpan({ first, last }) {
  if (first === null || last === null) return null;
  const [from, to] = [formatDay(first), formatDay(last)];
  return from === to ? from : t("stats.span", { first: from, last: to });
}

/**
 * @param {EditionStatistics} found
 * @returns {Figure[]}
 */
function listScores({
  games,
  average,
  spread,
  trend,
  best,
  worst,
  bonus_rate: bonus,
  alike,
  first_roll: wonders,
  perfect,
}) {
  return [
    {
      name: "average",
      label: t("stats.average"),
      value: write(average),
      perfect: perfect && formatNumber(perfect.average),
    },
    {
      name: "spread",
      label: t("stats.spread"),
      value: typeof spread === "number" ? `±${formatNumber(spread)}` : null,
      perfect: typeof perfect?.spread === "number" ? `±${formatNumber(perfect.spread)}` : null,
    },
    { name: "trend", label: t("stats.trend_total"), value: writeSigned(trend), beside: t("stats.per_month") },
    describeMark("best", best),
    describeMark("worst", worst),
    {
      name: "bonus",
      label: t("stats.bonus"),
      value: writePercent(bonus),
      perfect: writePercent(perfect?.bonus_rate ?? null),
    },
    { name: "alike", label: t("stats.alike"), value: writeCount(alike), beside: describeRate(alike, games) },
    {
      name: "first-roll",
      label: t("stats.first_roll"),
      value: writeCount(wonders),
      beside: [describeRate(wonders, games), t("stats.first_roll_means")].filter(Boolean).join(" · "),
    },
  ];
}

/**
 * @param {EditionStatistics} found
 * @returns {Figure[]}
 */
function listContests({ contests, wins, streaks }) {
  if (!contests) return [];
  return [
    {
      name: "wins",
      label: t("stats.wins"),
      value: t("stats.of", { n: wins, of: contests }),
      beside: writePercent(wins / contests),
    },
    {
      name: "streak",
      label: t("stats.streak"),
      value: String(streaks.most_wins),
      beside: streaks.wins > 1 && t("stats.streak_now", { n: streaks.wins }),
    },
    { name: "drought", label: t("stats.drought"), value: String(streaks.most_losses) },
  ];
}

/**
 * @param {EditionStatistics} found
 * @returns {Figure[]}
 */
function listRounds({ contests, last_places: losses, places, rounds, round_losses: lost, opened, survived }) {
  if (rounds === undefined) return [];
  return [
    {
      name: "losses",
      label: t("stats.losses"),
      value: t("stats.of", { n: losses, of: contests }),
      beside: contests > 0 && writePercent(losses / contests),
    },
    {
      name: "places",
      label: t("stats.places"),
      value: Object.entries(places)
        .map(([place, n]) => t("stats.place_n", { place, n }))
        .join(" · "),
    },
    {
      name: "round-losses",
      label: t("stats.round_losses"),
      value: t("stats.of", { n: lost ?? 0, of: rounds }),
      beside: rounds > 0 && writePercent((lost ?? 0) / rounds),
    },
    {
      name: "survived",
      label: t("stats.survived"),
      value: t("stats.of", { n: survived ?? 0, of: opened ?? 0 }),
      beside: Boolean(opened) && writePercent((survived ?? 0) / (opened ?? 1)),
    },
  ];
}

/**
 * @param {EditionStatistics} found
 * @returns {Figure[]}
 */
function listReview({ review, family }) {
  if (!review.games) return [];
  const unit = getFamily(family).hasPoints ? "" : "_percent";
  const { lost, lost_spread: spread, lost_trend: trend, luck, luck_spread: luckSpread } = review;
  return [
    {
      name: "lost",
      label: t(`stats.lost${unit}`),
      value: write(lost),
      beside: typeof trend === "number" ? t("stats.trend_is", { change: formatSigned(trend) }) : describeSpread(spread),
    },
    { name: "luck", label: t(`stats.luck${unit}`), value: writeSigned(luck), beside: describeSpread(luckSpread) },
  ];
}

/**
 * The lines over time: game by game, while the games are few enough to be listed, else month by month.
 * @param {EditionStatistics} found
 * @param {PastGame[]} games
 * @param {string} person
 * @returns {TimeLine[]}
 */
function listTimeLines({ games: count, average, months, perfect }, games, person) {
  const seats = [...games].reverse().flatMap(({ ended, seats: all }) => {
    const seat = all.find((one) => one.person === person);
    return seat ? [{ time: ended, total: seat.total, lost: seat.lost, luck: seat.luck }] : [];
  });
  const isListed = seats.length >= count;
  const lines = isListed
    ? seats
    : months.map((month) => ({
        time: toSeconds(month.month),
        total: month.average,
        lost: month.lost,
        luck: month.luck,
      }));
  /** @type {(name: "total" | "lost" | "luck") => TimeLine["points"]} */
  const pick = (name) =>
    lines.flatMap((line) => (typeof line[name] === "number" ? [{ time: line.time, value: line[name] }] : []));
  const isMonthly = !isListed;
  return [
    { name: "total", points: average === null ? [] : pick("total"), expected: perfect?.average ?? null, isMonthly },
    { name: "lost", points: pick("lost"), expected: null, isMonthly },
    { name: "luck", points: pick("luck"), expected: null, signed: true, isMonthly },
  ];
}

/**
 * @param {EditionStatistics} found
 * @param {PastGame[]} games
 * @param {string} person
 */
function listOwnTotals({ average }, games, person) {
  if (average === null) return [];
  return games.flatMap(({ seats }) => seats.filter((seat) => seat.person === person).map((seat) => seat.total));
}

/**
 * @param {string} name
 * @param {RecordMark | null} mark
 * @returns {Figure}
 */
function describeMark(name, mark) {
  return {
    name,
    label: t(`stats.${name}`),
    value: mark && String(mark.value),
    beside: mark && formatDay(mark.at),
    game: mark?.game,
  };
}

/** @param {number | null | undefined} spread */
function describeSpread(spread) {
  return typeof spread === "number" && t("stats.spread_is", { spread: formatNumber(spread) });
}

/**
 * @param {number | undefined} n
 * @param {number} games
 */
function describeRate(n, games) {
  if (!n) return null;
  return n < games
    ? t("stats.every", { n: formatNumber(games / n) })
    : t("stats.per_game", { n: formatNumber(n / games) });
}

/** @param {number | null} n */
function write(n) {
  return n === null ? null : formatNumber(n);
}

/** @param {number | null} n */
function writeSigned(n) {
  return n === null ? null : formatSigned(n);
}

/** @param {number | undefined} n */
function writeCount(n) {
  return n === undefined ? null : String(n);
}

/** @param {number | null} share */
function writePercent(share) {
  return share === null ? null : t("stats.percent", { n: Math.round(share * 100) });
}
