// The parts of the middle that several scenes have.

import { die } from "./die.js";
import { draw, make } from "./element.js";
import { bidInWords, fill, texts } from "./language.js";
import { named } from "./names.js";
import { measured } from "./seats.js";
import { claim } from "./words.js";

/** A line of text whose size follows from its length. */
export const line = (how, text) => measured(make("p", { class: how, text }), text.length);

/** A number of dice of a face, large; `how` may be "the-bid" or "there", which have a heading of their own. */
export function bid({ quantity, face }, how = "") {
  const heading = how && make("small", { text: texts[how] });
  const parts = [make("b", { text: quantity }), make("span", { class: "times", text: "×" }), die(face)];
  const shown = make("span", { class: "figure", role: "img", "aria-label": bidInWords({ quantity, face }) }, ...parts);
  return make("p", { class: `amount ${how}`, "data-long": quantity > 9 }, heading, shown);
}

/** A text about a seat, with the name in its colour. */
export function about(how, text, seat) {
  const [before, after] = text.split(/\{(?:name)?\}/);
  return measured(make("p", { class: how }, before, named(seat), after), fill(text, { name: seat.name }).length);
}

/** Who calls what on whom, with both names in their colours. */
export function claimed(how, state, call, caller, doubted, is_pass) {
  const seats = { "{caller}": state.seats[caller], "{who}": state.seats[doubted] };
  const text = claim(call, is_pass);
  const parts = text.split(/(\{\w+\})/).map((part) => (seats[part] ? named(seats[part]) : part));
  const shown = make("p", { class: how }, ...parts);
  return measured(shown, shown.textContent.length);
}

const SIGNS = { paused: "M26 12 H42 V88 H26 Z M58 12 H74 V88 H58 Z", off: "M50 8 V50 M27 24 A36 36 0 1 0 73 24", bare: "M36 8 V30 M64 8 V30 M22 30 H78 V46 A28 28 0 0 1 22 46 Z M50 74 V94" };

/** The title of a table at rest, "paused", "off" or "bare", with its sign. */
export function title(rest) {
  const sign = draw("svg", { class: `sign ${rest}`, viewBox: "0 0 100 100", "aria-hidden": "true" }, draw("path", { d: SIGNS[rest] }));
  return measured(make("p", { class: "rest" }, sign, texts[rest]), texts[rest].length + 2);
}

/** The first letters of the chain's head, in groups of four. */
export const letters = (head, count) => head.slice(0, count).replace(/(.{4})(?=.)/g, "$1 ");
