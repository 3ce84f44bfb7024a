// The person's hand at one seat: sends each press and each lift once, and makes sure that it is released.

const LOOK_MS = 1200; // the least time that a lifted cup stays up, so that a tap on it is a look too

export class Hand {
  #send;
  #held = new Set();
  #lifted = false;
  #liftedAt_ms = 0;
  #lowering;

  constructor(send, seat) {
    this.#send = (what, rest) => send({ do: what, seat, ...rest });
  }

  press(button) {
    if (this.#held.has(button)) return;
    this.#held.add(button);
    this.#send("press", { button });
  }

  release(button) {
    if (this.#held.delete(button)) this.#send("release", { button });
  }

  /** Asks what to do. */
  ask() {
    this.#send("advise");
  }

  lift() {
    clearTimeout(this.#lowering);
    if (this.#lifted) return;
    this.#lifted = true;
    this.#liftedAt_ms = performance.now();
    this.#send("tilt");
  }

  lower() {
    clearTimeout(this.#lowering);
    const left_ms = this.#liftedAt_ms + LOOK_MS - performance.now();
    if (left_ms > 0) this.#lowering = setTimeout(() => this.#setDown(), left_ms);
    else this.#setDown();
  }

  shake() {
    this.#send("shake");
  }

  /** Operates a control by its name, a button's, "shake" or "lift"; returns a function that releases it. */
  operate(control) {
    if (control === "shake") return this.shake(), () => {};
    if (control === "lift") return this.lift(), () => this.lower();
    return this.press(control), () => this.release(control);
  }

  unplug(device) {
    this.#send("unplug", { device });
  }

  plug(device) {
    this.#send("plug", { device });
  }

  uncover() {
    this.#send("uncover");
  }

  cover() {
    this.letGo();
    this.#send("cover");
  }

  /** Releases everything: the page may miss the real releases, or the connection broke. */
  letGo() {
    for (const button of [...this.#held]) this.release(button);
    this.#setDown();
  }

  #setDown() {
    clearTimeout(this.#lowering);
    if (this.#lifted) this.#send("level");
    this.#lifted = false;
  }
}
