// The face of a die, drawn.

import { draw } from "./element.js";

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
