// A seat's name in its colour, wherever it stands, and the name of this browser's person.

import { make } from "./element.js";

/** The name of a seat, as the table or the public state describes it. */
export function named({ name, color }) {
  return colored(make("b", { class: "name", title: name }, make("bdi", { text: name })), color);
}

/** Gives an element a layout's colour: a name that the style sheet knows, or #rrggbb. */
export function colored(element, color) {
  element.dataset.color = color;
  if (color.startsWith("#")) element.style.setProperty("--named", color);
  return element;
}

const KEPT = "name";

/** The person's name of an earlier visit; the table keeps none, so the browser tells it with every connection. */
export function keptName() {
  try {
    return localStorage.getItem(KEPT) ?? "";
  } catch {
    return "";
  }
}

export function keepName(name) {
  try {
    localStorage.setItem(KEPT, name.trim());
  } catch {
    // a browser that blocks storage has none: the person goes by their seat
  }
}
