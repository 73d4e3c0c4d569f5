/* The form of a new tournament: what is played, by which system, and by whom; or a file that says it. */

import { newCommandId } from "./commands.js";
import { h, setChildren, setText } from "./dom.js";
import { buildInput } from "./field-mistakes.js";
import { buildSelect, buildSettings, buildSetupForm, createSetup, withHouseRules } from "./game-setup.js";
import { asRefusal, required } from "./required.js";
import { navigate } from "./router.js";
import { createTournament } from "./tournament-api.js";
import { t } from "./translations.js";

const MAX_FILE = 1024 * 1024;
/** @type {TournamentProgress["system"][]} */
const SYSTEMS = ["swiss", "round_robin"];

export class TournamentForm {
  title = "";
  roundCount = "";
  players = "";
  system = SYSTEMS[0];
  /** The same until something is created, so that a lost answer creates nothing twice. */
  id = newCommandId();
  rules = h("div");
  count = h("p", { class: "tournament-note", role: "status" });
  wrong = h("p", { class: "wrong", role: "alert" });

  /** @param {EditionCard[]} editions Those whose games can be duplicate. */
  constructor(editions) {
    this.editions = editions;
    this.card = editions[0];
    this.setup = createSetup(this.card);
    this.element = h("form", { class: "paper tournament-form", onsubmit: (event) => this.submit(event) });
    setChildren(this.element, this.buildFields());
    this.showRules();
    this.showCount();
  }

  /** @returns {Child} */
  buildFields() {
    return [
      h("h2", {}, t("tournament.new")),
      buildInput(t("tournament.name"), "", (title) => this.set({ title }), "title", { maxlength: 60 }),
      buildSelect(
        t("tournament.edition"),
        this.editions.map((one) => [one.id, one.publisher ? `${one.title} (${one.publisher})` : one.title]),
        this.card.id,
        (id) => this.chooseEdition(id),
        "edition",
      ),
      this.rules,
      h(
        "div",
        { class: "setup-row" },
        buildSelect(
          t("tournament.system"),
          SYSTEMS.map((one) => [one, t(`tournament.${one}`)]),
          this.system,
          (system) => this.set({ system: SYSTEMS.find((one) => one === system) ?? SYSTEMS[0] }),
          "system",
        ),
        buildInput(t("tournament.rounds"), "", (roundCount) => this.set({ roundCount }), "round-count", {
          inputmode: "numeric",
          maxlength: 2,
          placeholder: t("tournament.usual"),
        }),
      ),
      this.buildPlayers(),
      this.count,
      this.wrong,
      h(
        "div",
        { class: "tournament-tools" },
        h("button", { class: "button act", "data-act": "create" }, t("tournament.create")),
        this.buildFileChoice(),
      ),
    ];
  }

  buildPlayers() {
    return h(
      "label",
      { class: "choice" },
      h("span", {}, t("tournament.players")),
      h("textarea", {
        rows: 8,
        spellcheck: "false",
        autocapitalize: "words",
        "data-field": "players",
        oninput: (event) => {
          this.set({ players: event.target.value });
          this.showCount();
        },
      }),
    );
  }

  buildFileChoice() {
    /** @type {(event: { target: HTMLInputElement }) => Promise<void>} */
    const chosen = async ({ target }) => {
      const [file] = target.files ?? [];
      if (!file) return;
      // One byte more than the server reads is enough for it to say that a file is too large.
      const text = await file.slice(0, MAX_FILE + 1).text();
      target.value = "";
      await this.create({ file: text, file_name: file.name.slice(0, 80) });
    };
    return h(
      "label",
      { class: "quiet file" },
      t("tournament.from_file"),
      h("input", { class: "unseen", type: "file", accept: ".toml", "data-field": "file", onchange: chosen }),
    );
  }

  /** @param {Partial<Pick<TournamentForm, "title" | "roundCount" | "players" | "system">>} part */
  set(part) {
    Object.assign(this, part);
    this.id = newCommandId();
  }

  get names() {
    return this.players.split(/[\n,;]/).filter((name) => name.trim());
  }

  /** @param {string} id */
  chooseEdition(id) {
    this.card = required(
      this.editions.find((one) => one.id === id),
      "edition",
    );
    this.setup = createSetup(this.card);
    this.id = newCommandId();
    this.showRules();
  }

  showRules() {
    const form = buildSetupForm(this.card, this.setup, () => this.set({}), { isSeries: false });
    setChildren(this.rules, form);
  }

  showCount() {
    setText(this.count, t("tournament.players_n", { n: this.names.length }));
  }

  /** @param {SubmitEvent} event */
  async submit(event) {
    event.preventDefault();
    const rounds = this.roundCount.trim();
    if (rounds && !/^[1-9]\d?$/.test(rounds)) return setText(this.wrong, t("tournament.rounds_wrong"));
    const { title, system } = this;
    await this.create({ title, system, rounds: rounds ? Number(rounds) : null, players: this.names });
  }

  /** @param {Partial<Wire.TournamentRequest>} content */
  async create(content) {
    setText(this.wrong, "");
    const settings = { want: /** @type {const} */ ("settle"), ...buildSettings(this.card, this.setup) };
    try {
      const asked = { id: this.id, settings, ...content };
      navigate(`/tournament/${await withHouseRules(this.card, () => createTournament(asked))}`);
    } catch (refused) {
      this.id = newCommandId();
      setText(this.wrong, asRefusal(refused).text ?? t("tournament.offline"));
    }
  }
}
