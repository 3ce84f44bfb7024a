// What the public state says in sentences: about a seat, a round, a call and what it cost.

import { counted, either, fill, listed, texts } from "./texts.js";

const LISTED = 3;
const WITHOUT_WILDS = /no-wilds/; // the kinds of round in which aces are never wild
const NAMED_KINDS = { palifico: "fixed-face", obliging: "fixed-face-no-wilds" }; // as in engine/rules.py

export const total = ({ seats }) => seats.reduce((sum, { dice }) => sum + dice, 0);
export const dice = (count) => counted(texts.dice, count);
export const verdict = ({ right }) => (right ? texts.middle.bluff : texts.middle.honest);

/** Whether aces count for every face in this round; `rules` are those of the table. */
export const wildIn = ({ round }, rules) => rules.wild_aces && !WITHOUT_WILDS.test(round.kind);

/** The kind of round whose words name this one: it has another name under other rules. */
export function calledLike(kind, rules) {
  const named = Object.values(NAMED_KINDS);
  const mayChoose = named.every((each) => rules.special.includes(each)); // then each keeps its own
  return named.includes(kind) && !mayChoose ? NAMED_KINDS[rules.fixed_face_name] : kind;
}

/** What is missing at a seat, or why it has no dice; empty if there is nothing to say. */
export function note(state, seat) {
  const { playing, dice: held, missing, away, out_in_min: minutes } = state.seats[seat];
  const { seat: words } = texts;
  if (missing.length) return missing.map((device) => words[`no-${device}`]).join(", ");
  if (away) return minutes === null ? words.away : fill(words["away-out"], { minutes });
  if (state.scene === "lobby") return playing ? words.in : words["not-in"];
  if (!playing) return words["not-playing"];
  return held || state.scene === "over" ? "" : words.out;
}

/** The heading of a round: its number, what is special about it and whether aces are wild. */
export function round(state, me, rules) {
  if (state.round === null) return "";
  const { number, kind, owner } = state.round;
  const parts = [fill(texts.round.number, { number })];
  if (kind !== "normal") parts.push(special(state, calledLike(kind, rules), owner, me));
  if (state.round.first !== null) parts.push(wildIn(state, rules) ? texts.round.wild : texts.round["not-wild"]);
  return parts.join(" · ");
}

function special(state, kind, owner, me) {
  if (kind === "blind" && owner === me && me !== null) return texts.round["blind-yours"];
  return fill(texts.round[kind], { owner: owner === null ? "?" : state.seats[owner].name });
}

/** Who makes the first bid, or what the dice are rolled for. */
export function opens(state, me, rules) {
  const first = state.round?.first ?? null;
  if (first === null) return texts.middle[rules.seating === "roll-opener" ? "opener" : "order"];
  return about(state, first, me, "you-open", "opens");
}

/** How many dice of a face are likely, as nobody has bid yet. */
export function likely(state, rules) {
  const sides = wildIn(state, rules) ? 3 : 6;
  return counted(texts.middle.likely, Math.max(1, Math.round(total(state) / sides)));
}

/** What the table waits for, for the middle; `me` is this page's seat or null. */
export function awaited(state, me, rules) {
  const { middle } = texts;
  switch (state.scene) {
    case "lobby":
      if (state.countdown_s !== null) return middle.begins;
      if (state.broken_off) return middle["broken-off"];
      return state.players.length < 2 ? middle["waiting-for-players"] : middle["may-start"];
    case "choosing": {
      const kinds = either(state.choices.map((kind) => texts.kinds[calledLike(kind, rules)]));
      return state.waiting_for.map((owner) => fill(about(state, owner, me, "you-choose", "chooses"), { kinds })).join();
    }
    case "shaking":
      return state.waiting_for.length ? fill(middle.waiting, { names: names(state, state.waiting_for, me) }) : middle["cups-down"];
    case "bidding":
      return state.turn === null ? "" : about(state, state.turn, me, "your-turn", "turn");
    default:
      return "";
  }
}

/** The claim of a showdown: "Cusco doubts Lima". */
export function claim(state, me) {
  const { call, caller, doubted, matching } = state.showdown;
  return onWhat(state, me, { call, caller, doubted, isPass: matching === null });
}

/** The call that has just been made, worded as in the showdown that follows. */
export function called(state, me) {
  const { called: { call, seat: caller }, passer, standing } = state;
  return onWhat(state, me, { call, caller, doubted: passer ?? standing.seat, isPass: passer !== null });
}

function onWhat(state, me, { call, caller, doubted, isPass }) {
  const form = caller === me ? "mine" : doubted === me ? "me" : "theirs";
  return fill(texts.claims[isPass ? "pass" : call][form], { caller: state.seats[caller].name, who: state.seats[doubted].name });
}

/** Who lost or won a die in a showdown. */
export function cost(state, me) {
  const { loser, gainer, out } = state.showdown;
  if (loser !== null && out.includes(loser)) return about(state, loser, me, "you-out", "out");
  if (loser !== null) return about(state, loser, me, "you-lose", "loses");
  return gainer === null ? texts.middle.nobody : about(state, gainer, me, "you-gain", "gains");
}

export const wins = (state, me) => about(state, state.winner, me, "you-win", "wins");

/** A sentence of the middle about a seat: `mine` if it is this page's own. */
function about(state, seat, me, mine, theirs) {
  return seat === me ? texts.middle[mine] : fill(texts.middle[theirs], { name: state.seats[seat].name });
}

/** A list of seats by name; of many only their number. */
export function names(state, seats, me) {
  if (seats.length > LISTED) return fill(texts.page.players, { count: seats.length });
  return listed(seats.map((seat) => (seat === me ? texts.middle.you : state.seats[seat].name)));
}
