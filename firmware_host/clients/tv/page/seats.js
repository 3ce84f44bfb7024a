// The players in order of play: a cup each, the number of their dice, and in a reveal the dice themselves.

import { cup } from "./cup.js";
import { die } from "./die.js";
import { make, mark, write } from "./element.js";
import { dice as inWords, fill, language, texts } from "./language.js";
import { colored, named } from "./names.js";

const SHAKE = [
  { transform: "rotate(0)" },
  { transform: "translate(-9%, -4%) rotate(-7deg)", offset: 0.25 },
  { transform: "translate(9%, -7%) rotate(7deg)", offset: 0.75 },
  { transform: "rotate(0)" },
];

/** Whether nothing may move, where it `matches`. */
export const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Sets how many letters a text has, by which the style sheet chooses its size. */
export function measured(element, letters) {
  element.style.setProperty("--len", Math.max(1, letters));
  return element;
}

/** The letters on the cups: the first of a name, or two where names begin alike. */
function lettersOf(names) {
  const short = (name, count) => [...name].slice(0, count).join("").toLocaleUpperCase(language);
  const words = (name) => name.split(/[\s-]+/).filter(Boolean).map((word) => short(word, 1)).join("").slice(0, 2);
  const forms = [(name) => short(name, 1), (name) => (words(name).length > 1 ? words(name) : short(name, 2)), (name) => `${names.indexOf(name) + 1}`];
  const isOwn = (form, name) => names.filter((other) => form(other) === form(name)).length === 1;
  return names.map((name) => (forms.find((form) => isOwn(form, name)) ?? forms[0])(name));
}

/** One player's card. */
class Seat {
  element;
  #cup = cup();
  #under = make("div", { class: "under" });
  #dots = make("p", { class: "dots" });
  #note = make("p", { class: "note" });
  #hand = null;
  #letter = "";
  #shaking = null; // kept: asking the browser for its animations computes all styles
  #name;

  constructor(seat) {
    this.#name = `${seat.name} ${seat.color}`;
    const place = make("div", { class: "place" }, this.#under, this.#cup, this.#note);
    const name = measured(make("p", { class: "who" }, named(seat)), seat.name.length);
    this.element = colored(make("li", { class: "seat" }, place, name, this.#dots), seat.color);
  }

  is({ name, color }) {
    return this.#name === `${name} ${color}`;
  }

  /** Draws what the state says of the player, with `held` dice of `most`, and a letter on the cup. */
  draw(state, number, held, most, letter) {
    const seat = state.seats[number];
    const plays = state.scene !== "lobby";
    mark(this.element, "data-turn", state.turn === number);
    mark(this.element, "data-out", plays && held === 0 && seat.dice === 0);
    mark(this.element, "data-away", seat.away);
    mark(this.element, "data-won", state.scene === "over" && state.winner === number);
    mark(this.element, "data-caller", state.called?.seat === number);
    if (state.scene !== "reveal") for (const paid of ["data-lost", "data-gained"]) mark(this.element, paid, null);
    mark(this.element, "data-awaited", state.scene === "shaking" && state.waiting_for.includes(number));
    this.#count(plays ? held : 0, plays ? most : 0, seat.banked);
    const note = noted(seat, plays && held === 0);
    write(this.#note, note);
    measured(this.#note, Math.max(...note.split(" ").map((word) => word.length)));
    mark(this.#note, "data-robot", seat.robot && !seat.missing.length && !seat.away);
    if (letter !== this.#letter) this.#cup.querySelector(".cup-letter").textContent = this.#letter = letter;
    this.#shake(state.scene === "shaking" && state.waiting_for.includes(number));
  }

  /** Puts dice under the cup, or takes them away. */
  deal(hand) {
    const dealt = hand === null ? null : hand.join("");
    if (dealt === this.#hand) return;
    this.#hand = dealt;
    this.#under.replaceChildren(...(hand ?? []).map((face) => die(face)));
    if (hand === null) this.lift(false);
    else mark(this.#under, "aria-label", hand.map((face) => texts.faces[face][0]).join(", "));
    mark(this.#under, "role", hand !== null && hand.length > 0 && "img");
    if (!hand?.length) this.#under.removeAttribute("aria-label");
  }

  /** Lifts the cup or puts it down. */
  lift(is_up) {
    mark(this.element, "data-up", is_up);
  }

  /** The die at a place in the hand. */
  die(at) {
    return this.#under.children[at];
  }

  get dice() {
    return [...this.#under.children];
  }

  #count(held, most, banked) {
    const key = `${held} ${most} ${banked}`;
    if (this.#dots.dataset.key === key) return;
    this.#dots.dataset.key = key;
    const dots = Array.from({ length: Math.max(most, held) }, (_, at) => make("i", { class: at < held ? "full" : null }));
    const aside = Array.from({ length: banked }, () => make("i", { class: "full aside" }));
    this.#dots.replaceChildren(...dots, ...aside);
    mark(this.#dots, "role", most > 0 && "img");
    const more = banked ? ` ${fill(texts.aside, { count: banked })}` : "";
    mark(this.#dots, "aria-label", most > 0 && inWords(held) + more);
  }

  #shake(is_shaking) {
    if (!is_shaking) {
      this.#shaking?.cancel();
      this.#shaking = null;
    } else if (this.#shaking === null && !still.matches) {
      this.#shaking = this.#cup.animate(SHAKE, { duration: 420, iterations: Infinity, delay: -420 * Math.random() });
    }
  }
}

function noted({ missing, away, out_in_min: minutes, robot }, is_out) {
  if (missing.length) return texts.missing[missing[0]];
  if (away) return minutes === null ? texts.away : `${texts.away} · ${minutes} min`;
  if (is_out) return texts.out;
  return robot ? texts[`robot-${robot}`] : "";
}

/** All players of a state. */
export class Seats {
  #list;
  #seats = new Map();
  #names = "";
  #letters = [];

  constructor(list) {
    this.#list = list;
  }

  /** Draws the players. `held` has the dice of each seat where they are not those of the state. */
  draw(state, held = null) {
    const shown = state.order.length ? state.order : state.players;
    const most = Math.max(1, ...state.seats.map(({ dice }) => dice), 5);
    for (const [number, seat] of this.#seats) {
      if (!shown.includes(number) || !seat.is(state.seats[number])) this.#seats.delete(number);
    }
    const names = shown.map((number) => state.seats[number].name);
    if (names.join("\n") !== this.#names) [this.#names, this.#letters] = [names.join("\n"), lettersOf(names)];
    for (const [at, number] of shown.entries()) {
      if (!this.#seats.has(number)) this.#seats.set(number, new Seat(state.seats[number]));
      this.#seats.get(number).draw(state, number, held?.[number] ?? state.seats[number].dice, most, this.#letters[at]);
    }
    const wanted = shown.map((number) => this.#seats.get(number).element);
    const children = [...this.#list.children];
    if (wanted.length !== children.length || wanted.some((each, at) => each !== children[at])) {
      this.#list.replaceChildren(...wanted);
    }
    this.#list.style.setProperty("--n", Math.max(2, shown.length));
    mark(this.#list, "data-many", shown.length > 4);
    mark(this.#list, "hidden", shown.length === 0);
  }

  /** The card of a seat; undefined for one that does not play. */
  at(number) {
    return this.#seats.get(number);
  }

  /** Lays dice by seat, or with null puts every cup down on none. */
  deal(hands) {
    for (const [number, seat] of this.#seats) seat.deal(hands === null ? null : hands[number]);
  }
}
