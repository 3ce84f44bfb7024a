// The game in half a minute, for a room in which nobody plays: three cups that show one sentence after the other.

import { cup } from "./cup.js";
import { die } from "./die.js";
import { make, mark } from "./element.js";
import { texts } from "./language.js";
import { bid, line } from "./parts.js";

const STEP_MS = 3700;
const HANDS = [[3, 3, 1, 5, 6], [2, 3, 4, 4, 6], [1, 2, 5, 5, 6]];
const COLORS = ["red", "yellow", "turquoise"];

const steps = (wild) => [
  { text: "lesson-game" },
  { text: "lesson-shake", shake: true },
  { text: "lesson-look", peek: 0 },
  { text: "lesson-bid", says: [{ quantity: 4, face: 3 }] },
  { text: "lesson-raise", says: [{ quantity: 4, face: 3 }, { quantity: 5, face: 3 }, "dudo"] },
  { text: "lesson-reveal", up: true, says: [null, { quantity: 5, face: 3 }, "dudo"], loser: 1 },
  ...(wild === false ? [] : [{ text: "lesson-wild", up: true, wild: true }]),
  { text: "lesson-win", wins: 2 },
];

/** The sentences of the lesson, for the list that a phone can open. */
export const sentences = (wild) => steps(wild).slice(1).map(({ text }) => texts[text]);

export class Lesson {
  #place;
  #wild = null;
  #at = 0;
  #timer = null;

  constructor(place) {
    this.#place = place;
  }

  /** Begins, or goes on. */
  show(wild) {
    this.#wild = wild;
    if (this.#timer !== null) return;
    this.#at = 0;
    this.#draw();
    this.#timer = setInterval(() => this.#draw(), STEP_MS);
  }

  end() {
    clearInterval(this.#timer);
    this.#timer = null;
  }

  #draw() {
    const all = steps(this.#wild);
    const step = all[this.#at++ % all.length];
    const players = HANDS.map((hand, number) => player(step, hand, number));
    const title = step.text === "lesson-game" ? [make("p", { class: "game", text: "Dudo" })] : [];
    this.#place.replaceChildren(
      make("div", { class: "lesson", "data-step": step.text }, ...title, make("div", { class: "three" }, ...players)),
      line("sentence", texts[step.text]),
      line("invite", texts.join),
    );
  }
}

function player(step, hand, number) {
  const says = step.says?.[number] ?? null;
  const dice = make("div", { class: "under" }, ...hand.map((face) => taught(step, face)));
  const shown = make("div", { class: "seat taught", "data-color": COLORS[number] }, make("div", { class: "place" }, dice, cup()));
  mark(shown, "data-up", step.up);
  mark(shown, "data-peek", step.peek === number);
  mark(shown, "data-shaking", step.shake);
  mark(shown, "data-won", step.wins === number);
  mark(shown, "data-out", step.wins !== undefined && step.wins !== number);
  if (step.loser === number) mark(dice.lastElementChild, "data-gone", true);
  if (says !== null) shown.append(says === "dudo" ? make("p", { class: "bubble dudo", text: texts.calls.dudo }) : bubble(says));
  return shown;
}

function bubble(said) {
  const shown = bid(said);
  shown.classList.add("bubble");
  return shown;
}

function taught(step, face) {
  const shown = die(face);
  if (step.up) mark(shown, "data-lit", face === 3 || face === 1 ? !(step.wild && face === 3) : false);
  return shown;
}
