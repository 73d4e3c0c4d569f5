/* What is agreed in the lobby: the host chooses, everybody else reads. */

import { connection } from "./connection.js";
import { showToast } from "./dialogs.js";
import { h, setChildren } from "./dom.js";
import { getFamily } from "./families.js";
import {
  buildSelect,
  buildSettings,
  buildSetupForm,
  createSetup,
  describeSwitches,
  withHouseRules,
} from "./game-setup.js";
import { openRules } from "./late-dialogs.js";
import { required } from "./required.js";
import { buildStartChoice, describeStart } from "./start-choice.js";
import { t } from "./translations.js";

const MOVE_SECONDS = [0, 30, 60, 120];

// The panel; parts are those of the page, redraw() draws them.
export class SetupPanel {
  /** @type {string | null} */
  sent;

  /**
   * @param {PartRenderer} parts
   * @param {EditionCard[]} editions
   * @param {() => void} redraw
   */
  constructor(parts, editions, redraw) {
    this.parts = parts;
    this.editions = editions;
    this.redraw = redraw;
    this.sent = null;
  }

  /**
   * What the panel depends on; a form that is open and says already what the room says stays as it is.
   * @param {Wire.RoomView} view
   */
  key(view) {
    if (canSettle(view) && this.sent === JSON.stringify(pickSetup(view))) return this.parts.lastValue("setup");
    return [pickSetup(view), canSettle(view)];
  }

  /**
   * @param {Wire.RoomView} view
   * @param {EditionCard | undefined} card
   */
  build(view, card) {
    // What is drawn now is what the room says, perhaps not yet what was sent.
    this.sent = null;
    if (!canSettle(view)) return [h("h2", {}, t("lobby.agreed")), buildTerms(view, card)];
    const setup = { ...pickSetup(view), switches: { ...view.switches } };
    const start = card && this.buildStartChoice(view, card, setup);
    if (start) start.hidden = view.duplicate;
    const note = buildDuplicateNote(view);
    const timer = this.buildTimerChoice(view, card, setup);
    const fields = {
      first: this.buildEditionChoice(view, card, setup),
      last: [timer, this.buildTurnChoice(view, card, setup, { start, timer, note }), note, start],
    };
    return [
      h("h2", {}, t("lobby.agreed")),
      card
        ? buildSetupForm(card, setup, (changed) => this.send(view, card, card, changed), fields)
        : [fields.first, note],
    ];
  }

  /**
   * @param {Wire.RoomView} view
   * @param {EditionCard | undefined} card
   * @param {Setup} setup
   */
  buildEditionChoice(view, card, setup) {
    /** @type {[string, string][]} */
    const known = this.editions.map((one) => [
      one.id,
      t("lobby.edition_by", { title: one.title, publisher: one.publisher || t("home.own") }),
    ]);
    if (!card) known.unshift([view.edition, view.title]);
    return buildSelect(
      t("lobby.edition"),
      known,
      view.edition,
      (id) => {
        const other = required(
          this.editions.find((one) => one.id === id),
          id,
        );
        this.send(view, card, other, {
          ...createSetup(other),
          games: setup.games,
          free: setup.free,
          duplicate: setup.duplicate,
          move_seconds: setup.move_seconds,
          standing: setup.standing,
        });
      },
      "edition",
    );
  }

  /**
   * @param {Wire.RoomView} view
   * @param {EditionCard | undefined} card
   * @param {Setup} setup
   * @param {{ start: HTMLElement | undefined, timer: HTMLElement, note: HTMLElement }} about What depends on this one.
   */
  buildTurnChoice(view, card, setup, { start, timer, note }) {
    return (
      getFamily(view.family).freeTurns &&
      buildSelect(
        t("lobby.turns"),
        [
          ["", t("lobby.turns_round")],
          ["free", t("lobby.turns_free")],
          ["duplicate", t("lobby.turns_duplicate")],
        ],
        nameTurns(view),
        (turns) => {
          setup.free = Boolean(turns);
          setup.duplicate = turns === "duplicate";
          note.hidden = !setup.duplicate;
          timer.hidden = setup.free;
          if (card && start) {
            setChildren(start, [...this.buildStartChoice(view, card, setup).childNodes]);
            start.hidden = setup.duplicate;
          }
          this.send(view, card, required(card, "edition"), setup);
        },
        "free",
      )
    );
  }

  /**
   * How long somebody may think about a move; where everybody plays at their own pace nobody waits.
   * @param {Wire.RoomView} view
   * @param {EditionCard | undefined} card
   * @param {Setup} setup
   */
  buildTimerChoice(view, card, setup) {
    const timer = buildSelect(
      t("lobby.timer"),
      MOVE_SECONDS.map((seconds) => [String(seconds), describeLimit(seconds)]),
      String(view.move_seconds),
      (seconds) => {
        setup.move_seconds = /** @type {Setup["move_seconds"]} */ (Number(seconds));
        this.send(view, card, required(card, "edition"), setup);
      },
      "timer",
    );
    timer.hidden = view.free;
    return timer;
  }

  /**
   * @param {Wire.RoomView} view
   * @param {EditionCard} card
   * @param {Setup} setup
   */
  buildStartChoice(view, card, setup) {
    return buildStartChoice(
      setup.start ?? card.start,
      (start) => {
        setup.start = start;
        this.send(view, card, card, setup);
      },
      { free: setup.free },
    );
  }

  /**
   * @param {Wire.RoomView} view
   * @param {EditionCard | undefined} card
   * @param {EditionCard} chosen
   * @param {Setup} setup
   */
  send(view, card, chosen, setup) {
    this.sent = chosen === card ? JSON.stringify({ ...pickSetup(view), ...setup }) : null;
    withHouseRules(chosen, () => connection.sendIntent({ want: "settle", ...buildSettings(chosen, setup) })).catch(
      (refused) => {
        showToast(refused.text);
        this.parts.forget("setup");
        this.sent = null;
        this.redraw();
      },
    );
  }
}

/**
 * How turns are taken: one after another, at everybody's own pace, or so with the same dice for all.
 * @param {{ free: boolean, duplicate?: boolean }} view
 */
function nameTurns({ free, duplicate }) {
  if (duplicate) return "duplicate";
  return free ? "free" : "";
}

/** @param {Wire.RoomView} view */
function buildDuplicateNote(view) {
  return h("p", { class: "duplicate-note", hidden: !view.duplicate }, t("lobby.duplicate_note"));
}

/**
 * Whether this device agrees on what is played; in the room of a round the tournament does.
 * @param {Wire.RoomView} view
 */
function canSettle({ host, tournament }) {
  return host && !tournament;
}

/** @param {number} seconds */
function describeLimit(seconds) {
  return seconds ? t("lobby.timer_n", { n: seconds }) : t("lobby.timer_none");
}

/**
 * @param {Wire.RoomView} view
 * @returns {Setup}
 */
function pickSetup({ edition, text, series, switches, free, duplicate, start, move_seconds }) {
  return {
    edition,
    text,
    games: series.games,
    switches,
    free,
    duplicate,
    start,
    move_seconds: /** @type {Setup["move_seconds"]} */ (move_seconds),
    standing: series.agreed,
  };
}

/**
 * @param {Wire.RoomView} view
 * @param {EditionCard | undefined} card
 */
function buildTerms(view, card) {
  const text = card?.texts.find((one) => one.text === view.text)?.name ?? view.text;
  /** @type {(name: string, value: string) => Child} */
  const line = (name, value) => [h("dt", {}, name), h("dd", {}, value)];
  return [
    h(
      "dl",
      { class: "terms" },
      line(
        t("lobby.edition"),
        t("lobby.edition_by", { title: view.title, publisher: view.publisher || t("home.own") }),
      ),
      !view.house_rules && line(t("agree.text"), text),
      line(t("agree.games"), t("agree.games_n", { n: view.series.games })),
      line(t("lobby.rules"), describeSwitches(view.switches, view.names, Boolean(view.house_rules))),
      view.free && line(t("lobby.turns"), t(`lobby.turns_${nameTurns(view)}`)),
      card && !view.duplicate && line(t("agree.start"), describeStart(view.start ?? card.start)),
      view.move_seconds > 0 && line(t("lobby.timer"), describeLimit(view.move_seconds)),
    ),
    buildDuplicateNote(view),
    h("button", { class: "quiet read", "data-act": "rules", onclick: () => openRules() }, t("agree.read")),
  ];
}
