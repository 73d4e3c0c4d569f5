/* The felt at the top of the home page: play at once, join by a code, or go on with a game. */

import { findRoomByCode } from "./api.js";
import { connection } from "./connection.js";
import { h, setChildren, setText } from "./dom.js";
import { drawThrownDice } from "./edition-art.js";
import { findUsualBot } from "./game-setup.js";
import { readAloud } from "./live-region.js";
import { describeTurn } from "./open-games.js";
import { prefs } from "./prefs.js";
import { asRefusal } from "./required.js";
import { navigate } from "./router.js";
import { t } from "./translations.js";

// Fetches the ways to play an edition, which are not to be seen at first.
export async function loadPlayModes() {
  const { PlayModes } = await import("./play-modes.js");
  return PlayModes;
}

export class HomeHero {
  /** @param {Promise<EditionCard[]>} editions Sorted: the first is the one to play. */
  constructor(editions) {
    this.editions = editions;
    this.playButton = h(
      "button",
      { class: "button act hero-play", "data-act": "play", onclick: () => this.play() },
      t("home.play"),
    );
    this.about = h("p", { class: "hero-about" });
    this.newGame = h("small");
    this.continueLink = h("span", { class: "hero-continue", hidden: prefs.get("rooms").length === 0 });
    this.actions = h("div", { class: "hero-actions" });
    this.codeForm = this.buildCodeForm();
    this.element = this.build();
    this.showChosen();
  }

  build() {
    const codeButton = h(
      "button",
      {
        class: "button soft",
        "data-act": "code",
        "aria-expanded": "false",
        "aria-controls": "code-form",
        onclick: () => {
          this.codeForm.hidden = !this.codeForm.hidden;
          codeButton.setAttribute("aria-expanded", String(!this.codeForm.hidden));
          if (!this.codeForm.hidden) this.codeForm.querySelector("input")?.focus();
        },
      },
      t("home.code"),
    );
    setChildren(this.actions, this.playButton, codeButton, this.continueLink);
    return h(
      "section",
      { class: "hero", "aria-labelledby": "hero-title" },
      h(
        "div",
        { class: "hero-words" },
        h("h2", { id: "hero-title" }, t("home.hero")),
        h("p", { class: "hero-under" }, t("home.hero_is")),
        this.actions,
        this.codeForm,
        this.about,
      ),
      drawThrownDice([5, 2, 6, 5, 5]),
    );
  }

  // Says what Play starts.
  async showChosen() {
    const [card] = await this.editions.catch(() => []);
    if (!card) return;
    const { title, publisher } = card;
    const { name } = findUsualBot(connection.serverInfo, card.family);
    const text = t(publisher ? "home.play_is" : "home.play_own", { title, publisher, name });
    for (const one of [this.about, this.newGame]) setText(one, text);
  }

  async play() {
    const [card] = await this.editions.catch(() => []);
    if (!card) return;
    const PlayModes = await loadPlayModes();
    await new PlayModes(card, this.element).startAgainstBots();
  }

  /**
   * Offers the game that was left last; where it is running, to continue it comes first and a new game second.
   * @param {OpenRoom | undefined} room
   */
  showOpenGame(room) {
    this.continueLink.hidden = !room;
    if (!room) return;
    const address = `/room/${room.id}`;
    const { running } = room;
    if (running) {
      this.playButton.className = "button soft";
      setChildren(this.playButton, h("span", {}, t("home.new_game"), this.newGame));
      this.about.hidden = true;
      this.actions.prepend(this.continueLink);
    }
    setChildren(
      this.continueLink,
      h(
        "a",
        {
          class: running ? "button act hero-play" : "button soft",
          href: address,
          "data-act": "continue",
          "data-room": room.id,
          onclick: (event) => {
            event.preventDefault();
            navigate(address);
          },
        },
        h(
          "span",
          {},
          t("home.continue_title", { title: room.title }),
          h("small", {}, [describeTurn(room), ...room.names].join(" · ")),
        ),
        h("span", { "aria-hidden": "true" }, "▸"),
      ),
    );
  }

  buildCodeForm() {
    const wrong = h("p", { class: "wrong-code", id: "wrong-code", hidden: true });
    const code = h("input", {
      id: "code",
      name: "code",
      maxlength: 12,
      autocomplete: "off",
      autocapitalize: "characters",
      spellcheck: "false",
      placeholder: t("home.code_like"),
      "aria-label": t("home.code"),
      "aria-describedby": wrong.id,
      "data-field": "code",
      oninput: () => {
        wrong.hidden = true;
      },
    });
    /** @type {(why: string) => void} */
    const refuse = (why) => {
      setText(wrong, why);
      wrong.hidden = false;
      readAloud(why);
      code.select();
    };
    /** @type {(event: Event) => Promise<void>} */
    const join = async (event) => {
      event.preventDefault();
      const said = code.value.replace(/[\s-]/g, "").toUpperCase();
      if (!said) return refuse(t("home.code_empty"));
      wrong.hidden = true;
      try {
        navigate(`/room/${await findRoomByCode(said, connection.lang)}`);
      } catch (refused) {
        const { code: kind, text } = asRefusal(refused);
        refuse(kind === "room_unknown" ? t("home.code_wrong") : (text ?? t("bar.reconnecting")));
      }
    };
    return h(
      "form",
      { class: "join", id: "code-form", hidden: true, onsubmit: join },
      code,
      h("button", { class: "button", "data-act": "join" }, t("home.join")),
      wrong,
    );
  }
}
