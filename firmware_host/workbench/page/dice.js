// Dice, drawn: the faces of the middle and the small ones that only count.

import { draw, make } from "./element.js";
import { fill, texts } from "./texts.js";
import { dice as inWords } from "./words.js";

// Where a face has its pips, on a grid of three by three from the top left.
const PIPS = [[], [4], [2, 6], [2, 4, 6], [0, 2, 6, 8], [0, 2, 4, 6, 8], [0, 2, 3, 5, 6, 8]];

/** The face of a die, 1 to 6; `how` is a class more, such as "counts". What it stands in has its name. */
export function die(face, { how = "" } = {}) {
  const pips = PIPS[face].map((at) =>
    draw("circle", { cx: 25 + 25 * (at % 3), cy: 25 + 25 * Math.floor(at / 3), r: face === 1 ? 13 : 9.5 }),
  );
  const attributes = { class: `die face-${face} ${how}`, viewBox: "0 0 100 100", "aria-hidden": "true" };
  return draw("svg", attributes, draw("rect", { x: 3, y: 3, width: 94, height: 94, rx: 22 }), ...pips);
}

/** How many dice a seat holds, of the `most` it began with, and how many it has kept aside. */
export function count(dice, most, banked) {
  const places = Array.from({ length: most }, (_, at) => make("i", { class: at < dice ? "full" : null }));
  const aside = Array.from({ length: banked }, () => make("i", { class: "full aside" }));
  const label = banked ? fill(texts.seat.aside, { dice: inWords(dice), count: banked }) : inWords(dice);
  return make("span", { class: "count", role: "img", "aria-label": label, title: label }, ...places, ...aside);
}
