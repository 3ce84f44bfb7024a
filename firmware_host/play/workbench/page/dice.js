// The small dice that only count. What a die stands in has its name.

import { make } from "./element.js";
import { fill, texts } from "./texts.js";
import { dice as inWords } from "./words.js";

/** How many dice a seat holds, of the `most` it began with, and how many it has kept aside. */
export function count(dice, most, banked) {
  const places = Array.from({ length: most }, (_, at) => make("i", { class: at < dice ? "full" : null }));
  const aside = Array.from({ length: banked }, () => make("i", { class: "full aside" }));
  const label = banked ? fill(texts.seat.aside, { dice: inWords(dice), count: banked }) : inWords(dice);
  return make("span", { class: "count", role: "img", "aria-label": label, title: label }, ...places, ...aside);
}
