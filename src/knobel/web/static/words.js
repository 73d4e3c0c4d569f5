/* Everything the browser says comes from the catalog of the house. */

let words = {};
let plural = [];
let asked = null;

// Fetches the words of a language.
export async function loadWords(lang) {
  const answer = await fetch(`/api/words${lang ? `?lang=${encodeURIComponent(lang)}` : ""}`);
  const found = await answer.json();
  words = found.words;
  plural = found.plural;
  asked = found.lang;
  document.documentElement.lang = found.spoken;
}

// Fetches the words of a page that few open, and which the others do without.
export async function moreWords(part) {
  const answer = await fetch(`/api/words?part=${part}&lang=${asked}`);
  words = { ...words, ...(await answer.json()).words };
}

// The language that was asked for; boxes have their names in it, even where the page still speaks English.
export function language() {
  return asked;
}

// The language of a box's name where it is not the page's, to be marked there.
export function foreign() {
  return asked === document.documentElement.lang ? null : asked;
}

// Says a key of the catalog with its values; n picks the plural.
export function t(key, values = {}) {
  const found = words[`web.${key}`];
  if (found === undefined) return `[${key}]`;
  const text = Array.isArray(found) ? found[form(values.n)] ?? found[0] : found;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

// Whether the catalog has these words.
export function knows(key) {
  return `web.${key}` in words;
}

function form(n) {
  const count = Math.abs(n ?? 0);
  return plural[count < 200 ? count : 100 + (count % 100)] ?? (count === 1 ? 0 : 1);
}
