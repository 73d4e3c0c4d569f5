/* The games you left, as links on the home page. */

import { h } from "./dom.js";
import { navigate } from "./router.js";
import { t } from "./translations.js";

/**
 * Says whose turn it is in a room.
 * @param {OpenRoom} room
 */
export function describeTurn({ turn, your_turn: yours, running }) {
  if (!running) return t("home.not_begun");
  if (yours) return t("home.your_turn");
  return turn ? t("home.turn", { name: turn }) : t("home.going_on");
}

/** @param {OpenRoom} room */
export function buildOpenGame(room) {
  const { id, title, names, your_turn: yours } = room;
  return h(
    "a",
    {
      class: yours ? "paper open-game now" : "paper open-game",
      href: `/room/${id}`,
      "data-act": "continue",
      "data-room": id,
      onclick: (event) => {
        event.preventDefault();
        navigate(`/room/${id}`);
      },
    },
    h("span", { class: "open-game-title" }, h("b", {}, title), h("small", {}, names.join(", "))),
    h("span", { class: "open-game-turn" }, describeTurn(room)),
  );
}

/** @param {OpenRoom} room */
export function buildReviewLink({ game, title }) {
  const address = `/review/${encodeURIComponent(game ?? "")}`;
  return h(
    "a",
    {
      class: "quiet review-link",
      href: address,
      "data-act": "review",
      onclick: (event) => {
        event.preventDefault();
        navigate(address);
      },
    },
    t("home.look_back", { title }),
  );
}
