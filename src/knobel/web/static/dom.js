/* Elements without ceremony: text is always text, nothing is parsed as markup. */

const worn = new Map();
const SVG = "http://www.w3.org/2000/svg";

// Makes an element: props are class, aria-*, data-*, on<event> functions and other attributes; children text or nodes.
export function h(tag, props, ...children) {
  return dress(document.createElement(tag), props, children);
}

// Makes a piece of a drawing.
export function svg(tag, props, ...children) {
  return dress(document.createElementNS(SVG, tag), props, children);
}

// Replaces the children of an element.
export function fill(element, ...children) {
  element.replaceChildren(...nodes(children));
  return element;
}

// Writes text only where it differs, so that nothing flickers and no screen reader repeats itself.
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
  return element;
}

// Sets an attribute, or takes it away with null or false; only where it differs.
export function mark(element, name, value) {
  if (value === null || value === undefined || value === false) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value === true ? "" : value);
  return element;
}

// Fetches a style sheet that only some pages need; whoever waits for it draws nothing naked.
export function wear(file) {
  if (!worn.has(file)) worn.set(file, new Promise((done) => {
    document.head.append(h("link", { rel: "stylesheet", href: `/static/${file}`, onload: done, onerror: done }));
  }));
  return worn.get(file);
}

function dress(element, props, children) {
  for (const [name, value] of Object.entries(props || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on") && typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked" || name === "selected") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...nodes(children));
  return element;
}

function nodes(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : String(child)));
}
