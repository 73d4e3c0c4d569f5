/* The file of a record: what it is called, and how to verify it oneself. */

import { h } from "./dom.js";
import { t } from "./translations.js";

/**
 * The name a browser gives a file it downloads, if the server has chosen one.
 * @param {Response} answer
 */
export function readFileName(answer) {
  return /filename="([^"]+)"/.exec(answer.headers.get("content-disposition") ?? "")?.[1] ?? null;
}

/**
 * Says how to verify the record oneself, and offers it.
 * @param {string} file
 * @param {string | null} address
 */
export function buildInstructions(file, address) {
  return h(
    "section",
    {},
    h("h3", {}, t("check.yourself")),
    h("p", {}, t("check.yourself_how")),
    h("pre", {}, h("code", {}, `knobel verify ${file}`)),
    address && h("a", { class: "button", href: address, download: "", "data-act": "download" }, t("check.download")),
  );
}
