/* The people of this device: who they are, what they look like, and what becomes of their games. */

import { setBar } from "./bar.js";
import { openMenu, showToast } from "./dialogs.js";
import { find, h, setChildren } from "./dom.js";
import { drawLook, INKS, rememberPeople, replaceName } from "./known-people.js";
import { changePerson, createPerson, fetchPeople } from "./people-api.js";
import { askDeletion, askMerge, askPersonCode, showPersonCode } from "./person-dialogs.js";
import { describeLook, openPersonForm } from "./person-form.js";
import { prefs } from "./prefs.js";
import { asRefusal } from "./required.js";
import { followLink } from "./router.js";
import { formatDay } from "./times.js";
import { t } from "./translations.js";
import { buildYourPages } from "./your-pages.js";

const PLACEHOLDERS = 3;

class PeoplePage extends HTMLElement {
  /** @type {Person[]} */
  people = [];
  list = h("div", { class: "people", "aria-busy": "true" });

  async connectedCallback() {
    setBar({ title: t("people.title"), under: t("people.under") });
    setChildren(
      this,
      buildYourPages("people"),
      h("p", { class: "people-intro" }, t("people.intro")),
      this.list,
      h(
        "div",
        { class: "people-actions" },
        h("button", { class: "button act", "data-act": "add-person", onclick: () => this.add() }, t("people.add")),
        h(
          "button",
          { class: "button", "data-act": "enter-code", onclick: () => this.redeem("") },
          t("people.have_code"),
        ),
      ),
    );
    setChildren(
      this.list,
      h("span", { class: "unseen" }, t("people.loading")),
      Array.from({ length: PLACEHOLDERS }, () => h("div", { class: "placeholder person" })),
    );
    await this.load();
    const code = decodeURIComponent(location.hash.slice(1));
    if (code) this.redeem(code);
  }

  /** @param {string} [focus] What has the focus afterwards. */
  async load(focus) {
    try {
      this.people = await fetchPeople();
      this.show();
    } catch (refused) {
      this.showProblem(asRefusal(refused).text ?? t("people.offline"));
    }
    if (focus) find(this, focus)?.focus();
  }

  /** @param {string} text */
  showProblem(text) {
    setChildren(
      this.list,
      h("p", { class: "paper message", role: "alert" }, text),
      h("button", { class: "button", "data-act": "again", onclick: () => this.load() }, t("people.again")),
    );
    this.list.removeAttribute("aria-busy");
  }

  show() {
    const shown = this.people.filter((person) => !person.hidden);
    const hidden = this.people.filter((person) => person.hidden);
    setChildren(
      this.list,
      shown.length === 0 && h("p", { class: "paper message", "data-empty": "" }, t("people.none")),
      shown.length > 0 &&
        h(
          "ul",
          { class: "person-list", "aria-label": t("people.title") },
          shown.map((person) => this.buildPerson(person)),
        ),
      hidden.length > 0 &&
        h(
          "details",
          { class: "hidden-people" },
          h("summary", {}, t("people.hidden", { n: hidden.length })),
          h(
            "ul",
            { class: "person-list" },
            hidden.map((person) => this.buildPerson(person)),
          ),
        ),
    );
    this.list.removeAttribute("aria-busy");
    rememberPeople(shown);
  }

  /** @param {Person} person */
  buildPerson(person) {
    const { id, name, games, last } = person;
    const played = games ? t("people.played", { n: games, day: last ? formatDay(last) : "" }) : t("people.played_none");
    /** @type {HTMLButtonElement} */
    const more = h(
      "button",
      {
        class: "quiet",
        "aria-label": t("people.more", { name }),
        "aria-haspopup": "menu",
        "data-act": "person-more",
        onclick: () => openMenu(more, this.listActions(person), name),
      },
      "⋯",
    );
    return h(
      "li",
      { class: "paper person", "data-person": id, "data-ink": person.colour % INKS },
      drawLook(person),
      h(
        "span",
        { class: "person-words" },
        h("b", {}, name),
        h("small", {}, played),
        h("span", { class: "unseen" }, describeLook(person)),
      ),
      h(
        "span",
        { class: "person-links" },
        buildLink(`/games?person=${encodeURIComponent(id)}`, "games", t("people.games"), name),
        buildLink(`/statistics?person=${encodeURIComponent(id)}`, "statistics", t("people.statistics"), name),
        more,
      ),
    );
  }

  /**
   * @param {Person} person
   * @returns {(MenuItem | null)[]}
   */
  listActions(person) {
    const { id, name, hidden } = person;
    const others = this.people.filter((other) => other.id !== id);
    const reload = () => this.load(`[data-person="${CSS.escape(id)}"] [data-act=person-more], [data-act=add-person]`);
    return [
      { label: t("people.change"), hook: "change", act: () => this.change(person) },
      { label: t("people.move"), hook: "move", act: () => showPersonCode(person) },
      {
        label: t("people.merge"),
        hook: "merge",
        off: others.length === 0,
        act: () =>
          askMerge(person, others, (into) => {
            replaceName(name, into.name);
            reload();
          }),
      },
      {
        label: t(hidden ? "people.unhide" : "people.hide"),
        hook: "hide",
        act: () => this.hide(person),
      },
      null,
      {
        label: t("people.delete"),
        hook: "delete",
        act: () =>
          askDeletion(person, () => {
            replaceName(name, null);
            reload();
          }),
      },
    ];
  }

  add() {
    const taken = this.people.map((person) => person.colour);
    const free = Array.from({ length: INKS }, (_, place) => place).find((place) => !taken.includes(place));
    const look = free ?? this.people.length % INKS;
    const known = this.people.some((person) => person.name === prefs.get("name"));
    openPersonForm({
      title: t("people.add_title"),
      start: { name: known ? "" : prefs.get("name"), colour: look, emblem: look },
      save: async (draft) => {
        const { id } = await createPerson(draft);
        if (!prefs.get("name")) prefs.set("name", draft.name);
        await this.load(`[data-person="${CSS.escape(id)}"] a`);
      },
    });
  }

  /** @param {Person} person */
  change({ id, name, colour, emblem }) {
    openPersonForm({
      title: t("people.change_title", { name }),
      start: { name, colour, emblem },
      save: async (draft) => {
        await changePerson(id, draft);
        replaceName(name, draft.name);
        await this.load(`[data-person="${CSS.escape(id)}"] [data-act=person-more]`);
      },
    });
  }

  /** @param {string} code */
  redeem(code) {
    askPersonCode(code, async ({ name }) => {
      history.replaceState(null, "", location.pathname);
      await this.load();
      showToast(t("people.redeemed", { name }));
    });
  }

  /** @param {Person} person */
  async hide({ id, name, hidden }) {
    try {
      await changePerson(id, { hidden: !hidden });
      if (!hidden) replaceName(name, null);
    } catch (refused) {
      showToast(asRefusal(refused).text ?? t("people.offline"));
    }
    await this.load();
  }
}

/**
 * @param {string} address
 * @param {string} hook
 * @param {string} text
 * @param {string} name
 */
function buildLink(address, hook, text, name) {
  return h(
    "a",
    {
      class: "quiet",
      href: address,
      "data-act": hook,
      "aria-label": `${text}: ${name}`,
      onclick: (event) => followLink(event, address),
    },
    text,
  );
}

customElements.define("knobel-people", PeoplePage);
