/* For those who ask: the first turn hand in hand, the keys, and the rules of the box. */

import { fill, h, write } from "./dom.js";
import { modal, toast } from "./ask.js";
import { house } from "./house.js";
import { prefs } from "./prefs.js";
import { heading } from "./settings.js";
import { knows, language, t } from "./words.js";
import { aloud } from "./voice.js";

const KEYS = {
  sheet: [["← → ↑ ↓", "move"], ["Enter", "choose"], ["x", "strike"]],
  rounds: [["s", "stay"], ["+", "over"], ["−", "under"]],
};
const STEPS = ["throw", "keep", "again", "choose"];

// Opens the help: how a turn works, and the keys, of the game that is played here.
export function openHelp() {
  const rounds = house.block?.family === "rounds";
  modal(h("dialog", { class: "paper help", "aria-labelledby": "help-title" },
    heading("help-title", t("help.title")),
    h("ol", { class: "turn" }, STEPS.map((step) => h("li", {}, t(rounds && step === "choose" ? "help.rounds.stay" : `help.${step}`)))),
    h("p", {}, t(rounds ? "help.rounds.undo" : "help.undo")),
    h("h3", {}, t("help.keys")),
    h("dl", { class: "keys" }, keysOf(house.block).map(([key, what]) => [h("dt", {}, h("kbd", {}, capOf(key))), h("dd", {}, t(`help.key.${what}`))])),
    h("p", { class: "note" }, t("help.fair"))));
}

// Opens the rules of a box; without one, those of the room we are in.
export async function openRules(edition, text, switches) {
  const chosen = edition ? { edition, text, switches } : house.room;
  if (!chosen) return;
  const body = h("div", { class: "chapters", "aria-busy": "true" });
  const title = h("span", {}, t("rules.title"));
  modal(h("dialog", { class: "paper rules", "aria-labelledby": "rules-title" }, heading("rules-title", title), body));
  try {
    const found = await rulesOf(chosen);
    write(title, found.title);
    fill(body, found.chapters.map(chapter));
  } catch {
    fill(body, h("p", { class: "note" }, t("rules.none")));
  }
  body.removeAttribute("aria-busy");
}

function keysOf(block) {
  const own = KEYS[block?.family ?? "sheet"];
  const real = house.position?.view.seats.some((seat) => seat.yours && seat.own_dice) ? [[`1 – ${block.faces}`, "tell"], ["Backspace", "rub"]] : [];
  return [...real, [`1 – ${block?.dice ?? 5}`, "keep"], ["Space", "throw"], ...own, ["u", "undo"], ["g", "go_on"], ["h", "hint"], ["?", "help"]];
}

// What is printed on a key: words as the language has them, signs as they are.
function capOf(key) {
  const cap = `help.cap.${key.toLowerCase()}`;
  return knows(cap) ? t(cap) : key;
}

// Walks a beginner through the first turn: four hints at the tray, once, never in the way.
export function guideFirstTurn(table) {
  if (prefs.get("guided") || table.querySelector(".guide")) return;
  const tray = table.querySelector(".tray");
  if (!tray) return;
  const words = h("p", {});
  const count = h("small", {});
  const note = h("aside", { class: "guide", role: "note", hidden: true }, count, words,
    h("button", { class: "quiet", "data-act": "skip-guide", onclick: () => end() }, t("guide.skip")));
  let step = -1, kept = false, turn = null;
  const show = (next) => {
    if (next < step) return;
    step = next;
    note.dataset.step = STEPS[step];
    note.hidden = false;
    write(count, t("guide.count", { at: step + 1, all: STEPS.length }));
    if (words.textContent !== t(`guide.${STEPS[step]}`)) aloud(t(`guide.${STEPS[step]}`));
    write(words, t(`guide.${STEPS[step]}`));
  };
  const follow = ({ view }) => {
    const mine = view.trays.find((one) => view.seats[one.seat].yours);
    if (turn && (!mine || written(view, turn.seat) > turn.written)) return end(true);
    if (!mine || mine.phase === "rolloff" || mine.phase === "land") return;
    turn ??= { seat: mine.seat, written: written(view, mine.seat) };
    if (!mine.thrown) show(0);
    else if (mine.phase === "fill") show(3);
    else if (mine.thrown === 1) show(kept ? 2 : 1);
    else show(3);
  };
  const tapped = (event) => {
    if (step !== 1 || !event.target.closest(".die")) return;
    kept = true;
    show(2);
  };
  const stop = house.on("position", follow);
  const end = (done) => {
    stop();
    tray.removeEventListener("click", tapped);
    note.remove();
    prefs.set("guided", true);
    if (done) toast(t("guide.done"));
  };
  tray.addEventListener("click", tapped);
  if (getComputedStyle(tray).position === "static") tray.style.setProperty("position", "relative");
  tray.append(note);
  if (house.position) follow(house.position);
}

function written(view, seat) {
  return view.seats[seat].entries.filter((entry) => entry !== null).length;
}

// Links to paper: the block and the rules, as they are agreed when somebody follows one.
export function paperLinks(agreed) {
  const link = (form) => `/paper/${form}.pdf?${asking(agreed())}`;
  return ["pad", "sheet"].map((form) => h("a", { class: "quiet read", "data-act": form, download: "", href: link(form),
    onclick: (event) => { event.currentTarget.href = link(form); } }, t(`paper.${form}`)));
}

// House rules have no name the house would know them by: it shows those of the room.
function asking({ edition, text, switches = {}, house: own, room }) {
  const asked = new URLSearchParams({ ...(own ? { room } : { edition }), lang: language() });
  if (text) asked.set("text", text);
  for (const [name, value] of Object.entries(switches)) asked.append("set", `${name}=${value}`);
  return asked;
}

async function rulesOf(chosen) {
  const answer = await fetch(`/api/rules?${asking(chosen)}`);
  if (!answer.ok) throw new Error(answer.statusText);
  return answer.json();
}

function chapter({ title, rules }, place) {
  return h("details", { open: place < 2 }, h("summary", {}, title),
    h("ul", {}, rules.map(({ rule, source }) => h("li", {}, rule, source && h("small", {}, source)))));
}
