// The person's hand at one seat: sends each press and each lift once, and makes sure that it is released.

const TAP_MS = 300;
const LOOK_MS = 1200; // for which a tap lifts the cup, so that it is a look too

export class Hand {
  #send;
  #hide;
  #held = new Set();
  #lifted = false;
  #liftedAt_ms = 0;
  #lowering;

  /** `hide` clears dice from the page: it is called as soon as the hand holds nothing with which one sees them. */
  constructor(send, seat, hide) {
    this.#send = (what, rest) => send({ do: what, seat, ...rest });
    this.#hide = hide;
  }

  /** Whether the hand looks at dice, where the table says that `pressed` buttons and the `cup` are as it wants them. */
  looks({ pressed, cup }) {
    return (this.#lifted && cup === "up") || (this.#held.has("ok") && pressed.includes("ok"));
  }

  press(button) {
    if (this.#held.has(button)) return;
    this.#held.add(button);
    this.#send("press", { button });
  }

  release(button) {
    if (!this.#held.delete(button)) return;
    this.#hideUnlessHeld();
    this.#send("release", { button });
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
    const held_ms = performance.now() - this.#liftedAt_ms;
    if (held_ms < TAP_MS) this.#lowering = setTimeout(() => this.#setDown(), LOOK_MS - held_ms);
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

  turnKey(on) {
    this.#send("turn", { on });
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
    if (!this.#lifted) return;
    this.#lifted = false;
    this.#hideUnlessHeld();
    this.#send("level");
  }

  #hideUnlessHeld() {
    if (!this.#lifted && !this.#held.has("ok")) this.#hide();
  }
}
