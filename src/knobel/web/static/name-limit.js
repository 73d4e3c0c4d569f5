/* How long a name may be: a field takes no more than that, and says so. */

import { t } from "./translations.js";

const MAX_NAME_LENGTH = 20;

/**
 * Takes away what is too much in a field, and gives the sentence that says why, if there was anything.
 * @param {HTMLInputElement} input
 */
export function limitName(input) {
  const characters = splitCharacters(input.value);
  if (characters.length <= MAX_NAME_LENGTH) return "";
  input.value = characters.slice(0, MAX_NAME_LENGTH).join("");
  return t("family.long", { n: MAX_NAME_LENGTH });
}

/**
 * Splits a text where a reader would: a letter with its accents is one.
 * @param {string} text
 */
function splitCharacters(text) {
  return Intl.Segmenter ? [...new Intl.Segmenter().segment(text)].map((one) => one.segment) : [...text];
}
