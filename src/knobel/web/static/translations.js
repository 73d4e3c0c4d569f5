/* Every message of the browser comes from the server's catalog. */

/** @type {Words["words"]} */
let texts = {};
/** @typedef {{ rules: Intl.PluralRules, forms: Words["forms"] }} Plurals */
/** @type {Plurals | null} */
let plurals = null;
/** @type {Set<string>} */
const untranslated = new Set();
/** @type {Plurals} */
const ENGLISH = { rules: new Intl.PluralRules("en-GB"), forms: { one: 0, other: 1 } };
/** @type {Marks} */
let marks = { separator: ", ", last: " and ", decimal: ".", group: "," };
/** @type {string | null} */
let requestedLang = null;
/** @type {Set<string>} */
const loadedParts = new Set();

/**
 * Fetches the words of a language, with those of every page that was opened.
 * @param {string | null} lang
 */
export async function loadTranslations(lang) {
  const [found, ...more] = await Promise.all([
    fetchTranslations({ lang }),
    ...[...loadedParts].map((part) => fetchTranslations({ lang, part })),
  ]);
  texts = {};
  untranslated.clear();
  for (const one of [found, ...more]) addTexts(one);
  requestedLang = found.lang;
  document.documentElement.lang = found.spoken;
  plurals = { rules: new Intl.PluralRules(getLocale()), forms: found.forms };
  marks = found.marks;
}

/**
 * Adds words to those that are known, and notes which of them are still in English.
 * @param {Words} found
 */
function addTexts(found) {
  Object.assign(texts, found.words);
  for (const key of found.untranslated) untranslated.add(key);
}

/**
 * Fetches the words of pages that are not opened at once, and which the others do without.
 * @param {...string} wanted
 * @returns {Promise<void>}
 */
export async function loadParts(...wanted) {
  const lang = requestedLang;
  const found = await Promise.all(
    wanted.filter((part) => !loadedParts.has(part)).map((part) => fetchTranslations({ lang, part })),
  );
  if (lang !== requestedLang) return loadParts(...wanted);
  for (const part of wanted) loadedParts.add(part);
  for (const one of found) addTexts(one);
}

/**
 * @param {{ lang: string | null, part?: string }} wish
 * @returns {Promise<Words>}
 */
async function fetchTranslations(wish) {
  const asks = new URLSearchParams(Object.entries(wish).flatMap(([name, value]) => (value ? [[name, value]] : [])));
  return (await fetch(`/api/words?${asks}`)).json();
}

// The language that was asked for; boxes have their names in it, even where the page still speaks English.
export function getLanguage() {
  return requestedLang ?? document.documentElement.lang;
}

/**
 * The language of a box's name where it is not the page's, to be marked there.
 * @returns {string | null}
 */
export function getBoxLanguage() {
  return requestedLang === document.documentElement.lang ? null : requestedLang;
}

/**
 * Says a key of the catalog with its values; n picks the plural, and so does a number with forms of its own: {points:# point|# points}.
 * @param {string} key
 * @param {Record<string, unknown>} [values]
 * @returns {string}
 */
export function t(key, values = {}) {
  const found = texts[`web.${key}`];
  if (found === undefined) return `[${key}]`;
  const spoken = untranslated.has(`web.${key}`) ? ENGLISH : (plurals ?? ENGLISH);
  const text =
    typeof found === "string" ? found : (found[pluralCategory(values.n, spoken)] ?? found.other ?? found.many);
  return text.replace(/\{(\w+)(?::([^{}]*))?\}/g, (whole, name, several) => {
    if (!(name in values)) return whole;
    const said = String(values[name]);
    return several === undefined ? said : pickForm(several.split("|"), said, spoken).replaceAll("#", said);
  });
}

/**
 * Picks the form of a number; a sentence that is not translated yet has the forms of English.
 * @param {string[]} several
 * @param {string} said
 * @param {Plurals} spoken
 * @returns {string}
 */
function pickForm(several, said, spoken) {
  return several[spoken.forms[pluralCategory(said, spoken)]] ?? several.at(-1);
}

/**
 * Says several in a sentence: one, two and three.
 * @param {string[]} several
 */
export function formatList(several) {
  return [several.slice(0, -1).join(marks.separator), ...several.slice(-1)].filter(Boolean).join(marks.last);
}

/**
 * Writes a number with one digit behind the point, or a whole one without if that is wanted.
 * @param {number} n
 * @param {{ whole?: boolean }} [how]
 */
export function formatDecimal(n, { whole = false } = {}) {
  const [front, digits] = n.toFixed(1).split(".");
  const grouped = front.replace(/\B(?=(\d{3})+$)/g, marks.group);
  return whole && digits === "0" ? grouped : `${grouped}${marks.decimal}${digits}`;
}

// The page's language as browsers know it; our English is that of Europe.
export function getLocale() {
  const { lang } = document.documentElement;
  return { en: "en-GB", no: "nb" }[lang] ?? lang;
}

/**
 * Whether the catalog has these words.
 * @param {string} key
 */
export function hasText(key) {
  return `web.${key}` in texts;
}

/**
 * Names the category of plurals of a number, or of one as it is written; anything else is other.
 * @param {unknown} n
 * @param {Plurals} spoken
 * @returns {string}
 */
function pluralCategory(n, spoken) {
  const number = Number(
    String(n ?? 0)
      .replace(/^[^\d]/, "")
      .replace(",", "."),
  );
  return Number.isNaN(number) ? "other" : spoken.rules.select(number);
}
