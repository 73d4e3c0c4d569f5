/* The second secret of this device: other ports of the same host get its cookie, but never this. */

import { randomHex } from "./sha256.js";

// The code of a refusal that says so: the secret is not one the cookie is known by.
export const UNPROVEN = "device_unproven";
const UNPROVEN_EVENT = "knobel-unproven";
const STORAGE_KEY = "knobel.secret";
const SECRET_PATTERN = /^[0-9a-f]{64}$/;

/** @type {string | null} */
let remembered = null;

// The secret of this browser for this origin; it is drawn once. Where nothing can be stored it lives as long as the page.
export function getDeviceSecret() {
  const secret = load() ?? remembered ?? randomHex(32);
  if (secret !== remembered) save(secret);
  remembered = load() ?? secret;
  return remembered;
}

/**
 * Tells the page that the server did not believe the secret.
 * @param {string} text
 */
export function reportUnproven(text) {
  window.dispatchEvent(new CustomEvent(UNPROVEN_EVENT, { detail: text }));
}

/**
 * Calls back whenever the server did not believe the secret.
 * @param {(text: string) => void} fn
 */
export function onUnproven(fn) {
  window.addEventListener(UNPROVEN_EVENT, (event) => event instanceof CustomEvent && fn(event.detail));
}

/** @returns {string | null} */
function load() {
  for (const open of [() => localStorage, () => sessionStorage]) {
    try {
      const found = open().getItem(STORAGE_KEY);
      if (found && SECRET_PATTERN.test(found)) return found;
    } catch {
      /* blocked: the next one may not be */
    }
  }
  return null;
}

/** @param {string} secret */
function save(secret) {
  for (const open of [() => localStorage, () => sessionStorage]) {
    try {
      return open().setItem(STORAGE_KEY, secret);
    } catch {
      /* blocked: the next one may not be */
    }
  }
}
