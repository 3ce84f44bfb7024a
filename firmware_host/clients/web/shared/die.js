// The face of a die, drawn.

import { draw } from "./element.js";

// Where a face has its pips, on a grid of three by three from the top left.
const PIPS = [[], [4], [2, 6], [2, 4, 6], [0, 2, 6, 8], [0, 2, 4, 6, 8], [0, 2, 3, 5, 6, 8]];

const drawn = new Map(); // by face: a copy costs a slow computer less than drawing anew

/** The face of a die, 1 to 6; `how` is a class more, such as "counts". What it stands in has its name. */
export function die(face, { how = "" } = {}) {
  if (!drawn.has(face)) drawn.set(face, drawnOnce(face));
  const copy = drawn.get(face).cloneNode(true);
  if (how) copy.setAttribute("class", `die face-${face} ${how}`);
  return copy;
}

/** All pips are one path: a table's forty dice are so many elements less. */
function drawnOnce(face) {
  const r = face === 1 ? 13 : 9.5;
  const pips = PIPS[face].map((at) => `M${25 + 25 * (at % 3) - r} ${25 + 25 * Math.floor(at / 3)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`);
  const attributes = { class: `die face-${face}`, viewBox: "0 0 100 100", "aria-hidden": "true" };
  return draw("svg", attributes, draw("rect", { x: 3, y: 3, width: 94, height: 94, rx: 22 }), draw("path", { d: pips.join("") }));
}
