// A seat's name in its colour, wherever it stands.

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
