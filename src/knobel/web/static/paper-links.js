/* Links to what can be printed before a game. */

import { rulesQuery } from "./api.js";
import { h } from "./dom.js";
import { buildUnavailable, findMissing } from "./extras.js";
import { getLanguage, t } from "./translations.js";

/**
 * Links to the printable score pad and rules, by the settings at the time of the click.
 * @param {() => ChosenRules} agreed
 */
export function buildPaperLinks(agreed) {
  /** @type {(form: string) => string} */
  const link = (form) => `/paper/${form}.pdf?${rulesQuery(agreed(), getLanguage())}`;
  const reason = findMissing("paper");
  if (reason)
    return ["pad", "rules"].map((form) => buildUnavailable("quiet read", `print-${form}`, t(`paper.${form}`), reason));
  return ["pad", "rules"].map((form) =>
    h(
      "a",
      {
        class: "quiet read",
        "data-act": `print-${form}`,
        download: "",
        href: link(form),
        onclick: (event) => {
          event.currentTarget.href = link(form);
        },
      },
      t(`paper.${form}`),
    ),
  );
}
