/* What the table says about itself: the line under its title, the title of the tab, the best boxes in words. */

import { sumWords } from "./rounds.js";
import { t } from "./words.js";

// The line under the title: who only watches, the box, which game and round, how many look on.
export function underWords({ view, block, over, room }, screen) {
  const round = over ? t("table.finished") : t(view.rounds ? "table.round" : "table.round_n", { round: view.round, rounds: view.rounds });
  const game = room.games > 1 ? t("table.game_of", { number: Math.min(room.running ? room.number : Math.max(1, room.number - 1), room.games), games: room.games }) : null;
  const watches = !screen && !view.seats.some((seat) => seat.yours) && t("table.you_watch");
  const eyes = room.watching > 0 && !watches && !screen && t("table.watching", { n: room.watching });
  return [watches, block.publisher, game, round, view.practice && t("table.practice"), eyes].filter(Boolean).join(" · ");
}

// The title of the tab: whose turn it is.
export function titleWords({ view, tray, mine, over }) {
  if (over || !tray) return t("table.finished");
  const alone = view.seats.filter((seat) => seat.yours).length === 1;
  return mine && alone ? t("table.your_turn") : t("tray.turn_of", { name: view.seats[tray.seat].name });
}

// Where the dice bring most, or what they make together; nothing where there is nothing to say.
export function bestWords({ tray, best, block, mine }) {
  if (tray?.stands) return tray.dice.length && sumWords(tray);
  const found = mine && best ? tray.options.filter((option) => !option.refusal && option.points + option.extra === best) : [];
  return found.length > 0 && t("tray.best", { boxes: found.map((option) => boxName(block, option.box)).join(", "), n: best });
}

// Names a box of the block.
export function boxName(block, id) {
  return block.boxes.find((box) => box.box === id).name;
}
