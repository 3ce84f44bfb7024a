// The middle of the table: the public state and nothing else.

import { die } from "./dice.js";
import { make } from "./element.js";
import { colored } from "./seat.js";
import { awaited, claim, cost, round, wins } from "./words.js";

const SCENES = { lobby, choosing, shaking, bidding, reveal, over };

/** Draws a public state into `place`; `me` is this page's seat or null. */
export function drawMiddle(place, state, me) {
  place.dataset.scene = state.scene;
  place.replaceChildren(...SCENES[state.scene](state, me).filter((part) => part !== null));
}

function lobby(state, me) {
  const big = state.countdown_s === null ? "Dudo" : `${state.countdown_s}`;
  const joined = state.players.map((seat) => name(state, seat));
  return [heading(`the rules: ${state.rules}`), make("p", { class: "big", text: big }), below(awaited(state, me)), make("p", { class: "names" }, ...joined)];
}

function choosing(state, me) {
  return [heading(`Round ${state.round.number}`), rolls(state), make("p", { class: "sentence", text: awaited(state, me) })];
}

function shaking(state, me) {
  const opens = state.round?.first ?? null;
  const opener = opens === null ? "One die each for the order of play" : opens === me ? "You open" : `${state.seats[opens].name} opens`;
  return [heading(round(state)), make("p", { class: "sentence", text: opener }), rolls(state), below(awaited(state, me))];
}

function bidding(state, me) {
  const total = state.seats.reduce((sum, { dice }) => sum + dice, 0);
  const parts = [heading(`${round(state)} · ${total} dice`)];
  if (state.standing) {
    parts.push(bid(state.standing, "big"), make("p", { class: "whose" }, "bid by ", name(state, state.standing.seat)));
  } else {
    parts.push(make("p", { class: "sentence", text: "No bid yet" }));
  }
  if (state.passer !== null) parts.push(make("p", { class: "whose" }, name(state, state.passer), " passed"));
  return [...parts, below(awaited(state, me))];
}

function reveal(state, me) {
  const { quantity, face, matching, right } = state.showdown;
  const verdict = matching === null
    ? make("p", { class: "verdict", text: right ? "The pass was a bluff" : "The pass was honest" })
    : make("p", { class: "verdict" }, make("span", {}, bid({ quantity, face }), " bid"), make("span", {}, bid({ quantity: matching, face }), " there"));
  return [heading(claim(state, me)), verdict, hands(state), below(cost(state, me))];
}

function over(state, me) {
  const places = state.standings.map((seat) => make("li", {}, name(state, seat)));
  return [heading("The match is over"), make("p", { class: "big won", text: wins(state, me) }), make("ol", { class: "places" }, ...places)];
}

function hands(state) {
  const counts = counting(state.showdown);
  const rows = state.showdown.hands.map((hand, seat) => hand.length === 0 ? null : make("div", { class: "hand" },
    name(state, seat), make("span", { class: "dice" }, ...hand.map((face) => die(face, counts(face, seat) ? "counts" : "")))));
  return make("div", { class: "hands" }, ...rows);
}

/** Which dice of a showdown count, from the public numbers alone: if the bid's own face is not enough, aces are wild. */
function counting({ face, matching, doubted, hands: shown }) {
  if (matching === null) return (_, seat) => seat === doubted;
  const plain = shown.flat().filter((shownFace) => shownFace === face).length;
  return (shownFace) => shownFace === face || (shownFace === 1 && matching > plain);
}

function rolls(state) {
  if (!state.rolls.some((dice) => dice.length)) return null;
  const rolled = state.rolls.map((dice, seat) => dice.length === 0 ? null : make("div", { class: "hand" }, name(state, seat), make("span", { class: "dice" }, ...dice.map((face) => die(face)))));
  return make("div", { class: "hands" }, ...rolled);
}

function bid({ quantity, face }, how = "") {
  return make("span", { class: `bid ${how}` }, make("b", { text: quantity }), make("span", { text: "×", "aria-label": "times" }), die(face));
}

function name(state, seat) {
  return colored(make("b", { class: "name" }, make("bdi", { text: state.seats[seat].name })), state.seats[seat].color);
}

const heading = (text) => make("p", { class: "heading", text });
const below = (text) => make("p", { class: "below", text });
