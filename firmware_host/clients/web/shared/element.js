// Makes elements: make("b", { class: "name", text: "Lima" }, child, …). Every other module draws with it.

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element; `text` is its text, every other key an attribute, and null, undefined and false leave it out. */
export function make(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** The same for the elements of a drawing. */
export function draw(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

/** Sets an attribute, or takes it away where `value` is null, undefined or false. */
export function mark(element, name, value) {
  const text = value === true ? "" : String(value);
  if (value === null || value === undefined || value === false) element.removeAttribute(name);
  else if (element.getAttribute(name) !== text) element.setAttribute(name, text);
}

/** Sets an element's text if it is another one: the browser would lay out the same text again. */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function filled(element, { text, ...attributes }, children) {
  if (text !== undefined) element.textContent = text;
  for (const [name, value] of Object.entries(attributes)) mark(element, name, value);
  element.append(...children.filter((child) => child !== null && child !== ""));
  return element;
}
