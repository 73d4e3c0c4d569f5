/* Points without dice: exactly what a box can take on this sheet, zero first; and what a table may decide to play anyway. */

import { askYesNo, openModal } from "./dialogs.js";
import { find, findAll, h } from "./dom.js";
import { drawFace } from "./keypad.js";
import { readPoints } from "./notation.js";
import { t } from "./translations.js";

const ALIKE = "*";

/**
 * Describes points in a few words.
 * @param {string} text
 */
export function describePoints(text) {
  const { points, extra, alike } = readPoints(text);
  return [extra ? `${points} + ${extra}` : String(points), alike && t("pad.alike")].filter(Boolean).join(", ");
}

/**
 * Opens the points of a box; resolves with {text, anyway}, or nothing if it was closed.
 * @param {{ box: Wire.BoxInfo, name: string, faces: number, option: BoxOption, why?: string | null }} asked
 * @returns {Promise<{ text: string, anyway: boolean } | null>}
 */
export function pickPoints({ box, name, faces, option, why = option.why ?? option.refusal }) {
  return new Promise((picked) => {
    /** @type {{ text: string, anyway: boolean } | null} */
    let found = null;
    /** @type {(text: string, anyway: boolean) => void} */
    const done = (text, anyway) => {
      found = { text, anyway };
      dialog.close();
    };
    /** @type {(text: string) => Promise<void>} */
    const pickAnyway = async (text) => {
      if (await confirmAnyway({ box, why, text })) done(text, true);
    };
    /** @type {HTMLDialogElement} */
    const dialog = h(
      "dialog",
      { class: "paper picker", "aria-labelledby": "picker-title" },
      h(
        "div",
        { class: "dialog-head" },
        h("h2", { id: "picker-title" }, box.name, " ", h("small", {}, name)),
        h(
          "button",
          { class: "quiet", type: "button", "data-act": "close", onclick: () => dialog.close() },
          t("pad.close"),
        ),
      ),
      buildPointKeys({ box, faces, option, why }, (text) => done(text, false), pickAnyway),
    );
    openModal(dialog, () => picked(found));
    (find(dialog, ".points button") ?? dialog).focus({ preventScroll: true });
  });
}

/**
 * Lets arrows, Home and End walk among the keys on a sheet of paper; Enter held down presses none of them.
 * @template {HTMLElement} E
 * @param {E} paper
 * @returns {E}
 */
export function enableArrowKeys(paper) {
  paper.addEventListener("keydown", (event) => {
    const keys = findAll(paper, "button:not(:disabled)");
    const here = event.target instanceof Element ? event.target.closest("button") : null;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (!here || !keys.includes(here)) return;
    /** @type {Record<string, () => HTMLElement | undefined>} */
    const steps = {
      ArrowLeft: () => keys[keys.indexOf(here) - 1],
      ArrowRight: () => keys[keys.indexOf(here) + 1],
      ArrowUp: () => findKeyAcross(here, keys, -1),
      ArrowDown: () => findKeyAcross(here, keys, 1),
      Home: () => keys[0],
      End: () => keys.at(-1),
    };
    if (event.key in steps) steps[event.key]()?.focus();
    else if (event.key !== "Enter" || !event.repeat) return;
    event.preventDefault();
  });
  return paper;
}

/**
 * The key in the next line, upwards or downwards, that lies nearest.
 * @param {HTMLElement} here
 * @param {HTMLElement[]} keys
 * @param {number} way
 */
function findKeyAcross(here, keys, way) {
  /** @type {(key: HTMLElement) => { x: number, y: number }} */
  const middle = (key) => {
    const at = key.getBoundingClientRect();
    return { x: at.left + at.width / 2, y: at.top + at.height / 2 };
  };
  const from = middle(here);
  const beyond = keys.map((key) => ({ key, ...middle(key) })).filter(({ y }) => (y - from.y) * way > 8);
  const line = Math.min(...beyond.map(({ y }) => (y - from.y) * way));
  const near = beyond
    .filter(({ y }) => (y - from.y) * way < line + 8)
    .sort((one, other) => Math.abs(one.x - from.x) - Math.abs(other.x - from.x));
  return near[0]?.key;
}

/**
 * Digits look for the points they make: 1 8 finds 18.
 * @template {HTMLElement} E
 * @param {E} paper
 * @returns {E}
 */
function enableDigitSearch(paper) {
  let said = "";
  paper.addEventListener("keydown", ({ key, ctrlKey, metaKey, altKey }) => {
    if (ctrlKey || metaKey || altKey || !/^[0-9]$/.test(key)) return;
    const texts = findAll(paper, "[data-points]");
    /** @type {(text: string) => HTMLElement | undefined} */
    const found = (text) =>
      texts.find((one) => one.dataset.points === text) ?? texts.find((one) => one.dataset.points?.startsWith(text));
    said = found(said + key) ? said + key : key;
    found(said)?.focus();
  });
  return paper;
}

/**
 * Draws the points of a box as keys: zero, then the others, then what only the table can allow; now is what stands there.
 * @param {{ box: Wire.BoxInfo, faces: number, option: BoxOption, why?: string | null, now?: string | null }} shown
 * @param {(text: string) => void} pick
 * @param {(text: string) => void} pickAnyway
 */
export function buildPointKeys(
  { box, faces, option, why = option.why ?? option.refusal, now = null },
  pick,
  pickAnyway,
) {
  const free = option.scores.map(readPoints);
  const againstRules = option.anyway.map(readPoints);
  const zero = free.find((one) => one.text === "0");
  /** @type {(one: NotedPoints, dim: boolean) => HTMLElement} */
  const key = (one, dim) =>
    h(
      "button",
      {
        class: ["point", dim && "dim", one.text === now && "current"].filter(Boolean).join(" "),
        type: "button",
        "data-points": one.text,
        "aria-label": describeKey(one, box),
        "aria-current": one.text === now ? "true" : null,
        onclick: () => (dim ? pickAnyway(one.text) : pick(one.text)),
      },
      drawKey(one, box, faces),
    );
  const rest = free.filter((one) => one !== zero);
  const groups = [...new Set(rest.map(pointsGroup))].sort();
  return enableDigitSearch(
    enableArrowKeys(
      h(
        "div",
        { class: box.face ? "points by-count" : "points" },
        zero &&
          h(
            "button",
            {
              class: `point zero${now === "0" ? " current" : ""}`,
              type: "button",
              "data-points": "0",
              "aria-current": now === "0" ? "true" : null,
              onclick: () => pick("0"),
            },
            h("b", {}, "0"),
            " ",
            h("span", {}, t("pad.zero")),
          ),
        groups.map((group) =>
          h(
            "div",
            { class: group ? "point-group besides" : "point-group" },
            group.endsWith(ALIKE) && h("p", { class: "why" }, t("pad.alike_why")),
            rest.filter((one) => pointsGroup(one) === group).map((one) => key(one, false)),
          ),
        ),
        againstRules.length > 0 &&
          h(
            "div",
            { class: "anyway" },
            h("p", { class: "why" }, why ?? t("pad.not_now")),
            h(
              "div",
              { class: "point-group" },
              againstRules.map((one) => key(one, true)),
            ),
          ),
      ),
    ),
  );
}

/**
 * Explains why something is not in the rules, and asks whether the table plays it anyway.
 * @param {{ box: Wire.BoxInfo, why: string | null | undefined, text: string }} asked
 */
export function confirmAnyway({ box, why, text }) {
  return askYesNo({
    title: t("pad.bend_title", { box: box.name, points: describePoints(text) }),
    text: [why ?? t("pad.not_now"), t("pad.bend_kept")].join(" "),
    yes: t("pad.anyway"),
    no: t("pad.not_so"),
    harmful: true,
  });
}

/** @param {NotedPoints} points */
function pointsGroup({ extra, alike }) {
  return `${extra || ""}${alike ? ALIKE : ""}`;
}

/**
 * @param {NotedPoints} points
 * @param {Wire.BoxInfo} box
 */
function describeKey({ text, points, extra, alike }, box) {
  if (!box.face || !points) return describePoints(text);
  return [
    t("pad.count", { n: points / box.face, face: box.face, points }),
    extra && `+ ${extra}`,
    alike && t("pad.alike"),
  ]
    .filter(Boolean)
    .join(", ");
}

/**
 * What stands on a key: how many dice of the face, or the points and what comes with them.
 * @param {NotedPoints} points
 * @param {Wire.BoxInfo} box
 * @param {number} faces
 */
function drawKey({ points, extra, alike }, box, faces) {
  const besides = [extra > 0 && h("small", {}, `+${extra}`), alike && h("small", {}, t("pad.alike"))];
  if (!box.face || !points) return [h("b", {}, String(points)), besides];
  return [
    h("span", { class: "count" }, `${points / box.face} ×`, drawFace(box.face, faces)),
    h("b", {}, String(points)),
    besides,
  ];
}
