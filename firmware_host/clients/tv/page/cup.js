// A leather cup from the side, upside down on the table: its rim has the seat's colour, and its side the seat's letter.

import { draw } from "./element.js";

export function cup() {
  return draw(
    "svg",
    { class: "cup", viewBox: "0 0 100 100", "aria-hidden": "true" },
    draw("ellipse", { class: "cup-shadow", cx: 50, cy: 95, rx: 50, ry: 6 }),
    draw("path", { class: "cup-side", d: "M24 13 Q24 5 33 5 H67 Q76 5 76 13 L88 86 Q50 100 12 86 Z" }),
    draw("path", { class: "cup-seam", d: "M29 15 Q50 20 71 15 M18 70 Q50 82 82 70" }),
    draw("path", { class: "cup-rim", d: "M10 80 Q50 95 90 80 L92 91 Q50 107 8 91 Z" }),
    draw("text", { class: "cup-letter", x: 50, y: 59, "text-anchor": "middle" }),
  );
}
