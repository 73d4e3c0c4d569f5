/* Every message of the browser comes from the server's catalog. */

let texts = {};
let pluralForms = {};
let pluralRules = null;
let requestedLang = null;
const loadedParts = new Set();

// Fetches the words of a language, with those of every page that was opened.
export async function loadTranslations(lang) {
  const [found, ...more] = await Promise.all([fetchTranslations({ lang }), ...[...loadedParts].map((part) => fetchTranslations({ lang, part }))]);
  texts = Object.assign(found.words, ...more.map((one) => one.words));
  pluralForms = found.forms;
  requestedLang = found.lang;
  document.documentElement.lang = found.spoken;
  pluralRules = new Intl.PluralRules(getLocale());
}

// Fetches the words of pages that are not opened at once, and which the others do without.
export async function loadParts(...wanted) {
  const lang = requestedLang;
  const found = await Promise.all(wanted.filter((part) => !loadedParts.has(part)).map((part) => fetchTranslations({ lang, part })));
  if (lang !== requestedLang) return loadParts(...wanted);
  for (const part of wanted) loadedParts.add(part);
  Object.assign(texts, ...found.map((one) => one.words));
}

async function fetchTranslations(wish) {
  const asks = new URLSearchParams(Object.entries(wish).filter(([, value]) => value));
  return (await fetch(`/api/words?${asks}`)).json();
}

// The language that was asked for; boxes have their names in it, even where the page still speaks English.
export function getLanguage() {
  return requestedLang;
}

// The language of a box's name where it is not the page's, to be marked there.
export function getBoxLanguage() {
  return requestedLang === document.documentElement.lang ? null : requestedLang;
}

// Says a key of the catalog with its values; n picks the plural, and so does a number with forms of its own: {points:# point|# points}.
export function t(key, values = {}) {
  const found = texts[`web.${key}`];
  if (found === undefined) return `[${key}]`;
  const text = typeof found === "string" ? found : found[pluralCategory(values.n)] ?? found.other ?? found.many;
  return text.replace(/\{(\w+)(?::([^{}]*))?\}/g, (whole, name, several) => {
    if (!(name in values)) return whole;
    const said = String(values[name]);
    return several === undefined ? said : pickForm(several.split("|"), said).replaceAll("#", said);
  });
}

// Picks the form of a number; a sentence that is not translated yet has the forms of English.
function pickForm(several, said) {
  return several[pluralForms[pluralCategory(said)]] ?? several.at(-1);
}

// Says several in a sentence: one, two and three.
export function formatList(several) {
  return new Intl.ListFormat(getLocale()).format(several);
}

// Writes a number with one digit behind the point.
export function formatDecimal(n) {
  return new Intl.NumberFormat(getLocale(), { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(n);
}

// The page's language as browsers know it; our English is that of Europe.
function getLocale() {
  const { lang } = document.documentElement;
  return { en: "en-GB", no: "nb" }[lang] ?? lang;
}

// Whether the catalog has these words.
export function hasText(key) {
  return `web.${key}` in texts;
}

// Names the category of plurals of a number, or of one as it is written; anything else is other.
function pluralCategory(n) {
  const number = Number(String(n ?? 0).replace(/^[^\d]/, "").replace(",", "."));
  return Number.isNaN(number) ? "other" : pluralRules.select(number);
}
