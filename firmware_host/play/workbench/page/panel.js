// A seat's display: 128 by 64 dots on a canvas, every dot a whole number of the screen's pixels.

import { make } from "./element.js";

const WIDTH = 128;
const HEIGHT = 64;
const LIT = [206, 232, 255];
const DARK = [4, 7, 13];

export class Panel {
  element = make("canvas", { width: WIDTH, height: HEIGHT, role: "img" });
  #ink = this.element.getContext("2d");
  #dots = this.#ink.createImageData(WIDTH, HEIGHT);

  constructor() {
    this.clear();
  }

  /** Shows 64 rows of 16 bytes, the most significant bit of each the left dot, 1 lit. */
  show(rows) {
    const { data } = this.#dots;
    for (let dot = 0; dot < WIDTH * HEIGHT; dot += 1) {
      const lit = (rows[dot >> 3] >> (7 - (dot & 7))) & 1;
      data.set(lit ? LIT : DARK, 4 * dot);
      data[4 * dot + 3] = 255;
    }
    this.#ink.putImageData(this.#dots, 0, 0);
  }

  /** Names the display for people who hear it: it must say no more than the dots. */
  label(text) {
    this.element.setAttribute("aria-label", text);
  }

  /** Makes all dots dark, so that nothing of the last picture stays. */
  clear() {
    this.show(new Uint8Array((WIDTH * HEIGHT) / 8));
  }

  /** Fits the canvas into `width` CSS pixels, with dots of whole pixels on this screen. */
  fit(width) {
    const pixels = Math.max(1, Math.floor((width * devicePixelRatio) / WIDTH));
    this.element.style.width = `${(WIDTH * pixels) / devicePixelRatio}px`;
  }
}
