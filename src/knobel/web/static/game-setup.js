/* What is agreed before a game: which edition, whose text, how many games, the rules people argue about. */

import { fetchEditions, uploadHouseRules } from "./api.js";
import { connection } from "./connection.js";
import { h, setChildren, setText } from "./dom.js";
import { getFamily } from "./families.js";
import { openRules } from "./late-dialogs.js";
import { buildPaperLinks } from "./paper-links.js";
import { prefs } from "./prefs.js";
import { asRefusal, required } from "./required.js";
import { hasText, t } from "./translations.js";

const HOUSE_RULES_KEY = "knobel.house_rules";

/**
 * Lists the editions to choose from: the printed ones, then the house rules opened in this tab.
 * @returns {Promise<EditionCard[]>}
 */
export async function listEditions() {
  const printed = await fetchEditions(connection.lang);
  return [...printed, ...loadHouseRules()];
}

/**
 * Remembers house rules while this tab is open, and gives them as they can be played; file is {name, text}, draft the
 * form they were made with.
 * @param {EditionCard} card
 * @param {EditionCard["file"]} file
 * @param {EditionCard["draft"]} [draft]
 */
export function rememberHouseRules(card, file, draft) {
  const others = loadHouseRules().filter((one) => one.id !== card.id);
  const kept = { ...card, house_rules: card.fingerprint, file, draft };
  sessionStorage.setItem(HOUSE_RULES_KEY, JSON.stringify([kept, ...others].slice(0, 5)));
  return kept;
}

/**
 * The form that house rules were made with, if they were made here.
 * @param {string} id
 */
export function findDraft(id) {
  return loadHouseRules().find((one) => one.id === id)?.draft ?? null;
}

/**
 * Removes house rules from the list of this tab.
 * @param {string} id
 */
export function forgetHouseRules(id) {
  sessionStorage.setItem(HOUSE_RULES_KEY, JSON.stringify(loadHouseRules().filter((one) => one.id !== id)));
}

/**
 * Runs a request about an edition; if the server has forgotten its house rules, uploads the file again.
 * @template T
 * @param {EditionCard} card
 * @param {() => Promise<T>} act
 * @returns {Promise<T>}
 */
export async function withHouseRules(card, act) {
  try {
    return await act();
  } catch (refused) {
    if (asRefusal(refused).code !== "house_rules_unknown" || !card.file) throw refused;
    await uploadHouseRules(card.file.name, card.file.text, connection.lang);
    return act();
  }
}

/**
 * Starts a setup for an edition, as it was played last time here.
 * @param {EditionCard} card
 * @returns {Setup}
 */
export function createSetup(card) {
  const text = card.id === prefs.get("edition") ? prefs.get("text") : null;
  return {
    text: text !== null && card.texts.some((one) => one.text === text) ? text : card.text,
    games: 1,
    switches: {},
  };
}

/**
 * The settings of a room, as the server wants them.
 * @param {EditionCard} card
 * @param {Setup} setup
 * @returns {Settings}
 */
export function buildSettings(
  card,
  { text, games, switches, free = false, duplicate = false, start = null, move_seconds = 0, standing = null },
) {
  const settings = {
    edition: card.id,
    text,
    switches,
    games,
    free: free && getFamily(card.family).freeTurns,
    duplicate: duplicate && getFamily(card.family).freeTurns,
    pace: prefs.get("pace"),
    start,
    move_seconds,
    standing,
  };
  return card.house_rules ? { ...settings, house_rules: card.house_rules } : settings;
}

/**
 * Draws the form of a setup; changed is called after each change; more fields may stand first or last. Without a
 * series it does not ask how many games are played.
 * @param {EditionCard} card
 * @param {Setup} setup
 * @param {(setup: Setup) => void} changed
 * @param {{ first?: Child, last?: Child, isSeries?: boolean }} [fields]
 */
export function buildSetupForm(card, setup, changed, { first, last, isSeries = true } = {}) {
  const own = Boolean(card.house_rules);
  const now = h("span", { class: "switch-summary" }, describeSwitches(setup.switches, card.names, own));
  /** @type {(part: Partial<Setup>) => void} */
  const set = (part) => {
    Object.assign(setup, part);
    setText(now, describeSwitches(setup.switches, card.names, own));
    changed(setup);
  };
  const argue = h("div");
  const lay = () => {
    const switches = card.switches[setup.text];
    setChildren(
      argue,
      switches.length > 0 &&
        h(
          "details",
          { class: "switches", "data-switches": "" },
          h("summary", {}, t("agree.switches"), now),
          switches.map((one) => buildSwitch(one, card, setup, set)),
        ),
    );
  };
  lay();
  return h(
    "div",
    { class: "setup" },
    h(
      "div",
      { class: "setup-row" },
      first,
      card.texts.length > 1 &&
        buildSelect(
          t("agree.text"),
          card.texts.map((one) => [one.text, one.name]),
          setup.text,
          (text) => {
            set({ text, switches: {} });
            lay();
          },
          "text",
        ),
      isSeries &&
        buildSelect(
          t("agree.games"),
          listGameCounts(setup.games).map((n) => [String(n), t("agree.games_n", { n })]),
          String(setup.games),
          (games) => set({ games: Number(games) }),
          "games",
        ),
      last,
    ),
    argue,
    (!card.house_rules || connection.room) &&
      h(
        "button",
        {
          class: "quiet read",
          type: "button",
          "data-act": "rules",
          onclick: () => (card.house_rules ? openRules() : openRules(card.id, setup.text, setup.switches)),
        },
        t("agree.read"),
      ),
    (!card.house_rules || connection.room) &&
      buildPaperLinks(() => (card.house_rules ? required(connection.room, "room") : { edition: card.id, ...setup })),
  );
}

/**
 * Draws a labelled list to choose from.
 * @param {string} label
 * @param {[string, string][]} options
 * @param {string} chosen
 * @param {(value: string) => void} picked
 * @param {string} hook
 */
export function buildSelect(label, options, chosen, picked, hook) {
  return h(
    "label",
    { class: "choice" },
    h("span", {}, label),
    h(
      "select",
      { "data-field": hook, "aria-label": label, onchange: (event) => picked(event.target.value) },
      options.map(([value, name]) => h("option", { value, selected: value === chosen }, name)),
    ),
  );
}

/**
 * Lists the bots that know a family of games, as options to choose from.
 * @param {ServerInfo | null} hello
 * @param {string} family
 * @returns {[string, string][]}
 */
export function listBotOptions(hello, family) {
  return listAvailableBots(hello, family).map(({ bot, name }) => [bot, name]);
}

/**
 * Lists the bots that can play here: some need what may not be installed.
 * @param {ServerInfo | null} hello
 * @param {string} family
 */
function listAvailableBots(hello, family) {
  return required(hello, "server").bots[family].filter((one) => !one.missing);
}

/**
 * Finds the bot played against last time, or the one to begin with.
 * @param {ServerInfo | null} hello
 * @param {string} family
 * @returns {Bot}
 */
export function findUsualBot(hello, family) {
  const known = listAvailableBots(hello, family);
  return (
    [prefs.get("bot"), "cautious", "greedy"].map((bot) => known.find((one) => one.bot === bot)).find(Boolean) ??
    known[0]
  );
}

/**
 * Says which of the rules were changed, with the names that the edition prints.
 * @param {Record<string, string>} switches
 * @param {Record<string, string>} printed
 * @param {boolean} own Whether these are house rules, which nobody printed.
 */
export function describeSwitches(switches, printed, own) {
  const names = Object.entries(switches).map(([name, value]) =>
    value === "true"
      ? t(`switch.${name}`, printed)
      : t("agree.turned", { rule: t(`switch.${name}`, printed), value: describeSwitchValue(name, value) }),
  );
  return names.length ? names.join(" · ") : t(own ? "agree.as_agreed" : "agree.as_printed");
}

/**
 * @param {Switch} one
 * @param {EditionCard} card
 * @param {Setup} setup
 * @param {(part: Partial<Setup>) => void} set
 */
function buildSwitch(one, card, setup, set) {
  /** @type {(value: string) => void} */
  const turn = (value) => {
    const { [one.name]: _, ...others } = setup.switches;
    set({ switches: value === one.default ? others : { ...others, [one.name]: value } });
  };
  const now = setup.switches[one.name] ?? one.default;
  const yesNo = one.allowed.length === 2 && one.allowed.includes("true");
  const control = yesNo
    ? h("input", {
        type: "checkbox",
        role: "switch",
        checked: now === "true",
        onchange: (event) => turn(String(event.target.checked)),
      })
    : h(
        "select",
        { onchange: (event) => turn(event.target.value) },
        one.allowed.map((value) =>
          h("option", { value, selected: value === now }, describeSwitchValue(one.name, value)),
        ),
      );
  return h(
    "label",
    { class: yesNo ? "switch" : "switch wide", "data-switch": one.name },
    h("span", { class: "switch-name" }, t(`switch.${one.name}`, card.names)),
    control,
    h("small", {}, card.reasons[one.name]),
  );
}

/** @param {number} games */
function listGameCounts(games) {
  return [...new Set([1, 2, 3, 5, 7, 10, games])].sort((one, other) => one - other);
}

/**
 * @param {string} name
 * @param {string} value
 */
function describeSwitchValue(name, value) {
  if (value === "false") return t("agree.no");
  return hasText(`switch.${name}.${value}`) ? t(`switch.${name}.${value}`) : value;
}

/** @returns {EditionCard[]} */
function loadHouseRules() {
  try {
    return JSON.parse(sessionStorage.getItem(HOUSE_RULES_KEY) ?? "[]");
  } catch {
    return [];
  }
}
