/* The way between the pages about people: their games, their statistics, practice, and who they are. */

import { h } from "./dom.js";
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
