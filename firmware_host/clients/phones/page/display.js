// The display of a seat on a canvas, every dot a whole number of the screen's pixels.

const WIDTH = 128;
const HEIGHT = 64;
const LIT = [206, 232, 255];
const DIM = [120, 138, 158];
const DARK = [4, 7, 13];
const LOW = matchMedia("(orientation: landscape) and (max-height: 560px)"); // as in phone.css: beside the controls

export class Display {
  #canvas;
  #ink;
  #dots;

  constructor(canvas) {
    this.#canvas = canvas;
    this.#ink = canvas.getContext("2d");
    this.#dots = this.#ink.createImageData(WIDTH, HEIGHT);
    this.clear();
    const glass = canvas.parentElement;
    new ResizeObserver(() => this.#fit(glass.clientWidth, glass.clientHeight)).observe(glass);
  }

  /** Shows a board's memory: eight pages of 128 columns, the lowest bit of each on top. */
  show({ memory, shine: { inverted, light, row } }) {
    const ink = light === 1 ? DIM : LIT;
    this.#paint((x, y) => {
      const from = (y - row + HEIGHT) % HEIGHT;
      const isLit = ((memory[WIDTH * (from >> 3) + x] >> (from & 7)) & 1) === 1;
      return isLit !== inverted ? ink : DARK;
    });
  }

  /** Makes all dots dark, so that nothing of the last picture stays. */
  clear() {
    this.#paint(() => DARK);
  }

  #paint(colorOf) {
    const { data } = this.#dots;
    for (let dot = 0; dot < WIDTH * HEIGHT; dot += 1) {
      data.set(colorOf(dot % WIDTH, Math.floor(dot / WIDTH)), 4 * dot);
      data[4 * dot + 3] = 255;
    }
    this.#ink.putImageData(this.#dots, 0, 0);
  }

  #fit(width, height) {
    const most = Math.min(width / WIDTH, LOW.matches ? (height - 8) / HEIGHT : Infinity);
    const pixels = Math.max(1, Math.floor(devicePixelRatio * most));
    this.#canvas.style.width = `${(WIDTH * pixels) / devicePixelRatio}px`;
  }
}
