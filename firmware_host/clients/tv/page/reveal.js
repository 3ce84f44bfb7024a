// The reveal, in the steps that the server's cues give: cups up, the dice that count, the verdict, the die that falls.

import { die } from "./die.js";
import { make, mark, write } from "./element.js";
import { about, bid, claimed, line } from "./parts.js";
import { price, verdict } from "./words.js";

const SLICE_MS = 60; // between two parts of a picture, long before the first cup
const POP = [{ transform: "scale(1)" }, { transform: "scale(1.45) rotate(8deg)", offset: 0.35 }, { transform: "scale(1)" }];
const SLAM = [{ transform: "scale(2.2)", opacity: 0 }, { transform: "scale(.94)", opacity: 1, offset: 0.6 }, { transform: "scale(1)" }];
const FALL = [
  { transform: "none", opacity: 1 },
  { transform: "translateY(-60%) rotate(25deg)", opacity: 1, offset: 0.25, easing: "cubic-bezier(.5, 0, 1, .6)" },
  { transform: "translateY(700%) rotate(210deg)", opacity: 0 },
];

export class Reveal {
  #seats;
  #middle;
  #moves;
  #key = "";
  #timers = [];
  #done = new Set();
  #meter = make("p", { class: "meter", "aria-hidden": "true" });

  /** `moves` is whether things may move. */
  constructor(seats, middle, moves) {
    this.#seats = seats;
    this.#middle = middle;
    this.#moves = moves;
  }

  /** Whether the showdown of a state is shown already, and not begun again. */
  has(state) {
    return this.#key === JSON.stringify(state.showdown);
  }

  /** Shows the showdown of a state: from the step that `moment` has reached, or the end of it. */
  show(state, moment) {
    if (!this.has(state)) this.#begin(state, moment?.elapsed_ms < SLICE_MS);
    this.#stop();
    const cues = moment?.kind === "reveal" ? moment.cues : null;
    if (cues === null) this.#finish(state);
    for (const [at, cue] of (cues ?? []).entries()) {
      const in_ms = cue.at_ms - moment.elapsed_ms;
      if (in_ms <= 0) this.#take(at, cue, state, in_ms > -250);
      else this.#timers.push(setTimeout(() => this.#take(at, cue, state, true), in_ms));
    }
  }

  /** Ends it: the next scene has begun. */
  end() {
    if (this.#key === "") return;
    this.#stop();
    this.#key = "";
    this.#seats.deal(null);
  }

  #stop() {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers = [];
  }

  /** Draws what the cues fill; `slowly` in three parts, because laid out in one task it would halt a slow computer. */
  #begin(state, slowly) {
    const shown = state.showdown;
    this.#key = JSON.stringify(shown);
    this.#done.clear();
    const is_pass = shown.matching === null;
    const { quantity, face } = shown;
    const claim = claimed("claim", state, shown.call, shown.caller, shown.doubted, is_pass);
    const [text, payer] = price(shown);
    const [told, fate] = [payer === null ? line("cost", text) : about("cost", text, state.seats[payer]), shown.out.includes(shown.loser)];
    if (fate) told.className = "fate"; // a player's last die: in the place of the verdict, as large
    const head = make("div", { class: "in-turn" }, claim, line("verdict", verdict(shown)), fate ? told : null);
    const scales = make("div", { class: "scales" }, bid({ quantity, face }, "the-bid"), bid({ quantity: 0, face }, "there"));
    const below = make("div", { class: "in-turn" }, is_pass ? null : this.#meter, fate ? null : told);
    this.#meter.replaceChildren();
    setTimeout(() => this.#meter.childElementCount || this.#slots(0, shown)); // in a task of its own
    const parts = is_pass ? [below] : [scales, below];
    this.#middle.replaceChildren(head, ...(slowly ? [] : parts));
    const key = this.#key;
    if (slowly) for (const [at, part] of parts.entries()) setTimeout(() => this.#key === key && this.#middle.append(part), (at + 1) * SLICE_MS);
    mark(this.#middle, "data-step", "lift");
    this.#seats.draw(state, shown.hands.map((hand) => hand.length));
    for (const seat of shown.hands.keys()) this.#seats.at(seat)?.lift(false);
  }

  /** Lays a seat's dice and lifts its cup. Dice are drawn only then: all at once, a slow computer would halt. */
  #lift(seat, hand) {
    this.#seats.at(seat)?.deal(hand);
    this.#seats.at(seat)?.lift(true);
  }

  /** Everything at once, for a page that comes when it is over, or for players who go on. */
  #finish(state) {
    const { hands, face, matching, doubted } = state.showdown;
    const plain = hands.flat().filter((each) => each === face).length;
    for (const [seat, hand] of hands.entries()) {
      if (hand.length > 0) this.#lift(seat, hand); // as the cues: who is out has no cup to lift
      for (const [at, each] of hand.entries()) {
        const counts = matching === null ? seat === doubted : each === face || (each === 1 && matching > plain);
        this.#light(seat, at, counts);
      }
    }
    this.#count(matching, state);
    mark(this.#middle, "data-step", "pays");
    this.#pay(state);
    this.#fall(state, false);
  }

  #take(at, cue, state, moves) {
    if (this.#done.has(at)) return;
    this.#done.add(at);
    const animates = moves && this.#moves();
    if (cue.kind === "lift") this.#lift(cue.seat, state.showdown.hands[cue.seat]);
    if (cue.kind === "count") {
      const lit = cue.dice.map((place) => this.#light(cue.seat, place, true));
      this.#count(state.showdown.matching === null ? null : cue.count, state);
      mark(this.#middle, "data-step", "count");
      if (animates) for (const each of [...lit, this.#middle.querySelector(".there b")]) each?.animate(POP, { duration: 320, easing: "ease-out" });
    }
    if (cue.kind === "verdict") {
      mark(this.#middle, "data-step", "verdict");
      if (animates) this.#middle.querySelector(".verdict").animate(SLAM, { duration: 420, easing: "ease-out" });
    }
    if (cue.kind === "pays") {
      mark(this.#middle, "data-step", "pays");
      this.#pay(state);
      if (animates) this.#middle.querySelector(".fate")?.animate(SLAM, { duration: 420, easing: "ease-out" });
    }
    if (cue.kind === "fall") this.#fall(state, animates);
  }

  #light(seat, at, is_lit) {
    const shown = this.#seats.at(seat)?.die(at);
    if (shown) mark(shown, "data-lit", is_lit);
    return shown;
  }

  #count(count, state) {
    const number = this.#middle.querySelector(".there b");
    if (number === null || count === null) return;
    write(number, String(count));
    this.#slots(count, state.showdown);
  }

  /** A hollow die for each one of the bid, filled as the cups go up; dice over the bid follow. */
  #slots(count, { quantity, face }) {
    const wanted = Math.max(quantity, count);
    const shown = this.#meter.children;
    while (shown.length < wanted) this.#meter.append(die(face));
    for (const [at, slot] of [...shown].entries()) {
      slot.classList.toggle("full", at < count);
      slot.classList.toggle("over", at >= quantity);
    }
    this.#meter.style.setProperty("--slots", wanted);
  }

  /** Marks who loses or wins a die. */
  #pay({ showdown: { loser, gainer } }) {
    const payer = this.#seats.at(loser ?? gainer);
    if (payer) mark(payer.element, loser === null ? "data-gained" : "data-lost", true);
  }

  /** Takes the loser's die away: it falls from the table. */
  #fall(state, animates) {
    this.#seats.draw(state);
    const falling = this.#seats.at(state.showdown.loser)?.dice.at(-1);
    if (falling === undefined) return;
    const gone = () => mark(falling, "data-gone", true);
    if (!animates) gone();
    else falling.animate(FALL, { duration: 1100 }).finished.then(gone, gone);
  }
}
