// The middle of the table, drawn from the public state alone.

import { die } from "./die.js";
import { make, mark } from "./element.js";
import { bidInWords, dice, diceInWords, texts } from "./language.js";
import { named } from "./names.js";
import { awaited, called as call, claim, cost, likely, opens, round, total, verdict, wins } from "./words.js";

const DEAL_LETTERS = 11; // as many as a panel shows before the shake, and after the match
const MATCH_LETTERS = 16;
const SCENES = { lobby, choosing, shaking, bidding, called, reveal, over };

/**
 * Draws a public state into `place`; `me` is this page's seat or null, `played` has the rules of the table, `cues` are
 * those that the reveal has reached, or null where all of it is told.
 */
export function drawMiddle(place, state, me, played, cues) {
  place.dataset.scene = state.scene;
  mark(place, "data-cue", state.scene === "reveal" && cues?.at(-1).kind);
  place.replaceChildren(...SCENES[state.scene](state, me, played, cues).filter((part) => part !== null));
}

function lobby(state, me, played) {
  const joined = state.players.map((seat) => named(state.seats[seat]));
  return [
    line("heading", state.rules),
    line("big", state.countdown_s ?? "Dudo"),
    line("below", awaited(state, me, played)),
    make("p", { class: "names" }, ...joined),
  ];
}

function choosing(state, me, played) {
  return [line("heading", round(state, me, played)), line("sentence", awaited(state, me, played))];
}

function shaking(state, me, played) {
  return [
    line("heading", round(state, me, played)),
    line("sentence", opens(state, me, played)),
    hands(state, state.rolls, () => true),
    line("below", awaited(state, me, played)),
    state.deal === null ? null : seal(state.head, DEAL_LETTERS, texts.middle["sealed-why"]),
  ];
}

function bidding(state, me, played) {
  const { standing, passer } = state;
  const opening = standing === null && passer === null;
  return [
    line("heading", `${round(state, me, played)} · ${dice(total(state))}`),
    standing ? bid(standing, "big") : line("sentence", texts["no-bid"]),
    standing && whose(texts["bid-by"], state.seats[standing.seat]),
    passer === null ? null : whose(texts.passed, state.seats[passer]),
    line("below", awaited(state, me, played)),
    opening ? line("odds", likely(state, played)) : null,
  ];
}

function called(state, me) {
  const { standing, passer } = state;
  return [
    line("heading", call(state, me)),
    bid(standing, "big"),
    whose(texts["bid-by"], state.seats[standing.seat]),
    passer === null ? null : whose(texts.passed, state.seats[passer]),
  ];
}

/** A showdown as far as its cues have come: the cups that are up, the dice that count so far, the verdict, who pays. */
function reveal(state, me, played, cues) {
  const shown = state.showdown;
  const has = (kind) => cues === null || cues.some((cue) => cue.kind === kind);
  const count = cues === null ? shown.matching : cues.at(-1).count;
  const parts = [
    line("heading", claim(state, me)),
    shown.matching === null ? later(line("verdict", verdict(shown)), has("verdict")) : bidAndThere({ ...shown, matching: count }),
    hands(state, shown.hands, cues === null ? counting(shown) : lit(cues)),
    later(line("below", cost(state, me)), has("pays")),
  ];
  if (cues !== null) {
    const up = new Set(cues.filter(({ kind }) => kind === "lift").map(({ seat }) => seat));
    for (const hand of parts[2].children) later(hand.querySelector(".dice"), up.has(Number(hand.dataset.seat)));
  }
  return parts;
}

/** Keeps the place of an element that is not to be seen yet. */
function later(element, is_seen) {
  mark(element, "data-later", !is_seen);
  return element;
}

/** A moment for the winner: the name, and all players in the order in which they lasted. */
function over(state, me) {
  const places = state.standings.map((seat, at) => make("li", { class: `place-${at + 1}` }, named(state.seats[seat])));
  return [
    make("div", { class: "rays", "aria-hidden": "true" }),
    line("heading", texts.middle.over),
    line("big won", wins(state, me)),
    make("ol", { class: "places", "aria-label": texts.places }, ...places),
    state.head === null ? null : seal(state.head, MATCH_LETTERS, texts.middle["sealed-match"]),
  ];
}

function bidAndThere({ quantity, face, matching }) {
  const said = sentence("span", texts.middle.bid, bid({ quantity, face }));
  const there = sentence("span", texts.middle.there, bid({ quantity: matching, face }));
  return make("p", { class: "verdict" }, said, " ", there);
}

/** All players' dice, by seat; `counts(face, seat, place)` says which of them count. Null if nobody has any. */
function hands(state, rolled, counts) {
  const rows = rolled.map((hand, seat) => {
    if (hand.length === 0) return null;
    const faces = hand.map((face, place) => die(face, { how: counts(face, seat, place) ? "counts" : "" }));
    const shown = make("span", { class: "dice", role: "img", "aria-label": diceInWords(hand) }, ...faces);
    return make("li", { class: "hand", "data-seat": seat }, named(state.seats[seat]), shown);
  });
  return rows.some(Boolean) ? make("ul", { class: "hands", "data-many": rows.filter(Boolean).length > 4 }, ...rows) : null;
}

/** Which dice of a showdown count, by its numbers alone: if more match than show the face, aces are wild. */
function counting({ face, matching, doubted, hands: shown }) {
  if (matching === null) return (_, seat) => seat === doubted;
  const plain = shown.flat().filter((one) => one === face).length;
  return (one) => one === face || (one === 1 && matching > plain);
}

/** Which dice the cues have lit. */
function lit(cues) {
  const places = new Map(cues.filter(({ kind }) => kind === "count").map(({ seat, dice: lighted }) => [seat, lighted]));
  return (_, seat, place) => places.get(seat)?.includes(place) ?? false;
}

function bid({ quantity, face }, how = "") {
  const shown = [make("b", { text: quantity }), make("span", { text: "×" }), die(face)];
  return make("span", { class: `bid ${how}`, role: "img", "aria-label": bidInWords({ quantity, face }) }, ...shown);
}

/** The first letters of the chain's head, as the panels show them, and what they are for. */
function seal(head, letters, why) {
  const code = make("code", { text: head.slice(0, letters).replace(/(.{4})(?=.)/g, "$1 ") });
  return make("p", { class: "seal" }, make("span", { text: texts.sealed }), " ", code, " ", make("small", { text: why }));
}

const whose = (text, seat) => sentence("p", text, named(seat), "whose");

/** A text with an element in its gap. */
function sentence(tag, text, element, how = null) {
  const [before, after] = text.split(/\{\w*\}/);
  return make(tag, { class: how }, before, element, after);
}

const line = (how, text) => make("p", { class: how, text });
