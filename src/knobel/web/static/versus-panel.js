/* Head to head between two people, and the records of the table. */

import { h, setChildren } from "./dom.js";
import { buildFigures } from "./figure-cards.js";
import { buildSelect } from "./game-setup.js";
import { formatNumber } from "./number-format.js";
import { fetchVersus } from "./people-api.js";
import { asRefusal } from "./required.js";
import { formatDay } from "./times.js";
import { t } from "./translations.js";

const RECORDS = /** @type {const} */ (["highest", "lowest_win", "closest", "comeback"]);

// Compares somebody with one of those they played with.
export class VersusPanel {
  asked = 0;
  body = h("div", { class: "versus-body" });

  /**
   * @param {KnownPerson} person
   * @param {KnownPerson[]} others
   */
  constructor(person, others) {
    this.person = person;
    this.others = others;
    this.element = h(
      "section",
      { class: "versus", "aria-labelledby": "versus-title" },
      h("h2", { id: "versus-title" }, t("stats.versus")),
      others.length === 0 && h("p", { class: "statistics-note" }, t("stats.versus_none")),
      others.length > 0 && [
        buildSelect(
          t("stats.versus_other"),
          others.map((one) => [one.id, one.name]),
          others[0].id,
          (other) => this.load(other),
          "other",
        ),
        this.body,
      ],
    );
    if (others.length) this.load(others[0].id);
  }

  /** @param {string} other */
  async load(other) {
    const asked = ++this.asked;
    try {
      const found = await fetchVersus(this.person.id, other);
      if (asked === this.asked)
        setChildren(
          this.body,
          found.editions.map((one) => buildVersus(one, found)),
        );
    } catch (refused) {
      const text = asRefusal(refused).text ?? t("stats.offline");
      if (asked === this.asked) setChildren(this.body, h("p", { class: "paper message", role: "alert" }, text));
    }
  }
}

/**
 * @param {EditionVersus} one
 * @param {VersusAnswer} answer
 */
function buildVersus(one, { person, other }) {
  const hasTotals = one.average !== null && one.other_average !== null;
  return [
    h("h3", {}, t("stats.edition_n", { title: one.title, n: one.games })),
    buildFigures(one.title, [
      { name: "ahead", label: t("stats.ahead", { name: person.name }), value: String(one.ahead) },
      { name: "behind", label: t("stats.ahead", { name: other.name }), value: String(one.behind) },
      one.level > 0 && { name: "level", label: t("stats.level"), value: String(one.level) },
      hasTotals && {
        name: "averages",
        label: t("stats.averages"),
        value: `${formatNumber(one.average ?? 0)} : ${formatNumber(one.other_average ?? 0)}`,
      },
      describeRecord("best_win", one.best_win),
      describeRecord("worst_loss", one.worst_loss),
    ]),
  ];
}

/**
 * The records of the tables at which the people of this device sat.
 * @param {TableRecords | undefined} records
 */
export function buildRecords(records) {
  const marks = RECORDS.map((name) => describeRecord(name, records?.[name] ?? null));
  if (!marks.some(Boolean)) return null;
  return h(
    "section",
    { class: "table-records", "aria-labelledby": "records-title" },
    h("h2", { id: "records-title" }, t("stats.records")),
    buildFigures(t("stats.records"), marks),
  );
}

/**
 * @param {string} name
 * @param {RecordMark | null} mark
 * @returns {Figure | null}
 */
function describeRecord(name, mark) {
  return (
    mark && {
      name,
      label: t(`stats.record.${name}`),
      value: String(mark.value),
      beside: [mark.name, formatDay(mark.at)].filter(Boolean).join(", "),
      game: mark.game,
    }
  );
}
