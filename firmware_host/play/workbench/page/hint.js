// The one line in front of the person: what to do next, by the public state, what OK does at their display, and whether
// they have peeked.
//
// A hint is { text, control, mine, direct }: the control it is done with ("ok", "shake", "lift"), whether the table waits
// for it, and whether a touch of the hint itself does it. It must not if the person has to choose something first.

import { bidInWords, either, fill, texts } from "./language.js";
import { names } from "./words.js";

/** The hint for the person at seat `me`; if that is null for a spectator, who may get the seat `soon`. */
export function hint(state, me, { soon, peeked, lifted, shaken, choice, dudo }) {
  if (me === null && soon !== null) return { text: fill(texts.hint.soon, { name: state.seats[soon].name }) };
  if (me === null) return { text: texts.hint["looking-on"] };
  const seat = state.seats[me];
  if (seat.missing.includes("board")) return { text: texts.hint.unplugged };
  if (APART.includes(choice)) return chosen(state, me, choice);
  if (state.scene !== "lobby" && !seat.playing) return { text: texts.hint["began-without"] };
  return (lifted ? null : chosen(state, me, choice)) ?? SCENES[state.scene](state, me, seat, { peeked, lifted, shaken, choice, dudo });
}

/** The effect of OK, if it is not what the scene is about; null otherwise. */
function chosen(state, me, choice) {
  const mine = state.scene === "lobby" || isMine(state, me) || ASKED.includes(choice);
  const call = texts["call-names"][choice];
  const text = call ? fill(texts.ok.says, { call }) : texts.ok[choice];
  return text ? { text, control: choice === "paused" ? null : "ok", mine: mine && choice !== "paused" } : null;
}

const ASKED = ["keep", "agree"]; // the answers to a question of another player
const APART = ["staff", "lesson"]; // on the display in place of the match

const SCENES = { lobby, choosing, shaking, bidding, called, reveal, over };

function lobby(state, me, { playing }, { choice }) {
  if (!playing) return choice === "join" ? press("join") : { text: texts.moment };
  if (state.countdown_s !== null) return { text: fill(texts.hint["begins-in"], { seconds: state.countdown_s }) };
  if (state.players.length < 2) return { text: texts.hint["one-more"] };
  return choose("start");
}

function choosing(state, me) {
  return isMine(state, me) ? choose("choose-round") : waiting(state, me);
}

function shaking(state, me, seat, { shaken }) {
  if (!seat.dice) return watch();
  if (!isMine(state, me)) return waiting(state, me);
  if (shaken) return { text: texts.moment };
  return hasCup(seat) ? shake("shake") : press("no-cup");
}

function bidding(state, me, seat, { peeked, lifted, dudo }) {
  if (!seat.dice) return watch();
  const whose = whoseDice(state, me);
  if (lifted && !whose) return { text: texts.hint["nothing-to-see"] };
  if (lifted) return { text: texts.hint[whose === "own" ? "your-dice" : "their-dice"], control: "lift" };
  const [mine, direct] = [isMine(state, me), true];
  if (whose && !peeked && hasCup(seat)) return { text: texts.hint[`lift-${whose}`], control: "lift", mine, direct };
  if (whose && !peeked) return { text: texts.hint[`hold-${whose}`], control: "ok", mine, direct };
  return mine ? choose(turn(state, dudo)) : offTurn(state, me);
}

function offTurn(state, me) {
  const mine = Object.entries(state.may_call).filter(([, seats]) => seats.includes(me)).map(([call]) => texts["call-names"][call].toLocaleLowerCase());
  if (mine.length === 0) return waiting(state, me);
  return { text: fill(texts.hint["may-call"], { waiting: waiting(state, me).text, calls: either(mine) }) };
}

function called() {
  return { text: texts.hint["cups-go-up"] };
}

function reveal(state, me, seat, { shaken }) {
  if (!seat.dice) return state.showdown.loser === me ? { text: texts.hint["last-die"] } : watch();
  if (!isMine(state, me)) return waiting(state, me);
  if (shaken) return { text: texts.moment };
  return hasCup(seat) ? shake("seen-shake") : press("seen-ok");
}

function over() {
  return press("again");
}

/** Whose dice `me` may see in this round: "own" or "others"; empty if there is nothing to see. */
function whoseDice({ may_see }, me) {
  if (may_see[me].length === 0) return "";
  return may_see[me].includes(me) ? "own" : "others";
}

function turn({ standing, passer }, dudo) {
  if ((standing || passer !== null) && !dudo) return "turn-no-button";
  if (passer !== null) return "turn-doubt-pass";
  return standing ? "turn-doubt" : "turn";
}

function waiting(state, me) {
  const others = state.waiting_for.filter((seat) => seat !== me);
  if (others.length === 0) return { text: texts.moment };
  return { text: fill(texts.hint[WAITING[state.scene]] ?? texts.waiting, { names: names(state, others, me) }) };
}

const WAITING = { shaking: "waiting-shake", reveal: "waiting-go-on" };
const choose = (key) => ({ text: texts.hint[key], control: "ok", mine: true });
const press = (key) => ({ text: texts.hint[key], control: "ok", mine: true, direct: true });
const shake = (key) => ({ text: texts.hint[key], control: "shake", mine: true, direct: true });
const watch = () => ({ text: texts.hint.out });
const isMine = (state, me) => state.waiting_for.includes(me);
const hasCup = ({ missing }) => !missing.includes("cup");

/** The answer to "What would you do?": the sentences of an `advice` message. */
export function adviceInWords({ action, percent: chance, quantity, face }, names) {
  const percent = `${chance} %`;
  const { advice, choices, "call-names": calls } = texts;
  if (action === "bid") return fill(advice.bid, { bid: bidInWords({ quantity, face }), percent });
  if (calls[action]) return fill(advice.call, { call: calls[action], percent });
  if (choices[action]) return fill(advice.kind, { kind: choices[names[action] ?? action] });
  return fill(advice[action], { percent });
}
