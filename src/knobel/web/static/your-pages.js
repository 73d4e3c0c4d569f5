/* The way between the pages about people: their games, their statistics, practice, and who they are. */

import { h } from "./dom.js";
import { prefs } from "./prefs.js";
import { followLink } from "./router.js";
import { t } from "./translations.js";

const PAGES = { games: "/games", statistics: "/statistics", practice: "/practice", people: "/people" };

/**
 * Links to these pages, the one that is shown marked; the person stays the same.
 * @param {string | null} here
 * @param {string} [person]
 */
export function buildYourPages(here, person = "") {
  return h(
    "nav",
    { class: "your-pages", "aria-label": t("bar.yours") },
    Object.entries(PAGES).map(([page, path]) => {
      const address = person && page !== "people" ? `${path}?person=${encodeURIComponent(person)}` : path;
      return h(
        "a",
        {
          class: "quiet",
          href: address,
          "data-page-link": page,
          "aria-current": page === here ? "page" : null,
          onclick: (event) => followLink(event, address),
        },
        t(`bar.${page}`),
      );
    }),
  );
}

/**
 * Finds whose page is shown when nobody was asked for: whoever is named in the settings, else whoever played most; of
 * those who played as much, whoever sits first at the table.
 * @param {Person[]} people
 * @returns {Person | undefined}
 */
export function findUsualPerson(people) {
  const shown = people.filter((one) => !one.hidden);
  const usual = prefs.get("usual_players");
  /** @type {(one: Person) => number} */
  const sits = (one) => (usual.includes(one.name) ? usual.indexOf(one.name) : usual.length);
  const byGames = [...(shown.length ? shown : people)].sort((a, b) => b.games - a.games || sits(a) - sits(b));
  return byGames.find((one) => one.name === prefs.get("name") && one.games > 0) ?? byGames[0];
}
