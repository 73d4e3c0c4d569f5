/* The ways to play one edition, inside its card. */

import { connection } from "./connection.js";
import { showToast } from "./dialogs.js";
import { find, h, scrollBehavior, setChildren, setLetters, splitName } from "./dom.js";
import { describeEdition } from "./edition-facts.js";
import { getFamily } from "./families.js";
import { buildSelect, buildSettings, buildSetupForm, createSetup, findUsualBot, withHouseRules } from "./game-setup.js";
import { openRoom } from "./game-starter.js";
import { buildPlayerList, clearDraft, listDraftPlayers, listHumanNames } from "./player-list.js";
import { prefs } from "./prefs.js";
import { asRefusal } from "./required.js";
import { navigate } from "./router.js";
import { buildStartChoice } from "./start-choice.js";
import { t } from "./translations.js";

const MAX_PLAYERS_WITH_BOTS = 16;

// What can be chosen inside the card of an edition.
export class PlayModes {
  /** @type {boolean} */
  isStarting;

  /**
   * @param {EditionCard} card
   * @param {HTMLElement} inside
   * @param {() => Child} [extra] What else stands in the card.
   */
  constructor(card, inside, extra) {
    this.extra = extra;
    this.card = card;
    this.panel = inside;
    this.setup = createSetup(card);
    this.bot = findUsualBot(connection.serverInfo, card.family);
    this.bots = 1;
    /** @type {Start} */
    this.start = "first";
  }

  /** @returns {Child} */
  draw() {
    const against = h("small", {}, this.describeOpponents());
    const character = h("div", { class: "bot-slot" });
    const level = h("div", { class: "choice wide" }, h("span", {}, t("agree.bot")), character);
    this.fillCharacter(character, against);
    const most = Math.min(this.card.most ?? MAX_PLAYERS_WITH_BOTS, MAX_PLAYERS_WITH_BOTS) - 1;
    const many = buildSelect(
      t("agree.bots"),
      Array.from({ length: most }, (_, n) => [String(n + 1), String(n + 1)]),
      String(this.bots),
      (n) => {
        this.bots = Number(n);
        setChildren(against, this.describeOpponents());
      },
      "bots",
    );
    const start = buildStartChoice(
      this.start,
      (chosen) => {
        this.start = chosen;
      },
      { first: t("agree.start.you") },
    );
    const { title, publisher } = this.card;
    const heading = h("h3", { class: "panel-title" }, title, " ", h("small", {}, publisher || t("home.own")));
    setLetters(heading, splitName(title));
    return [
      heading,
      h(
        "div",
        { class: "play-modes" },
        buildPlayMode("bot", "button act", t("home.bot"), against, () => this.startAgainstBots()),
        buildPlayMode("round", "button", t("home.round"), h("small", {}, t("home.round_is")), () =>
          this.choosePlayers(),
        ),
        buildPlayMode("friends", "button", t("home.friends"), h("small", {}, t("home.friends_is")), () =>
          this.startWithInvitation(),
        ),
        buildPlayMode("pad", "button", t("home.pad"), h("small", {}, t("home.pad_is")), () => this.choosePlayers(true)),
      ),
      h(
        "div",
        { class: "below" },
        describeEdition(this.card),
        buildSetupForm(this.card, this.setup, () => this.fillCharacter(character, against), {
          first: level,
          last: [many, start],
        }),
      ),
      this.extra?.(),
    ];
  }

  /**
   * Shows the bot that plays; what it scores depends on the rules.
   * @param {HTMLElement} slot
   * @param {HTMLElement} against
   */
  async fillCharacter(slot, against) {
    const { card, setup, bot } = this;
    const { fillBotChoice } = await import("./bot-picker.js");
    await fillBotChoice(slot, {
      family: card.family,
      rules: () => (card.house_rules ? null : { edition: card.id, text: setup.text, switches: setup.switches }),
      bot,
      picked: (chosen) => {
        this.bot = chosen;
        prefs.set("bot", chosen.bot);
        setChildren(against, this.describeOpponents());
      },
    });
  }

  describeOpponents() {
    return this.bots === 1
      ? t("home.bot_is", { name: this.bot.name })
      : t("home.bots_are", { n: this.bots, name: this.bot.name });
  }

  // Starts at once: against bots nobody rolls for the start unless asked.
  startAgainstBots() {
    const [first] = listHumanNames(listDraftPlayers());
    return this.startRoom(
      [
        buildSitIntent(prefs.get("name") || first || t("home.you")),
        ...Array(this.bots).fill(buildSitBotIntent(this.bot)),
      ],
      true,
      { start: this.start },
    );
  }

  startWithInvitation() {
    const written = listDraftPlayers();
    return this.startRoom(buildSeatIntents(written.length ? written : listOwnName()), false);
  }

  /**
   * Asks who plays on this screen; the usual players are seated already. With a pad, everybody has real dice.
   * @param {boolean} [pad]
   */
  choosePlayers(pad = false) {
    const back = () => {
      setChildren(this.panel, this.draw());
      find(this.panel, `[data-mode=${pad ? "pad" : "round"}]`)?.focus();
    };
    /** @type {(players: ListedPlayer[]) => (Wire.Sit | Wire.SitBot)[]} */
    const seats = (players) =>
      players.map(({ bot, name }) => (bot ? buildSitBotIntent({ bot, name }) : buildSitIntent(name, pad)));
    const canBeFree = pad && getFamily(this.card.family).freeTurns;
    let start = canBeFree ? "first" : this.card.start;
    // Whoever rolls for the start plays in turn; on a pad everybody else fills their column when they like.
    const agreed = () => ({ free: canBeFree && start !== "roll_off", start });
    /** @type {(players: ListedPlayer[]) => unknown} */
    const phones = (players) =>
      this.startRoom(
        buildSeatIntents(listHumanNames(players).length ? players : [...listOwnName(), ...players], true),
        false,
        agreed(),
      );
    setChildren(
      this.panel,
      buildPlayerList(
        this.card,
        back,
        (players) => this.startRoom(seats(players), true, agreed()),
        pad ? { label: t("home.phones"), act: phones } : null,
        buildStartChoice(start, (chosen) => {
          start = chosen;
        }),
        this.setup.games,
      ),
    );
    const next = prefs.get("usual_players").length ? "[data-act=start]" : "[data-field=name]";
    find(this.panel, next)?.focus({ preventScroll: true });
    this.panel.scrollIntoView({ block: "nearest", behavior: scrollBehavior() });
  }

  /**
   * @param {Wire.OpenRequest["seats"]} seats
   * @param {boolean} begin
   * @param {Partial<Setup>} [also]
   */
  async startRoom(seats, begin, also = {}) {
    prefs.set("edition", this.card.id);
    prefs.set("text", this.setup.text);
    if (this.isStarting) return;
    this.isStarting = true;
    try {
      const room = await withHouseRules(this.card, () =>
        openRoom(buildSettings(this.card, { ...this.setup, ...also }), seats, begin),
      );
      clearDraft();
      navigate(`/room/${room}`);
    } catch (refused) {
      showToast(asRefusal(refused).text ?? t("bar.reconnecting"));
    }
    this.isStarting = false;
  }
}

/**
 * @param {string} hook
 * @param {string} kind
 * @param {string} name
 * @param {HTMLElement} under
 * @param {() => unknown} act
 */
function buildPlayMode(hook, kind, name, under, act) {
  return h("button", { class: `${kind} play-mode`, "data-mode": hook, onclick: act }, h("span", {}, name), under);
}

/**
 * @param {string} name
 * @param {boolean} [real]
 * @returns {Wire.Sit}
 */
function buildSitIntent(name, real = false) {
  return { want: "sit", name, real_dice: real };
}

/**
 * Whoever uses this device, where the name is known; else the lobby asks for it, and the first seat is still free.
 * @returns {ListedPlayer[]}
 */
function listOwnName() {
  const name = prefs.get("name") || prefs.get("usual_players")[0];
  return name ? [{ name }] : [];
}

/**
 * Seats the person at this device, and reserves seats for the others.
 * @param {ListedPlayer[]} players
 * @param {boolean} [real]
 */
function buildSeatIntents(players, real = false) {
  const names = listHumanNames(players);
  const own = names.find((name) => name === prefs.get("name")) ?? names[0];
  if (!prefs.get("name") && own) prefs.set("name", own);
  return players.map(({ bot, name }) => {
    if (bot) return buildSitBotIntent({ bot, name });
    return name === own ? buildSitIntent(own, real) : { ...buildSitIntent(name, real), offered: true };
  });
}

/**
 * @param {{ bot: string, name: string }} bot
 * @returns {Wire.SitBot}
 */
function buildSitBotIntent({ bot, name }) {
  return { want: "sit_bot", bot, name };
}
