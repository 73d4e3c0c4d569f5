/* The form of house rules: change what people change, see what that means, play it or take the file along. */

import { describeDraft, fetchDraftPar, fetchHouseRuleForm, uploadHouseRules } from "./api.js";
import { setBar } from "./bar.js";
import { connection } from "./connection.js";
import { findAll, h, setAttribute, setChildren, setText } from "./dom.js";
import { describeDifferences } from "./edition-facts.js";
import { sortEditions } from "./edition-order.js";
import { buildInput, buildMistakePlace, buildNumber, focusMistake, showMistakes } from "./field-mistakes.js";
import {
  buildSelect,
  findDraft,
  findUsualBot,
  forgetHouseRules,
  listEditions,
  rememberHouseRules,
} from "./game-setup.js";
import { buildChapter } from "./help.js";
import { PlayModes } from "./play-modes.js";
import { prefs } from "./prefs.js";
import { asRefusal, required } from "./required.js";
import { navigate } from "./router.js";
import { buildPlainProgress } from "./solve-progress.js";
import { formatDecimal, getLanguage, t } from "./translations.js";

const MOST_ROLLS = 6;
const TYPING_PAUSE = 300;
const POLL_PAUSE = 500;
const PLACEHOLDERS = 4;
/** The fields of the form, by the keys of the file they are written as. */
const FIELDS = new Map([
  ["chance.rule", "chance"],
  ["bonus.threshold", "threshold"],
  ["bonus.points", "bonus"],
]);

class HouseRulesPage extends HTMLElement {
  /** @type {HouseRuleForm | null} */
  form = null;
  /** @type {Wire.DraftRequest | null} */
  draft = null;
  /** @type {HouseRuleDraft | null} */
  answer = null;
  timer = 0;
  asked = 0;
  isNamed = false;
  /** The house rules that are edited; what comes out takes their place. */
  edited = "";
  progress = buildPlainProgress();
  parLine = h("p", { class: "make-par", role: "status" });

  async connectedCallback() {
    setBar({ title: t("make.title") });
    this.fields = h("form", { class: "paper make-form", onsubmit: (event) => event.preventDefault() });
    this.result = h("section", { class: "paper make-result", "aria-live": "polite", "aria-label": t("make.result") });
    setChildren(this, this.fields, this.result);
    for (const part of [this.fields, this.result]) setChildren(part, buildPlaceholders());
    const cards = sortEditions(await listEditions().catch(() => []), getLanguage(), prefs.get("edition"));
    this.editions = cards.filter((card) => !card.house_rules && card.boxes > 0);
    const [first] = this.editions;
    const edited = decodeURIComponent(location.hash.slice(1));
    const draft = findDraft(edited);
    if (draft) this.edited = edited;
    const base = draft?.base ?? first?.id;
    if (base) await this.chooseEdition(base, draft);
  }

  /**
   * @param {string} edition
   * @param {Wire.DraftRequest | null} [draft] The form as it was filled in before.
   */
  async chooseEdition(edition, draft = null) {
    const form = await fetchHouseRuleForm(edition, getLanguage());
    const { base, text, rolls, bonus, chance } = form;
    this.form = form;
    this.isNamed ||= draft !== null;
    this.draft = draft ?? {
      title: (this.isNamed && this.draft?.title) || t("make.our", { title: form.title }),
      base,
      text,
      rolls,
      bonus,
      chance,
      points: {},
      dropped: [],
    };
    if (this.fields) setChildren(this.fields, this.buildFields(form, this.draft));
    await this.ask();
  }

  /**
   * @param {HouseRuleForm} form
   * @param {Wire.DraftRequest} draft
   * @returns {Child}
   */
  buildFields(form, draft) {
    /** @type {(part: Partial<Wire.DraftRequest>) => void} */
    const set = (part) => this.change(part);
    const { bonus } = draft;
    return [
      buildSelect(
        t("make.base"),
        (this.editions ?? []).map((card) => [card.id, `${card.title} (${card.publisher})`]),
        form.base,
        (edition) => this.chooseEdition(edition),
        "base",
      ),
      buildInput(t("make.name"), draft.title, (title) => this.rename(title), "title", { maxlength: 40 }),
      buildSelect(
        t("make.rolls"),
        Array.from({ length: MOST_ROLLS }, (_, n) => [String(n + 1), String(n + 1)]),
        String(draft.rolls),
        (rolls) => set({ rolls: Number(rolls) }),
        "rolls",
      ),
      form.chance !== null &&
        buildSelect(
          t("make.chance", form.names),
          form.chances.map((rule) => [rule, t(`make.chance.${rule}`)]),
          draft.chance ?? form.chance,
          (chance) => set({ chance }),
          "chance",
        ),
      bonus && [
        buildNumber(
          t("make.threshold", form.names),
          bonus.threshold,
          (threshold) => this.changeBonus({ threshold }),
          "threshold",
        ),
        buildNumber(t("make.bonus", form.names), bonus.points, (points) => this.changeBonus({ points }), "bonus"),
      ],
      h(
        "fieldset",
        { class: "make-boxes" },
        h("legend", {}, t("make.boxes")),
        buildMistakePlace("boxes"),
        form.boxes.map((one) => this.buildBox(one, draft)),
      ),
    ];
  }

  /**
   * A box can be left out; one that pays a fixed number can pay another.
   * @param {HouseRuleForm["boxes"][number]} one
   * @param {Wire.DraftRequest} draft
   */
  buildBox({ box, name, points }, draft) {
    /** @type {(isKept: boolean) => void} */
    const keep = (isKept) => {
      const others = (draft.dropped ?? []).filter((other) => other !== box);
      this.change({ dropped: isKept ? others : [...others, box] });
    };
    return h(
      "div",
      { class: "make-box" },
      h(
        "label",
        {},
        h("input", {
          type: "checkbox",
          checked: !draft.dropped?.includes(box),
          "data-box": box,
          onchange: (event) => keep(event.target.checked),
        }),
        " ",
        name,
      ),
      points !== null &&
        buildNumber(
          t("make.points", { name }),
          draft.points?.[box] ?? points,
          (n) => this.change({ points: { ...draft.points, [box]: n } }),
          `points-${box}`,
        ),
    );
  }

  /** @param {Partial<{ threshold: number, points: number }>} part */
  changeBonus(part) {
    if (this.draft?.bonus) this.change({ bonus: { ...this.draft.bonus, ...part } });
  }

  /** @param {string} title */
  rename(title) {
    this.isNamed = title !== "";
    this.change({ title });
  }

  /** @param {Partial<Wire.DraftRequest>} part */
  change(part) {
    if (!this.draft) return;
    Object.assign(this.draft, part);
    this.answer = null;
    this.asked += 1; // What is being answered just now is about the form as it was.
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), TYPING_PAUSE);
  }

  // Shows what the form means, and what perfect play scores by it.
  async ask() {
    const answer = await this.describe();
    if (answer) await this.followPar(answer, this.asked);
  }

  // Asks the server what the form means; only the answer to the last question counts.
  async describe() {
    clearTimeout(this.timer);
    const number = ++this.asked;
    if (!this.draft) return null;
    try {
      const answer = await describeDraft(this.draft, getLanguage());
      if (number !== this.asked) return null;
      this.show(answer);
      return answer;
    } catch (refused) {
      if (number === this.asked) this.showRefusal(asRefusal(refused));
      return null;
    }
  }

  /**
   * Shows what perfect play scores; while that is worked out, how far it is.
   * @param {HouseRuleDraft} answer
   * @param {number} number
   */
  async followPar({ par, printed_par: printed }, number) {
    /** @type {SolveState | null} */
    let state = par === null ? { par: null, progress: 0, text: t("solving.name") } : { par };
    while (this.isConnected && number === this.asked) {
      this.progress.draw(state);
      const known = state?.par ?? null;
      setText(
        this.parLine,
        [
          known !== null && t("home.par", { par: formatDecimal(known) }),
          known !== null && printed !== null && t("make.printed_par", { par: formatDecimal(printed) }),
        ]
          .filter(Boolean)
          .join(" "),
      );
      if (!state || known !== null || state.refusal) return;
      await new Promise((later) => setTimeout(later, POLL_PAUSE));
      state = await fetchDraftPar(getLanguage()).catch(() => null);
    }
  }

  /**
   * Says everything that is wrong, each beside its field; what the form meant before stays to be read.
   * @param {Refusal} refusal
   */
  showRefusal(refusal) {
    this.answer = null;
    const mistakes = refusal.mistakes ?? [refusal];
    const hooks = findAll(this, "[data-wrong]").map((place) => place.dataset.wrong ?? "");
    /** @type {(mistake: Refusal) => [string, string]} */
    const place = (mistake) => {
      const hook = findHook(mistake.key);
      return [hooks.includes(hook) ? hook : "form", describeMistake(mistake, findLabel(this, hook))];
    };
    showMistakes(this, new Map(mistakes.map(place)));
    this.toggleStale(true);
  }

  /**
   * What is shown may be of the form as it was before a mistake: then it is pale, and its file is not offered.
   * @param {boolean} isStale
   */
  toggleStale(isStale) {
    this.result?.classList.toggle("stale", isStale);
    const file = this.querySelector("[data-act=download]");
    if (file) setAttribute(file, "inert", isStale);
  }

  /** @param {HouseRuleDraft} answer */
  show(answer) {
    this.answer = answer;
    showMistakes(this, new Map());
    this.toggleStale(false);
    if (!this.result) return;
    const { differences, toml, file, chapters } = answer;
    const link = URL.createObjectURL(new Blob([toml], { type: "application/toml" }));
    setChildren(
      this.result,
      h("h2", {}, t("make.result")),
      differences.length === 0 && h("p", { class: "note" }, t("make.same")),
      h("div", { class: "make-par-place" }, this.progress, this.parLine),
      buildMistakePlace("form"),
      h(
        "div",
        { class: "make-actions" },
        this.buildUseButton(),
        h(
          "button",
          { class: "button", type: "button", "data-act": "others", onclick: () => this.use(false) },
          t("make.others"),
        ),
        h("a", { class: "button", "data-act": "download", href: link, download: file }, t("make.download")),
      ),
      describeDifferences({ base: this.form?.title ?? "", differences }),
      h("div", { class: "chapters" }, chapters.map(buildChapter)),
    );
    const details = this.result.querySelector("details");
    if (details) details.open = true;
  }

  // The way to play at once, with whom.
  buildUseButton() {
    const { name } = findUsualBot(connection.serverInfo, required(this.editions, "editions")[0].family);
    return h(
      "button",
      { class: "button act", type: "button", "data-act": "use", onclick: () => this.use(true) },
      h("span", {}, t("make.use"), h("small", {}, t("home.bot_is", { name }))),
    );
  }

  /**
   * Keeps the rules among the editions of the home page, and starts a game by them, or asks there who plays; what was
   * changed a moment ago counts.
   * @param {boolean} atOnce
   */
  async use(atOnce) {
    const answer = this.answer ?? (await this.describe());
    if (!answer) return focusMistake(this);
    const { file, toml } = answer;
    try {
      const card = await uploadHouseRules(file, toml, getLanguage());
      if (this.edited && this.edited !== card.id) forgetHouseRules(this.edited);
      const kept = rememberHouseRules(card, { name: file, text: toml }, required(this.draft, "draft"));
      this.edited = card.id;
      if (atOnce) await new PlayModes(kept, this).startAgainstBots();
      else navigate(`/#${encodeURIComponent(card.id)}`);
    } catch (refused) {
      this.showRefusal(asRefusal(refused));
    }
  }
}

/**
 * The field of the form that a key of the file is written in.
 * @param {string} [key]
 */
function findHook(key = "") {
  return FIELDS.get(key) ?? key.replace(/^boxes\.(.+)\.points$/, "points-$1");
}

/**
 * @param {HTMLElement} page
 * @param {string} hook
 */
function findLabel(page, hook) {
  const field = findAll(page, "[data-field]").find((one) => one.dataset.field === hook);
  return field?.closest("label")?.firstElementChild?.textContent;
}

function buildPlaceholders() {
  return Array.from({ length: PLACEHOLDERS }, () => h("div", { class: "placeholder", "aria-hidden": "true" }));
}

/**
 * Says what is wrong in the words of the form, which knows no keys.
 * @param {Refusal} refusal
 * @param {string | null} [label]
 */
function describeMistake({ key, text, least, most, value }, label) {
  if (key === "title") return t("make.wrong.name");
  if (key === "boxes") return t("make.wrong.boxes");
  if (label && most !== undefined) return t("make.wrong.range", { label, least, most, value });
  return text ?? t("bar.reconnecting");
}

customElements.define("knobel-house-rules", HouseRulesPage);
