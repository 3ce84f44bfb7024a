// The middle of the table, drawn from the public state alone.

import { die } from "./dice.js";
import { make } from "./element.js";
import { named } from "./names.js";
import { awaited, bidBy, called as call, claim, cost, opens, passed, round, total, verdict, wins } from "./words.js";

const SCENES = { lobby, choosing, shaking, bidding, called, reveal, over };

/** Draws a public state into `place`; `me` is this page's seat or null. */
export function drawMiddle(place, state, me) {
  place.dataset.scene = state.scene;
  place.replaceChildren(...SCENES[state.scene](state, me).filter((part) => part !== null));
}

function lobby(state, me) {
  const joined = state.players.map((seat) => named(state.seats[seat]));
  return [
    line("heading", state.rules),
    line("big", state.countdown_s ?? "Dudo"),
    line("below", awaited(state, me)),
    make("p", { class: "names" }, ...joined),
  ];
}

function choosing(state, me) {
  return [line("heading", round(state)), line("sentence", awaited(state, me))];
}

function shaking(state, me) {
  return [
    line("heading", round(state)),
    line("sentence", opens(state, me)),
    hands(state, state.rolls, () => true),
    line("below", awaited(state, me)),
  ];
}

function bidding(state, me) {
  const { standing, passer } = state;
  return [
    line("heading", `${round(state)} · ${total(state)}`),
    standing ? bid(standing, "big") : line("sentence", "No bid yet"),
    standing && make("p", { class: "whose" }, bidBy, named(state.seats[standing.seat])),
    passer === null ? null : make("p", { class: "whose" }, named(state.seats[passer]), passed),
    line("below", awaited(state, me)),
  ];
}

function called(state, me) {
  const { standing, passer } = state;
  return [
    line("heading", call(state, me)),
    bid(standing, "big"),
    make("p", { class: "whose" }, bidBy, named(state.seats[standing.seat])),
    passer === null ? null : make("p", { class: "whose" }, named(state.seats[passer]), passed),
  ];
}

function reveal(state, me) {
  const shown = state.showdown;
  return [
    line("heading", claim(state, me)),
    shown.matching === null ? line("verdict", verdict(shown)) : bidAndThere(shown),
    hands(state, shown.hands, counting(shown)),
    line("below", cost(state, me)),
  ];
}

function over(state, me) {
  const places = state.standings.map((seat) => make("li", {}, named(state.seats[seat])));
  return [
    line("heading", "The match is over"),
    line("big won", wins(state, me)),
    make("ol", { class: "places" }, ...places),
  ];
}

function bidAndThere({ quantity, face, matching }) {
  const said = make("span", {}, bid({ quantity, face }), " bid");
  const there = make("span", {}, bid({ quantity: matching, face }), " there");
  return make("p", { class: "verdict" }, said, there);
}

/** All players' dice, by seat; `counts(face, seat)` says which of them count. Null if nobody has any. */
function hands(state, dice, counts) {
  const rows = dice.map((hand, seat) => {
    if (hand.length === 0) return null;
    const faces = hand.map((face) => die(face, counts(face, seat) ? "counts" : ""));
    return make("div", { class: "hand" }, named(state.seats[seat]), make("span", { class: "dice" }, ...faces));
  });
  return rows.some(Boolean) ? make("div", { class: "hands" }, ...rows) : null;
}

/** Which dice of a showdown count, by its numbers alone: if more match than show the face, aces are wild. */
function counting({ face, matching, doubted, hands: shown }) {
  if (matching === null) return (_, seat) => seat === doubted;
  const plain = shown.flat().filter((one) => one === face).length;
  return (one) => one === face || (one === 1 && matching > plain);
}

function bid({ quantity, face }, how = "") {
  const times = make("span", { text: "×", "aria-label": "times" });
  return make("span", { class: `bid ${how}` }, make("b", { text: quantity }), times, die(face));
}

const line = (how, text) => make("p", { class: how, text });
