/* "Check the dice": draws every roll of a game again, here in the browser, and says what that proves. */

import { setBar } from "./bar.js";
import { buildDialogHead, openModal } from "./dialogs.js";
import { buildStatistics } from "./dice-luck.js";
import { h, loadStylesheet, setChildren, setText } from "./dom.js";
import { buildInstructions, readFileName } from "./record-download.js";
import { loadPromise, loadSeed } from "./seeds.js";
import { formatList, loadParts, t } from "./translations.js";
import { verifyRecord } from "./verify.js";

/** @type {Record<string, string[]>} */
const STEPS = {
  file: ["torn", "large", "line", "version", "scheme", "rules", "seat", "over", "digest"],
  chain: ["chain"],
  promise: ["promise", "seeded"],
  seals: ["seal", "seed", "late", "pending"],
  dice: ["own", "noted", "kept", "address", "dice"],
  device: ["device"],
};
const NOT_OVER = "unfinished";
const NOT_PROVED = ["known", "solver", "moves", "left_out", "cut", "page"];

loadStylesheet("check.css");

/**
 * Opens the check of a game above the table.
 * @param {string} game
 */
export async function openDiceCheck(game) {
  await loadParts("check");
  const check = new DiceCheck();
  openModal(
    h(
      "dialog",
      { class: "paper checking", "aria-labelledby": "check-title" },
      buildDialogHead("check-title", t("check.title")),
      check.element,
    ),
  );
  return check.load(game);
}

customElements.define(
  "knobel-check",
  class extends HTMLElement {
    async connectedCallback() {
      await loadParts("check");
      const check = new DiceCheck();
      setBar({ title: t("check.title"), under: t("check.under") });
      setChildren(this, h("div", { class: "paper checking" }, check.element));
      const game = decodeURIComponent(location.pathname.slice("/check/".length));
      if (game) await check.load(game);
      else check.showMessage(t("check.choose"));
    }
  },
);

// One check of a record: of a game on this server, or from a file.
class DiceCheck {
  constructor() {
    this.body = h("div", { class: "found", role: "region", "aria-label": t("check.title"), tabindex: "-1" });
    this.status = h("p", { class: "unseen", role: "status" });
    this.element = h(
      "div",
      {},
      this.status,
      this.body,
      h(
        "p",
        { class: "choose" },
        h(
          "label",
          { class: "button file" },
          t("check.file"),
          h("input", {
            class: "unseen",
            type: "file",
            accept: ".knobel",
            "data-field": "record",
            onchange: (event) => this.chooseFile(event.target),
          }),
        ),
      ),
    );
  }

  /** @param {string} game */
  async load(game) {
    this.showMessage(t("check.busy"));
    const address = `/games/${encodeURIComponent(game)}.knobel`;
    const answer = await fetch(address).catch(() => null);
    if (!answer?.ok) return this.showMessage(t("check.missing"));
    const file = readFileName(answer) ?? `${game}.knobel`;
    this.showResult(new Uint8Array(await answer.arrayBuffer()), file, address);
  }

  /** @param {HTMLInputElement} input */
  async chooseFile(input) {
    const [file] = input.files ?? [];
    if (!file) return;
    this.showResult(new Uint8Array(await file.arrayBuffer()), file.name, null);
    input.value = "";
    this.body.focus({ preventScroll: true });
    this.body.scrollIntoView();
  }

  /** @param {string} sentence */
  showMessage(sentence) {
    setChildren(this.body, h("p", {}, sentence));
    setText(this.status, sentence);
  }

  /**
   * @param {Uint8Array} bytes
   * @param {string} file
   * @param {string | null} address
   */
  showResult(bytes, file, address) {
    const found = compareWithDevice(verifyRecord(bytes));
    this.body.dataset.verdict = found.verified ? "verified" : found.why;
    setChildren(
      this.body,
      buildVerdict(found),
      buildSteps(found),
      isVerified(found) && [buildSeeds(found), buildRolls(found), buildProof(found)],
      buildInstructions(file, address),
      isVerified(found) && buildStatistics(found, (seat) => playerName(found, seat)),
    );
    setText(this.status, this.body.querySelector(".verdict")?.textContent ?? "");
  }
}

/**
 * Whether a record is right; then all of it was read.
 * @param {Findings} found
 * @returns {found is Verified}
 */
function isVerified(found) {
  return found.verified;
}

/**
 * Compares with what this device was shown and promised before the game, if it was there.
 * @param {Findings} found
 * @returns {Findings}
 */
function compareWithDevice(found) {
  const game = found.header?.game ?? "";
  const seed = loadSeed(game);
  const promise = loadPromise(game);
  found.device = seed !== null;
  found.own = seed !== null && [...found.shown.values()].includes(seed);
  if (!isVerified(found)) return found;
  if (promise === null || promise === found.header.dice.commitment) return found;
  return { ...found, verified: false, why: "device" };
}

/** @param {Findings} found */
function buildVerdict(found) {
  const { why, line } = found;
  if (why === NOT_OVER)
    return [h("h2", { class: "verdict" }, t("check.not_over")), h("p", {}, t("check.why.unfinished"))];
  if (!isVerified(found)) {
    return [
      h("h2", { class: "verdict wrong" }, t("check.wrong")),
      h(
        "p",
        { class: "reason" },
        line === null ? t(`check.why.${why}`) : t("check.wrong_line", { line, why: t(`check.why.${why}`) }),
      ),
      h("p", {}, t("check.wrong_means")),
    ];
  }
  return [
    h("h2", { class: "verdict right" }, t(chooseHeadline(found))),
    h("ul", { class: "figures" }, buildFigures(found)),
  ];
}

/**
 * Where a seed was left out nobody may say more than that the dice fit.
 * @param {Verified} found
 */
function chooseHeadline({ rolls, isSeeded, without }) {
  if (!rolls) return "check.none_ours";
  if (isSeeded) return "check.seeded";
  return without.length ? "check.fits" : "check.right";
}

/** @param {Verified} found */
function buildFigures(found) {
  const { events, rolls: n, dice, realRolls, entriesWithoutDice, shown, without, closed, header } = found;
  return [
    t("check.events", { n: events, title: header.edition.title }),
    n > 0 && t("check.drawn", { n, dice }),
    found.drawn !== null && t("check.lot", { name: listPlayers(found, [found.drawn]) }),
    realRolls > 0 && t("check.real", { n: realRolls }),
    entriesWithoutDice > 0 && t("check.noted", { n: entriesWithoutDice }),
    shown.size > 0 && t("check.seeds_of", { names: listPlayers(found, [...shown.keys()]) }),
    !shown.size && !found.isSeeded && n > 0 && t("check.seeds_none"),
    without.length > 0 && t("check.without", { names: listPlayers(found, without) }),
    header.quoted && t("check.quoted", { game: header.quoted.game }),
    found.againstRules > 0 && t("check.anyway", { n: found.againstRules }),
    found.correctedTurns > 0 && t("check.corrected", { n: found.correctedTurns }),
    found.assisted.length > 0 && t("check.assisted", { names: listPlayers(found, found.assisted) }),
    found.isSeeded && t("check.typed", { seed: header.dice.seed }),
    closed.why === "stopped" && t("check.stopped"),
    closed.why === "expired" && t("check.expired"),
  ]
    .filter(Boolean)
    .map((sentence) => h("li", {}, sentence));
}

/**
 * The list of checks, each with its result.
 * @param {Findings} found
 */
function buildSteps(found) {
  const { header, verified, why } = found;
  const fitting =
    verified || why === "device" ? Object.keys(STEPS) : why === NOT_OVER ? ["file", "chain", "seals"] : [];
  /** @type {Record<string, boolean>} */
  const bare = {
    chain: header?.knobel === 1,
    seals: found.verified && found.shown.size + found.without.length === 0,
    dice: verified && !found.rolls,
    device: !found.device,
  };
  return h(
    "ol",
    { class: "steps" },
    Object.keys(STEPS).map((step) => {
      const wrong = STEPS[step].includes(why);
      const state = wrong ? "wrong" : bare[step] ? "none" : fitting.includes(step) ? "fits" : "open";
      return h(
        "li",
        { "data-step": step, "data-state": state },
        h("span", { class: "sign", "aria-hidden": "true" }, { fits: "✓", wrong: "✗", none: "–", open: "·" }[state]),
        h(
          "span",
          {},
          t(`check.step.${step}`),
          step === "device" && state === "fits" && ` ${t(found.own ? "check.own_seed" : "check.own_missing")}`,
        ),
        h("b", {}, t(`check.state.${state}`)),
      );
    }),
  );
}

/**
 * What was promised, and what was shown afterwards.
 * @param {Verified} found
 */
function buildSeeds(found) {
  const { header, shown, without, closed, head } = found;
  /** @type {(name: string, value: string | null, note?: string | null) => Child} */
  const line = (name, value, note) => [
    h("dt", {}, name),
    h("dd", {}, value && h("code", {}, value), note && h("span", {}, note)),
  ];
  return h(
    "section",
    {},
    h("h3", {}, t("check.seeds")),
    h(
      "dl",
      { class: "seeds" },
      line(t("check.commitment"), header.dice.commitment, t("check.commitment_note")),
      line(t("check.server"), closed.seeds.server),
      header.seats.map((seat, place) =>
        line(
          playerName(found, place),
          shown.get(place) ?? null,
          without.includes(place)
            ? t("check.silent")
            : shown.has(place)
              ? null
              : t(seat.bot ? "check.bot" : "check.no_seed"),
        ),
      ),
      header.knobel === 1 &&
        (closed.seeds.clients ?? []).map((seed, place) => line(t("check.client", { number: place + 1 }), seed)),
      header.knobel > 1 && line(t("check.head"), head, t("check.head_note")),
    ),
  );
}

/**
 * Every roll, rendered only when the section is opened.
 * @param {Verified} found
 */
function buildRolls(found) {
  if (!found.landings.length) return null;
  const body = h("div", { class: "wide", role: "region", "aria-label": t("check.rolls_title"), tabindex: "0" });
  const list = h(
    "details",
    { class: "rolls", ontoggle: () => body.firstChild || setChildren(body, buildRollTable(found)) },
    h("summary", {}, t("check.rolls", { n: found.landings.length })),
    body,
  );
  return h("section", {}, h("h3", {}, t("check.rolls_title")), list);
}

/** @param {Verified} found */
function buildRollTable(found) {
  /** @type {(key: string) => HTMLElement} */
  const column = (key) => h("th", { scope: "col" }, t(key));
  return h(
    "table",
    {},
    h("caption", {}, t("check.rolls_note")),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        column("check.player"),
        column("check.turn"),
        column("check.roll"),
        column("check.kept"),
        column("check.fell"),
      ),
    ),
    h(
      "tbody",
      {},
      found.landings.map(({ seat, turn, roll, positions, dice, real, tray }) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, playerName(found, seat)),
          h("td", {}, String(turn + 1)),
          h("td", {}, String(roll + 1)),
          h("td", {}, roll ? tray.filter((_, place) => !positions.includes(place)).join(" ") || "–" : "–"),
          h("td", {}, h("b", {}, dice.join(" ")), real && h("small", {}, t("check.real_mark"))),
        ),
      ),
    ),
  );
}

/** @param {Verified} found */
function buildProof(found) {
  const means = found.isSeeded
    ? "check.means.seeded"
    : !found.rolls
      ? "check.means.nothing"
      : found.without.length
        ? "check.means.left_out"
        : found.shown.size
          ? "check.means.shared"
          : "check.means.alone";
  /** @type {Record<string, boolean>} */
  const beside = { left_out: !found.without.length, cut: !found.closed.why };
  return h(
    "section",
    {},
    h("h3", {}, t("check.proves")),
    h("p", {}, t(means)),
    h("h3", {}, t("check.not_proved")),
    h(
      "ul",
      {},
      NOT_PROVED.filter((what) => !beside[what]).map((what) => h("li", {}, t(`check.not.${what}`))),
    ),
  );
}

/**
 * @param {Findings} found
 * @param {number} seat
 */
function playerName(found, seat) {
  return found.names[seat] || t("check.seat", { number: seat + 1 });
}

/**
 * @param {Findings} found
 * @param {number[]} seats
 */
function listPlayers(found, seats) {
  return formatList(seats.sort((one, other) => one - other).map((seat) => playerName(found, seat)));
}
