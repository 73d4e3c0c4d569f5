/* A game that goes on from a position of another one says so. */

import { h } from "./dom.js";
import { followLink } from "./router.js";
import { t } from "./translations.js";

/**
 * Says that a game goes on from a position of another one, and leads back to it.
 * @param {GameInfo} gameInfo
 */
export function buildWhatIf({ continues }) {
  const href = `/review/${encodeURIComponent(continues ?? "")}`;
  return (
    continues !== null &&
    h(
      "p",
      { class: "what-if" },
      h("b", {}, t("table.what_if_says")),
      " ",
      h(
        "a",
        { href, "data-act": "back-to-review", onclick: (event) => followLink(event, href) },
        t("table.what_if_back"),
      ),
    )
  );
}
