/* Creates and updates elements; text is always text, nothing is parsed as markup. */

const stylesheets = new Map();
const SVG = "http://www.w3.org/2000/svg";

// Makes an element: props are class, aria-*, data-*, on<event> functions and other attributes; children text or nodes.
export function h(tag, props, ...children) {
  return applyProps(document.createElement(tag), props, children);
}

// Makes a piece of a drawing.
export function svg(tag, props, ...children) {
  return applyProps(document.createElementNS(SVG, tag), props, children);
}

// Replaces the children of an element.
export function setChildren(element, ...children) {
  element.replaceChildren(...toNodes(children));
  return element;
}

// Writes text only where it differs, so that nothing flickers and no screen reader repeats itself.
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
  return element;
}

// Sets an attribute, or takes it away with null or false; only where it differs.
export function setAttribute(element, name, value) {
  if (value === null || value === undefined || value === false) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value === true ? "" : value);
  return element;
}

// Loads a style sheet that only some pages need; wait for it before drawing.
export function loadStylesheet(file) {
  if (!stylesheets.has(file)) stylesheets.set(file, new Promise((done) => {
    document.head.append(h("link", { rel: "stylesheet", href: `/static/${file}`, onload: done, onerror: done }));
  }));
  return stylesheets.get(file);
}

function applyProps(element, props, children) {
  for (const [name, value] of Object.entries(props || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on") && typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "selected") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...toNodes(children));
  return element;
}

function toNodes(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : String(child)));
}
