/* Days and times as people write them in the language of the page. */

import { getLocale } from "./translations.js";

/**
 * @param {number} time In seconds, as the server says it.
 * @param {Intl.DateTimeFormatOptions} how
 */
function format(time, how) {
  return new Intl.DateTimeFormat(getLocale(), how).format(time * 1000);
}

/**
 * A day, with its year.
 * @param {number} time
 */
export function formatDay(time) {
  return format(time, { dateStyle: "medium" });
}

/**
 * A day of the calendar, the same everywhere in the world.
 * @param {string} date As in 2026-01-31.
 */
export function formatDate(date) {
  return format(Date.parse(date) / 1000, { dateStyle: "medium", timeZone: "UTC" });
}

/**
 * A day and the time of day.
 * @param {number} time
 */
export function formatMoment(time) {
  return format(time, { dateStyle: "medium", timeStyle: "short" });
}

/**
 * A day in few letters, as under a chart.
 * @param {number} time
 */
export function formatShortDay(time) {
  return format(time, { day: "numeric", month: "numeric" });
}

/**
 * An hour of the day, from 0 to 23.
 * @param {number} hour
 */
export function formatHour(hour) {
  return format(new Date(2000, 0, 1, hour).getTime() / 1000, { hour: "numeric" });
}

/**
 * When a day begins here, or the one after it, in seconds.
 * @param {string} day As a field for a day gives it: 2026-11-17.
 * @param {number} [after]
 */
export function findMidnight(day, after = 0) {
  const [year, month, date] = day.split("-").map(Number);
  return new Date(year, month - 1, date + after).getTime() / 1000;
}

/**
 * A month, with its year.
 * @param {number} time
 */
export function formatMonth(time) {
  return format(time, { month: "short", year: "2-digit" });
}

/**
 * The hour of the day here, when it is this hour in UTC.
 * @param {number} hour
 */
export function toLocalHour(hour) {
  return (((hour - Math.round(new Date().getTimezoneOffset() / 60)) % 24) + 24) % 24;
}
