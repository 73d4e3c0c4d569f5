/* What the home page remembers: the last game to be played again in one tap, and how the last ones ended. */

import { showToast } from "./dialogs.js";
import { h, loadStylesheet, setChildren } from "./dom.js";
import { openRoom } from "./game-starter.js";
import { rememberPeople } from "./known-people.js";
import { buildOpenGame } from "./open-games.js";
import { describeResult } from "./past-game.js";
import { fetchHomeMemory } from "./people-api.js";
import { prefs } from "./prefs.js";
import { asRefusal } from "./required.js";
import { followLink, navigate } from "./router.js";
import { formatDay } from "./times.js";
import { loadParts, t } from "./translations.js";
import { buildYourPages } from "./your-pages.js";

const MAX_RECENT = 3;
const MAX_UNFINISHED = 3;

/**
 * Fills a part of the home page with what the server remembers, and says whether it has recent games.
 * @param {HTMLElement} element
 * @param {string[]} shown The rooms that are shown already.
 */
export async function showMemory(element, shown) {
  const [found] = await Promise.all([
    fetchHomeMemory().catch(() => null),
    loadParts("memory", "past"),
    loadStylesheet("memory.css"),
    loadStylesheet("inks.css"),
  ]);
  if (!found) return false;
  rememberPeople(found.people);
  prefs.set(
    "played",
    found.editions.map(({ edition }) => edition),
  );
  const others = found.unfinished.filter((room) => !shown.includes(room.id));
  setChildren(
    element,
    buildUnfinished(others),
    found.again && buildAgain(found.again),
    found.recent.length > 0 && [
      h("h2", {}, t("memory.recent")),
      h(
        "ul",
        { class: "recent-games" },
        found.recent.slice(0, MAX_RECENT).map((game) => h("li", {}, buildRecentGame(game))),
      ),
    ],
    found.people.length > 0 && buildYourPages(null),
  );
  return found.recent.length > 0;
}

/**
 * The games left elsewhere that wait: a few in sight, the others on request.
 * @param {OpenRoom[]} rooms
 */
function buildUnfinished(rooms) {
  /** @type {(some: OpenRoom[]) => HTMLElement} */
  const list = (some) => h("div", { class: "recent-games" }, some.map(buildOpenGame));
  const rest = rooms.slice(MAX_UNFINISHED);
  return [
    rooms.length > 0 && list(rooms.slice(0, MAX_UNFINISHED)),
    rest.length > 0 && h("details", { class: "more-unfinished" }, h("summary", {}, t("bar.more")), list(rest)),
  ];
}

/**
 * The last game, to be played again with the same people by the same rules; whoever has a device of their own is
 * invited first.
 * @param {PlayAgain} again
 */
function buildAgain({ title, names, settings, seats }) {
  /** @type {HTMLButtonElement} */
  const button = h(
    "button",
    { class: "paper open-game play-again", "data-act": "again", onclick: () => start() },
    h("span", { class: "open-game-title" }, h("b", {}, t("memory.again", { title })), h("small", {}, names.join(", "))),
    h("span", { class: "open-game-turn", "aria-hidden": "true" }, "▸"),
  );
  const start = async () => {
    button.disabled = true;
    try {
      navigate(`/room/${await openRoom(settings, seats, names.length === seats.length)}`);
    } catch (refused) {
      showToast(asRefusal(refused).text ?? t("bar.reconnecting"));
    }
    button.disabled = false;
  };
  return button;
}

/** @param {PastGame} game */
function buildRecentGame(game) {
  const address = `/review/${encodeURIComponent(game.id)}`;
  return h(
    "a",
    {
      class: "paper open-game",
      href: address,
      "data-act": "recent",
      "data-game": game.id,
      onclick: (event) => followLink(event, address),
    },
    h(
      "span",
      { class: "open-game-title" },
      h("b", {}, game.title),
      h("small", {}, [formatDay(game.ended), ...game.seats.map((seat) => seat.name)].join(" · ")),
    ),
    h("span", { class: "recent-result" }, describeResult(game)),
  );
}
