/* A chart: a drawing, the same numbers as a table, and both to take along. */

import { h, loadStylesheet, svg } from "./dom.js";
import { t } from "./translations.js";

/** What a drawing gets from the style sheet, and a file of its own has to carry. */
const STYLED = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "stroke-linecap",
  "stroke-linejoin",
  "font-family",
  "font-size",
  "font-weight",
  "text-anchor",
];
const BACKGROUND = "--paper";
let chartCount = 0;

loadStylesheet("charts.css");

/**
 * Builds a chart; the table has the same numbers, for those who cannot see the drawing or want them exactly.
 * @param {ChartContent} content
 */
export function buildChart({ title, note, legend = [], drawing, heads, rows, file }) {
  const id = `chart-${++chartCount}`;
  /** @type {(kind: string, save: () => void) => HTMLElement} */
  const button = (kind, save) =>
    h(
      "button",
      { class: "quiet", "data-act": `save-${kind}`, "aria-label": t(`chart.save_${kind}`, { title }), onclick: save },
      t(`chart.${kind}`),
    );
  return h(
    "figure",
    { class: "paper statistics-chart", "aria-labelledby": id, "data-chart": file },
    h("figcaption", {}, h("h3", { id }, title), note && h("p", {}, note), buildLegend(legend)),
    drawing,
    h(
      "details",
      {},
      h("summary", {}, t("chart.table")),
      h(
        "div",
        { class: "scrolls", tabindex: "0", role: "region", "aria-label": title },
        buildTable(title, heads, rows),
      ),
      h(
        "p",
        { class: "chart-files" },
        button("svg", () => saveFile(`${file}.svg`, "image/svg+xml", writeSvg(drawing))),
        button("csv", () => saveFile(`${file}.csv`, "text/csv", writeCsv([heads, ...rows]))),
      ),
    ),
  );
}

/**
 * Says what the marks of a drawing mean.
 * @param {ChartKey[]} legend
 */
function buildLegend(legend) {
  return (
    legend.length > 0 &&
    h(
      "ul",
      { class: "chart-legend" },
      legend.map(({ kind, text, shade }) =>
        h("li", { class: `key-${kind}` }, kind === "shade" && drawShade(shade ?? 1), text),
      ),
    )
  );
}

/** @param {number} shade */
function drawShade(shade) {
  return svg(
    "svg",
    { class: "chart-swatch", viewBox: "0 0 14 10", "aria-hidden": "true" },
    svg("rect", { class: "chart-part", width: 14, height: 10, "fill-opacity": shade }),
  );
}

/**
 * @param {string} title
 * @param {string[]} heads
 * @param {ChartCell[][]} rows
 */
function buildTable(title, heads, rows) {
  return h(
    "table",
    {},
    h("caption", { class: "unseen" }, title),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        heads.map((head) => h("th", { scope: "col" }, head)),
      ),
    ),
    h(
      "tbody",
      {},
      rows.map(([first, ...others]) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, String(first ?? "")),
          others.map((cell) => h("td", {}, cell === null ? "–" : String(cell))),
        ),
      ),
    ),
  );
}

/**
 * Writes a drawing as a file that looks the same without our style sheets.
 * @param {SVGElement} drawing
 */
function writeSvg(drawing) {
  const copy = /** @type {SVGElement} */ (drawing.cloneNode(true));
  const parts = drawing.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((part, place) => {
    const style = getComputedStyle(parts[place]);
    for (const name of STYLED) {
      const value = style.getPropertyValue(name);
      if (value) part.setAttribute(name, value);
    }
    part.removeAttribute("class");
  });
  const [, , wide, high] = (drawing.getAttribute("viewBox") ?? "").split(" ");
  const paper = document.createElementNS(drawing.namespaceURI, "rect");
  for (const [name, value] of Object.entries({ width: wide, height: high, fill: readColour(BACKGROUND) }))
    paper.setAttribute(name, value);
  copy.prepend(paper);
  copy.setAttribute("width", wide);
  copy.setAttribute("height", high);
  return new XMLSerializer().serializeToString(copy);
}

/** @param {string} name */
function readColour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/**
 * Writes rows as CSV (RFC 4180).
 * @param {ChartCell[][]} rows
 */
export function writeCsv(rows) {
  /** @type {(cell: ChartCell) => string} */
  const quote = (cell) => {
    const text = String(cell ?? "");
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => `${row.map(quote).join(",")}\r\n`).join("");
}

/**
 * Hands a file to whoever looks at the page.
 * @param {string} name
 * @param {string} type
 * @param {string} content
 */
export function saveFile(name, type, content) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
