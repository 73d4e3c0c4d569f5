/* Choosing a bot: a dialog of characters, the weakest first, each with its face, its manner and its average. */

import { fetchBots } from "./api.js";
import { connection } from "./connection.js";
import { buildDialogHead, openModal } from "./dialogs.js";
import { h, loadStylesheet, setChildren } from "./dom.js";
import { required } from "./required.js";
import { t } from "./translations.js";

/**
 * Asks which bot plays by these rules; null where none was chosen.
 * @param {string} family
 * @param {ChosenRules | null} rules
 * @param {string} [current]
 * @returns {Promise<Bot | null>}
 */
export async function chooseBot(family, rules, current) {
  await loadStylesheet("bots.css");
  const bots = await listBots(family, rules);
  return new Promise((answer) => {
    /** @type {Bot | null} */
    let chosen = null;
    /** @type {HTMLDialogElement} */
    const dialog = h(
      "dialog",
      { class: "paper bot-dialog", "aria-labelledby": "bots-title" },
      buildDialogHead("bots-title", t("agree.bot_which")),
      h(
        "ul",
        { class: "bot-list" },
        bots.map((one) =>
          h(
            "li",
            {},
            h(
              "button",
              {
                class: "bot-card",
                type: "button",
                "data-bot": one.bot,
                "aria-current": one.bot === current ? "true" : null,
                "aria-disabled": one.missing ? "true" : null,
                onclick: () => {
                  if (one.missing) return;
                  chosen = one;
                  dialog.close();
                },
              },
              describeBot(one),
            ),
          ),
        ),
      ),
    );
    openModal(dialog, () => answer(chosen));
  });
}

/**
 * The bots of a family by strength, with their averages by these rules; as they are known without the server, or for
 * house rules that are not played in a room yet.
 * @param {string} family
 * @param {ChosenRules | null} rules
 * @returns {Promise<Bot[]>}
 */
export async function listBots(family, rules) {
  const known = required(connection.serverInfo, "server").bots[family];
  return rules ? fetchBots(rules, connection.lang).catch(() => known) : known;
}

/**
 * Draws the button that shows which bot plays, and lets another be chosen.
 * @param {HTMLElement} slot
 * @param {{ family: string, rules: () => ChosenRules | null, bot: Bot, picked: (bot: Bot) => void }} choice
 */
export async function fillBotChoice(slot, choice) {
  await loadStylesheet("bots.css");
  const bots = await listBots(choice.family, choice.rules());
  const shown = bots.find((one) => one.bot === choice.bot.bot) ?? choice.bot;
  /** @type {HTMLButtonElement} */
  const button = h(
    "button",
    {
      class: "bot-choice",
      type: "button",
      "data-field": "bot",
      "aria-haspopup": "dialog",
      onclick: async () => {
        const bot = await chooseBot(choice.family, choice.rules(), choice.bot.bot);
        if (!bot) return;
        choice.bot = bot;
        choice.picked(bot);
        setChildren(button, describeBot(bot));
      },
    },
    describeBot(shown),
  );
  setChildren(slot, button);
}

/**
 * Draws the face of a bot; its name stands beside it.
 * @param {string} bot
 */
export function drawFace(bot) {
  const known = Object.values(required(connection.serverInfo, "server").bots).flat();
  const file = known.some((one) => one.bot === bot) ? bot.replace(":", "_") : "other";
  return h("img", { class: "face", src: `/static/bots/${file}.svg`, alt: "", width: 48, height: 48 });
}

/** @param {Bot} bot */
function describeBot({ bot, name, about, average, beats, missing }) {
  return [
    drawFace(bot),
    h(
      "span",
      { class: "bot-words" },
      h("b", {}, name),
      h("small", {}, missing ?? about),
      !missing && Boolean(average) && h("small", { class: "bot-average" }, t("agree.bot_average", { n: average })),
      !missing && Boolean(beats) && h("small", { class: "bot-average" }, t("agree.bot_beats", { n: beats })),
    ),
  ];
}
