/* What is agreed in the lobby: the host chooses, everybody else reads. */

import { connection } from "./connection.js";
import { showToast } from "./dialogs.js";
import { h } from "./dom.js";
import { getFamily } from "./families.js";
import { buildSelect, buildSettings, buildSetupForm, createSetup, describeSwitches, withHouseRules } from "./game-setup.js";
import { openRules } from "./help.js";
import { t } from "./translations.js";

// The panel; parts are those of the page, redraw() draws them.
export class SetupPanel {
  constructor(parts, editions, redraw) {
    this.parts = parts;
    this.editions = editions;
    this.redraw = redraw;
    this.sent = null;
  }

  // What the panel depends on; a form that is open and says already what the room says stays as it is.
  key(view) {
    if (view.host && this.sent === JSON.stringify(pickSetup(view))) return this.parts.lastValue("setup");
    return [pickSetup(view), view.host];
  }

  build(view, card) {
    if (!view.host) return [h("h2", {}, t("lobby.agreed")), buildTerms(view, card)];
    const setup = { ...pickSetup(view), switches: { ...view.switches } };
    const fields = { first: this.buildEditionChoice(view, card, setup), last: this.buildTurnChoice(view, card, setup) };
    return [h("h2", {}, t("lobby.agreed")), card ? buildSetupForm(card, setup, (changed) => this.send(view, card, card, changed), fields) : fields.first];
  }

  buildEditionChoice(view, card, setup) {
    const known = this.editions.map((one) => [one.id, t("lobby.edition_by", { title: one.title, publisher: one.publisher || t("home.own") })]);
    if (!card) known.unshift([view.edition, view.title]);
    return buildSelect(t("lobby.edition"), known, view.edition, (id) => {
      const other = this.editions.find((one) => one.id === id);
      this.send(view, card, other, { ...createSetup(other), games: setup.games, free: setup.free });
    }, "edition");
  }

  buildTurnChoice(view, card, setup) {
    return getFamily(view.family).freeTurns && buildSelect(t("lobby.turns"), [["", t("lobby.turns_round")], ["free", t("lobby.turns_free")]], view.free ? "free" : "", (free) => {
      setup.free = Boolean(free);
      this.send(view, card, card, setup);
    }, "free");
  }

  send(view, card, chosen, setup) {
    this.sent = chosen === card ? JSON.stringify({ ...pickSetup(view), ...setup }) : null;
    withHouseRules(chosen, () => connection.sendIntent({ want: "settle", ...buildSettings(chosen, setup) })).catch((refused) => {
      showToast(refused.text);
      this.parts.forget("setup");
      this.sent = null;
      this.redraw();
    });
  }
}

function pickSetup({ edition, text, series, switches, free }) {
  return { edition, text, games: series.games, switches, free };
}

function buildTerms(view, card) {
  const text = card?.texts.find((one) => one.text === view.text)?.name ?? view.text;
  const line = (name, value) => [h("dt", {}, name), h("dd", {}, value)];
  return [
    h("dl", { class: "terms" }, line(t("lobby.edition"), t("lobby.edition_by", { title: view.title, publisher: view.publisher || t("home.own") })),
      line(t("agree.text"), text), line(t("agree.games"), t("agree.games_n", { n: view.series.games })), line(t("lobby.rules"), describeSwitches(view.switches)),
      view.free && line(t("lobby.turns"), t("lobby.turns_free"))),
    h("button", { class: "quiet read", "data-act": "rules", onclick: () => openRules() }, t("agree.read")),
  ];
}
