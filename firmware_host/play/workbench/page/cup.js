// A cup seen from above: leather over dice. The style sheet lifts and shakes it.

import { draw } from "./element.js";

/** Draws a cup; the dice that show when it is lifted have no pips, because only the display may show them. */
export function cupFromAbove() {
  const dice = [[30, 44], [52, 38], [47, 58]].map(([x, y]) => draw("rect", { x, y, width: 16, height: 16, rx: 4 }));
  const leather = [ring("rim", 38), ring("side", 34), ring("seam", 27), ring("top", 24)];
  return draw(
    "svg",
    { class: "cup-from-above", viewBox: "0 0 100 100", "aria-hidden": "true", tabindex: -1 }, // or listeners make it a tab stop
    ring("shadow", 38),
    draw("g", { class: "under" }, ...dice),
    draw("g", { class: "leather" }, ...leather),
  );
}

const ring = (name, radius) => draw("circle", { class: name, cx: 50, cy: 50, r: radius });
