/* Creates and updates elements; text is always text, nothing is parsed as markup. */

import { required } from "./required.js";

/** @type {Map<string, Promise<unknown>>} */
const stylesheets = new Map();
// Other style sheets overrule this one, whichever was loaded first.
const OTHER_VIEWS = "views.css";
const SVG = "http://www.w3.org/2000/svg";

/**
 * Makes an element: props are class, aria-*, data-*, on<event> functions and other attributes; children text or nodes.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Props<HTMLElementTagNameMap[K]>} [props]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, props, ...children) {
  return applyProps(document.createElement(tag), props, children);
}

/**
 * Makes a piece of a drawing.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Props<SVGElementTagNameMap[K]>} [props]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(tag, props, ...children) {
  return applyProps(document.createElementNS(SVG, tag), props, children);
}

/**
 * Replaces the children of an element.
 * @template {Element} E
 * @param {E} element
 * @param {...Child} children
 * @returns {E}
 */
export function setChildren(element, ...children) {
  element.replaceChildren(...toNodes(children));
  return element;
}

/**
 * Writes text only where it differs, so that nothing flickers and no screen reader repeats itself.
 * @template {Element} E
 * @param {E} element
 * @param {string} text
 * @returns {E}
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
  return element;
}

/**
 * Sets an attribute, or takes it away with null or false; only where it differs.
 * @template {Element} E
 * @param {E} element
 * @param {string} name
 * @param {string | number | boolean | null | undefined} value
 * @returns {E}
 */
export function setAttribute(element, name, value) {
  if (value === null || value === undefined || value === false) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value))
    element.setAttribute(name, value === true ? "" : String(value));
  return element;
}

/**
 * Tells the style sheet how long the longest line of a name is, so that it is written small enough to be whole.
 * @param {HTMLElement} element
 * @param {string[]} lines
 */
export function setLetters(element, lines) {
  element.style.setProperty("--letters", String(Math.max(1, ...lines.map((line) => line.length))));
}

/**
 * Splits a name where it may go on in another line.
 * @param {string} name
 */
export function splitName(name) {
  return name.split(/\s|(?<=-)/);
}

/**
 * Loads a style sheet that only some pages need; wait for it before drawing.
 * @param {string} file
 * @returns {Promise<unknown> | undefined}
 */
export function loadStylesheet(file) {
  if (!stylesheets.has(file))
    stylesheets.set(
      file,
      new Promise((done) => {
        const link = h("link", { rel: "stylesheet", href: `/static/${file}`, onload: done, onerror: done });
        document.head.insertBefore(link, file === OTHER_VIEWS ? find(document.head, "script") : null);
      }),
    );
  return stylesheets.get(file);
}

/**
 * @template {Element} E
 * @param {E} element
 * @param {Record<string, unknown> | undefined} props
 * @param {readonly Child[]} children
 * @returns {E}
 */
function applyProps(element, props, children) {
  for (const [name, value] of Object.entries(props || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on") && typeof value === "function")
      element.addEventListener(name.slice(2), (event) => value.call(element, event));
    else if (name === "value" || name === "checked" || name === "selected") Object.assign(element, { [name]: value });
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...toNodes(children));
  return element;
}

/**
 * @param {readonly Child[]} children
 * @returns {(Node | string)[]}
 */
function toNodes(children) {
  return children.flatMap((child) => {
    if (child === null || child === undefined || child === false) return [];
    if (child instanceof Node) return [child];
    return typeof child === "object" ? toNodes(child) : [String(child)];
  });
}

/**
 * How a page scrolls by itself: at once where motion is unwanted.
 * @returns {ScrollBehavior}
 */
export function scrollBehavior() {
  return document.documentElement.dataset.motion === "full" && !matchMedia("(prefers-reduced-motion: reduce)").matches
    ? "smooth"
    : "instant";
}

/**
 * Finds an element below another one.
 * @param {ParentNode} root
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export function find(root, selector) {
  const found = root.querySelector(selector);
  return found instanceof HTMLElement ? found : null;
}

/**
 * Finds all such elements below another one.
 * @param {ParentNode} root
 * @param {string} selector
 */
export function findAll(root, selector) {
  return [...root.querySelectorAll(selector)].filter((one) => one instanceof HTMLElement);
}

/**
 * Finds an element of the page that is always there.
 * @param {string} id
 */
export function getPart(id) {
  return required(document.getElementById(id), id);
}

// What has the focus.
export function getFocused() {
  return document.activeElement instanceof HTMLElement ? document.activeElement : null;
}
