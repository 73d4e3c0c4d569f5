/* Everything the browser says comes from the catalog of the house. */

let words = {};
let forms = {};
let plural = null;
let asked = null;
const parts = new Set();

// Fetches the words of a language, with those of every page that was opened.
export async function loadWords(lang) {
  const [found, ...more] = await Promise.all([fetched({ lang }), ...[...parts].map((part) => fetched({ lang, part }))]);
  words = Object.assign(found.words, ...more.map((one) => one.words));
  forms = found.forms;
  asked = found.lang;
  document.documentElement.lang = found.spoken;
  plural = new Intl.PluralRules(locale());
}

// Fetches the words of pages that are not opened at once, and which the others do without.
export async function moreWords(...wanted) {
  const lang = asked;
  const found = await Promise.all(wanted.filter((part) => !parts.has(part)).map((part) => fetched({ lang, part })));
  if (lang !== asked) return moreWords(...wanted);
  for (const part of wanted) parts.add(part);
  Object.assign(words, ...found.map((one) => one.words));
}

async function fetched(wish) {
  const asks = new URLSearchParams(Object.entries(wish).filter(([, value]) => value));
  return (await fetch(`/api/words?${asks}`)).json();
}

// The language that was asked for; boxes have their names in it, even where the page still speaks English.
export function language() {
  return asked;
}

// The language of a box's name where it is not the page's, to be marked there.
export function foreign() {
  return asked === document.documentElement.lang ? null : asked;
}

// Says a key of the catalog with its values; n picks the plural, and so does a number with forms of its own: {points:# point|# points}.
export function t(key, values = {}) {
  const found = words[`web.${key}`];
  if (found === undefined) return `[${key}]`;
  const text = typeof found === "string" ? found : found[category(values.n)] ?? found.other ?? found.many;
  return text.replace(/\{(\w+)(?::([^{}]*))?\}/g, (whole, name, several) => {
    if (!(name in values)) return whole;
    const said = String(values[name]);
    return several === undefined ? said : formOf(several.split("|"), said).replaceAll("#", said);
  });
}

// Picks the form of a number; a sentence that is not translated yet has the forms of English.
function formOf(several, said) {
  return several[forms[category(said)]] ?? several.at(-1);
}

// Says several in a sentence: one, two and three.
export function listed(several) {
  return new Intl.ListFormat(locale()).format(several);
}

// Writes a number with one digit behind the point.
export function decimal(n) {
  return new Intl.NumberFormat(locale(), { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(n);
}

// The page's language as browsers know it; our English is that of Europe.
function locale() {
  const { lang } = document.documentElement;
  return { en: "en-GB", no: "nb" }[lang] ?? lang;
}

// Whether the catalog has these words.
export function knows(key) {
  return `web.${key}` in words;
}

// Names the category of plurals of a number, or of one as it is written; anything else is other.
function category(n) {
  const number = Number(String(n ?? 0).replace(/^[^\d]/, "").replace(",", "."));
  return Number.isNaN(number) ? "other" : plural.select(number);
}
