/* Everything that is fetched from the server by HTTP. */

import { getDeviceSecret, reportUnproven, UNPROVEN } from "./device-secret.js";
import { required } from "./required.js";

const RETRIES = 5;
const RETRY_DELAY = 700;

/** @type {{ lang: string | undefined, request: Promise<EditionCard[]> } | null} */
let editions = null; // {lang, request}

/**
 * What the server offers: languages, bots, where it can be reached.
 * @param {string | null} lang
 * @returns {Promise<ServerInfo>}
 */
export function fetchServerInfo(lang) {
  return getJson(`/api/hello${lang ? query({ lang }) : ""}`);
}

/**
 * The editions one can play, fetched once for each language.
 * @param {string | undefined} lang
 * @returns {Promise<EditionCard[]>}
 */
export function fetchEditions(lang) {
  if (editions?.lang !== lang) {
    const asked = { lang, request: getJson(`/api/editions${lang ? query({ lang }) : ""}`) };
    editions = asked;
    asked.request.catch(() => {
      if (editions === asked) editions = null;
    });
  }
  return required(editions, "editions").request;
}

/**
 * Fetches the rooms shown on the home page.
 * @param {string[]} ids
 * @returns {Promise<OpenRoom[]>}
 */
export function fetchRooms(ids) {
  return getJson(`/api/rooms?ids=${ids.map(encodeURIComponent).join(",")}`, proofHeaders());
}

/**
 * All games of an evening by the rules played last, for one player.
 * @param {string} room
 * @param {string} player
 * @param {string} lang
 * @returns {Promise<EveningSheet>}
 */
export function fetchEveningSheet(room, player, lang) {
  return getJson(`/api/rooms/${encodeURIComponent(room)}/sheet?${sheetQuery(player, lang)}`);
}

/**
 * @param {string} player
 * @param {string} lang
 */
export function sheetQuery(player, lang) {
  return new URLSearchParams({ player, lang }).toString();
}

/**
 * How a game for one stands against its player's best; null where there is no such chase.
 * @param {string} room
 * @param {string} lang
 * @returns {Promise<Chase | null>}
 */
export async function fetchChase(room, lang) {
  const answer = await getJson(`/api/rooms/${encodeURIComponent(room)}/chase${query({ lang })}`, proofHeaders());
  return answer.chase;
}

/**
 * What everybody made of the same dice; it waits until that is worked out.
 * @param {string} game
 * @returns {Promise<DuplicateResult>}
 */
export function fetchDuplicateResult(game) {
  return getJson(`/api/games/${encodeURIComponent(game)}/duplicate`);
}

/**
 * Handicaps from what everybody in a room lost in past games, and how many games that were.
 * @param {string} room
 * @param {string} lang
 * @returns {Promise<{ points: number[], games: number[] }>}
 */
export function fetchHandicaps(room, lang) {
  return getJson(`/api/rooms/${encodeURIComponent(room)}/handicaps${query({ lang })}`, proofHeaders());
}

/**
 * The rules in chapters.
 * @param {ChosenRules} chosen
 * @param {string} lang
 * @returns {Promise<RulesText>}
 */
export function fetchRules(chosen, lang) {
  return getJson(`/api/rules?${rulesQuery(chosen, lang)}`);
}

/**
 * The bots that know these rules, the weakest first.
 * @param {ChosenRules} chosen
 * @param {string | undefined} lang
 * @returns {Promise<Bot[]>}
 */
export function fetchBots(chosen, lang) {
  return getJson(`/api/bots?${rulesQuery(chosen, lang ?? "")}`);
}

/**
 * One sentence of the coach about a seat of a game that is over; null where its book is not solved.
 * @param {string} game
 * @param {number} seat
 * @param {string} lang
 * @returns {Promise<string | null>}
 */
export async function fetchSummary(game, seat, lang) {
  const { text } = await getJson(
    `/api/games/${encodeURIComponent(game)}/summary${query({ seat: String(seat), lang })}`,
  );
  return text;
}

/**
 * What names rules in an address; house rules are known by the room they are played in.
 * @param {ChosenRules} chosen
 * @param {string} lang
 */
export function rulesQuery({ edition, text, switches = {}, house_rules: own, id, room = own ? id : null }, lang) {
  const params = new URLSearchParams({ ...(room ? { room } : { edition: edition ?? "" }), lang });
  if (text) params.set("text", text);
  for (const [name, value] of Object.entries(switches)) params.append("set", `${name}=${value}`);
  return params;
}

/**
 * Uploads a house-rule file; the server answers with the card of the edition.
 * @param {string} name
 * @param {Blob | string} body
 * @param {string | undefined} lang
 * @returns {Promise<EditionCard>}
 */
export async function uploadHouseRules(name, body, lang) {
  const answer = await fetch(`/api/house-rules${query(lang ? { name, lang } : { name })}`, {
    method: "POST",
    body,
    headers: { "Content-Type": "application/toml" },
  });
  return readAnswer(answer);
}

/**
 * What can be changed in an edition by a form.
 * @param {string} edition
 * @param {string} lang
 * @returns {Promise<HouseRuleForm>}
 */
export function fetchHouseRuleForm(edition, lang) {
  return getJson(`/api/house-rules/form${query({ edition, lang })}`);
}

/**
 * The file of a form that was filled in, and how it plays.
 * @param {Wire.DraftRequest} draft
 * @param {string} lang
 * @returns {Promise<HouseRuleDraft>}
 */
export async function describeDraft(draft, lang) {
  const answer = await fetch(`/api/house-rules/draft${query({ lang })}`, {
    method: "POST",
    body: JSON.stringify(draft),
  });
  return readAnswer(answer);
}

/**
 * How far the par of the form is that this device filled in last.
 * @param {string} lang
 * @returns {Promise<SolveState>}
 */
export function fetchDraftPar(lang) {
  return getJson(`/api/house-rules/par${query({ lang })}`);
}

/**
 * Opens a room; the same id again opens no other. Resolves with the id of the room.
 * @param {string} id
 * @param {Settings} settings
 * @param {Wire.OpenRequest["seats"]} seats
 * @param {string | undefined} lang
 * @returns {Promise<string>}
 */
export async function openRoom(id, settings, seats, lang) {
  return (await postJson("/api/rooms", { id, settings, seats }, lang)).room;
}

/**
 * Opens a room in which a finished game goes on after one of its events.
 * @param {string} id
 * @param {Omit<Wire.ContinueRequest, "id">} from
 * @param {string | undefined} lang
 * @returns {Promise<string>}
 */
export async function openRoomFromGame(id, from, lang) {
  return (await postJson("/api/rooms/from-game", { id, ...from }, lang)).room;
}

/**
 * Finds the room with a room code.
 * @param {string} code
 * @param {string | undefined} lang
 * @returns {Promise<string>}
 */
export async function findRoomByCode(code, lang) {
  return (await postJson("/api/codes", { code }, lang)).room;
}

/**
 * Draws a code with which another browser gets the seats of this one.
 * @param {string | undefined} lang
 * @returns {Promise<{ code: string, minutes: number }>}
 */
export function fetchRecoveryCode(lang) {
  return postJson("/api/device/code", {}, lang);
}

/**
 * Takes over the seats of the browser that shows this code.
 * @param {string} code
 * @param {string | undefined} lang
 */
export function enterRecoveryCode(code, lang) {
  return postJson("/api/device/recover", { code }, lang);
}

/**
 * Goes on as a device without seats, where the secret of the old one is lost.
 * @param {string | undefined} lang
 */
export function startAsNewDevice(lang) {
  return postJson("/api/device/new", {}, lang);
}

/**
 * Fetches JSON; a refusal is thrown as {code, text}.
 * @template Answer
 * @param {string} address
 * @param {Record<string, string>} [headers]
 * @returns {Promise<Answer>}
 */
export async function getJson(address, headers = {}) {
  return readAnswer(await fetch(address, { headers }));
}

// What proves which device asks, together with the cookie.
export function proofHeaders() {
  return { "Knobel-Secret": getDeviceSecret() };
}

/**
 * Sends JSON, and again with the same content where the network failed.
 * @param {string} address
 * @param {object} content
 * @param {string | undefined} lang
 * @param {number} [retries]
 * @returns {Promise<any>}
 */
export async function postJson(address, content, lang, retries = RETRIES) {
  const url = `${address}${lang ? query({ lang }) : ""}`;
  try {
    return await readAnswer(
      await fetch(url, {
        method: "POST",
        body: JSON.stringify(content),
        headers: { "Content-Type": "application/json", ...proofHeaders() },
      }),
    );
  } catch (error) {
    if (!(error instanceof TypeError) || !retries) throw error;
    await new Promise((later) => setTimeout(later, RETRY_DELAY));
    return postJson(address, content, lang, retries - 1);
  }
}

/**
 * @template Answer
 * @param {Response} answer
 * @returns {Promise<Answer>}
 */
async function readAnswer(answer) {
  const content = await answer.json().catch(() => null);
  if (content?.code === UNPROVEN) reportUnproven(content.text);
  if (!answer.ok || content === null) throw content ?? {};
  return content;
}

/** @param {Record<string, string>} values */
function query(values) {
  return `?${new URLSearchParams(values)}`;
}
