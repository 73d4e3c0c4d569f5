/* Everything that is fetched from the server by HTTP. */

const RETRIES = 5;
const RETRY_DELAY = 700;

let editions = null; // {lang, request}

// What the server offers: languages, bots, where it can be reached.
export function fetchServerInfo(lang) {
  return getJson(`/api/hello${lang ? query({ lang }) : ""}`);
}

// The editions one can play, fetched once for each language.
export function fetchEditions(lang) {
  if (editions?.lang !== lang) {
    const asked = editions = { lang, request: getJson(`/api/editions${lang ? query({ lang }) : ""}`) };
    asked.request.catch(() => { if (editions === asked) editions = null; });
  }
  return editions.request;
}

// Fetches the rooms shown on the home page.
export function fetchRooms(ids) {
  return getJson(`/api/rooms?ids=${ids.map(encodeURIComponent).join(",")}`);
}

// The rules in chapters.
export function fetchRules(chosen, lang) {
  return getJson(`/api/rules?${rulesQuery(chosen, lang)}`);
}

// What names rules in an address; house rules are known by the room they are played in.
export function rulesQuery({ edition, text, switches = {}, house_rules: own, id }, lang) {
  const params = new URLSearchParams({ ...(own ? { room: id } : { edition }), lang });
  if (text) params.set("text", text);
  for (const [name, value] of Object.entries(switches)) params.append("set", `${name}=${value}`);
  return params;
}

// Uploads a house-rule file; the server answers with the card of the edition.
export async function uploadHouseRules(name, body, lang) {
  const answer = await fetch(`/api/house-rules${query({ name, lang })}`, { method: "POST", body, headers: { "Content-Type": "application/toml" } });
  return readAnswer(answer);
}

// Opens a room; the same id again opens no other. Resolves with the id of the room.
export async function openRoom(id, settings, seats, lang) {
  return (await postJson("/api/rooms", { id, settings, seats }, lang)).room;
}

// Opens a room in which a finished game goes on after one of its events.
export async function openRoomFromGame(id, from, lang) {
  return (await postJson("/api/rooms/from-game", { id, ...from }, lang)).room;
}

// Finds the room with a room code.
export async function findRoomByCode(code, lang) {
  return (await postJson("/api/codes", { code }, lang)).room;
}

// Fetches JSON; a refusal is thrown as {code, text}.
export async function getJson(address) {
  return readAnswer(await fetch(address));
}

// Sends JSON, and again with the same content where the network failed.
async function postJson(address, content, lang, retries = RETRIES) {
  const url = `${address}${lang ? query({ lang }) : ""}`;
  try {
    return await readAnswer(await fetch(url, { method: "POST", body: JSON.stringify(content), headers: { "Content-Type": "application/json" } }));
  } catch (error) {
    if (!(error instanceof TypeError) || !retries) throw error;
    await new Promise((later) => setTimeout(later, RETRY_DELAY));
    return postJson(address, content, lang, retries - 1);
  }
}

async function readAnswer(answer) {
  const content = await answer.json().catch(() => null);
  if (!answer.ok || content === null) throw { code: content?.code, text: content?.text };
  return content;
}

function query(values) {
  return `?${new URLSearchParams(values)}`;
}
