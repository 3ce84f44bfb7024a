// The person's hand at one seat: what it presses and lifts, told to the table once and let go of for certain.

export class Hand {
  #send;
  #held = new Set();
  #lifted = false;

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

  lift() {
    if (!this.#lifted) this.#send("tilt");
    this.#lifted = true;
  }

  lower() {
    if (this.#lifted) this.#send("level");
    this.#lifted = false;
  }

  shake() {
    this.#send("shake");
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

  /** Takes every finger off: the page loses sight of them, or the line broke. */
  letGo() {
    for (const button of [...this.#held]) this.release(button);
    this.lower();
  }
}
