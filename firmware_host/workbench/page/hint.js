// The one line in front of the person: what to do next, by the public state and whether they have peeked.
//
// A hint is { text, control, mine, direct }: the control it is done with ("ok", "shake", "lift"), whether the table waits
// for it, and whether a touch of the hint itself does it. It must not if the person has to choose something first.

import { either, names } from "./words.js";

/** The hint for the person at seat `me`, or for a spectator if that is null. */
export function hint(state, me, { peeked, lifted }) {
  if (me === null) return { text: "You are looking on. To play, take a seat: ⋯ and “Sit here”." };
  const seat = state.seats[me];
  if (seat.missing.includes("board")) return { text: "Your seat is unplugged: plug it in again (⋯)" };
  if (state.scene !== "lobby" && !seat.playing) return { text: "This match began without you: be in the next" };
  return SCENES[state.scene](state, me, seat, { peeked, lifted });
}

const SCENES = { lobby, choosing, shaking, bidding, called, reveal, over };

function lobby(state, me, { playing }) {
  if (!playing) return press("Press OK to join");
  if (state.countdown_s !== null) return { text: `The match begins in ${state.countdown_s} s` };
  if (state.players.length < 2) return { text: "You are in. Waiting for one more" };
  return choose("You are in. OK starts the match, ▶ and OK leaves");
}

function choosing(state, me) {
  return isMine(state, me) ? choose("◀ ▶ choose the round, OK takes it") : waiting(state, me);
}

function shaking(state, me, seat) {
  if (!seat.dice) return watch();
  if (!isMine(state, me)) return waiting(state, me);
  return hasCup(seat) ? shake("Shake your cup") : press("No cup: OK lets the table shake for you");
}

function bidding(state, me, seat, { peeked, lifted }) {
  if (!seat.dice) return watch();
  const whose = whoseDice(state, me);
  if (lifted && !whose) return { text: "No dice for you to see in this round" };
  if (lifted) return { text: `There are ${whose} dice. Let go and they are gone`, control: "lift" };
  const [mine, direct] = [isMine(state, me), true];
  if (whose && !peeked && hasCup(seat)) return { text: `Hold the cup up to peek at ${whose} dice`, control: "lift", mine, direct };
  if (whose && !peeked) return { text: `Hold OK to peek at ${whose} dice`, control: "ok", mine, direct };
  if (!mine) return offTurn(state, me);
  return choose(`Your turn: ◀ ▶ choose a bid, OK says it${doubt(state)}`);
}

function offTurn(state, me) {
  const mine = Object.entries(state.may_call).filter(([, seats]) => seats.includes(me)).map(([call]) => call);
  if (mine.length === 0) return waiting(state, me);
  return { text: `${waiting(state, me).text}. You may call ${either(mine)}: ◀, then OK` };
}

function called() {
  return { text: "The cups go up …" };
}

function reveal(state, me, seat) {
  if (!seat.dice) return state.showdown.loser === me ? { text: "That was your last die" } : watch();
  if (!isMine(state, me)) return waiting(state, me);
  return hasCup(seat) ? shake("Seen enough? Shake for the next round") : press("Seen enough? OK goes on");
}

function over() {
  return press("OK: play again");
}

/** Whose dice `me` may see in this round, in words; empty if there is nothing to see. */
function whoseDice({ may_see }, me) {
  if (may_see[me].length === 0) return "";
  return may_see[me].includes(me) ? "your" : "everybody else’s";
}

function doubt({ standing, passer }) {
  if (passer !== null) return ", DUDO doubts the pass";
  return standing ? ", DUDO doubts" : "";
}

function waiting(state, me) {
  const others = state.waiting_for.filter((seat) => seat !== me);
  return { text: others.length ? `Waiting for ${names(state, others, me)}${TO[state.scene] ?? ""}` : "A moment …" };
}

const TO = { shaking: " to shake", reveal: " to go on" };
const choose = (text) => ({ text, control: "ok", mine: true });
const press = (text) => ({ text, control: "ok", mine: true, direct: true });
const shake = (text) => ({ text, control: "shake", mine: true, direct: true });
const watch = () => ({ text: "You are out. See how it ends" });
const isMine = (state, me) => state.waiting_for.includes(me);
const hasCup = ({ missing }) => !missing.includes("cup");
