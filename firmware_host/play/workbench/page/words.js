// What the public state says in sentences: about a seat, a round, a call and what it cost. `me` is the page's seat or null.

import { counted, either, fill, listed, texts } from "./language.js";

const LISTED = 3;
const WITHOUT_WILDS = /no-wilds/; // the kinds of round in which aces are never wild

export const total = ({ seats }) => seats.reduce((sum, { dice }) => sum + dice, 0);
export const verdict = ({ right }) => (right ? texts.bluff : texts.honest);

/** Whether aces count for every face in this round; `rules` are those of the table. */
export const wildIn = ({ round }, rules) => rules.wild_aces && !WITHOUT_WILDS.test(round.kind);

/** What is missing at a seat, or why it has no dice; empty if there is nothing to say. */
export function note(state, seat) {
  const { playing, dice: held, missing, away, out_in_min: minutes } = state.seats[seat];
  const { seat: words } = texts;
  if (missing.length) return missing.map((device) => words[`no-${device}`]).join(", ");
  if (away) return minutes === null ? texts.away : fill(words["away-out"], { minutes });
  if (state.scene === "lobby") return playing ? words.in : words["not-in"];
  if (!playing) return words["not-playing"];
  return held || state.scene === "over" ? "" : texts.out;
}

/** The heading of a round: its number, what is special about it and whether aces are wild. */
export function round(state, me, { rules, names }) {
  if (state.round === null) return "";
  const { number, kind, owner, first } = state.round;
  const parts = [fill(texts.round, { number })];
  if (kind !== "normal") parts.push(special(state, names[kind] ?? kind, owner, me));
  if (first !== null) parts.push(wildIn(state, rules) ? texts.wild : texts.plain);
  return parts.join(" · ");
}

function special(state, kind, owner, me) {
  if (kind === "blind" && owner === me && me !== null) return texts.special["blind-yours"];
  return fill(texts.special[kind], { owner: owner === null ? "?" : state.seats[owner].name });
}

/** Kinds of round to choose from. */
const choices = (state, { names }) => either(state.choices.map((kind) => texts.choices[names[kind] ?? kind]));

/** Who makes the first bid, or what the dice are rolled for. */
export function opens(state, me, { rules }) {
  const { middle } = texts;
  const first = state.round?.first ?? null;
  if (first === null) return rules.seating === "roll-opener" ? middle.opener : middle.order;
  return about(state, first, me, middle["you-open"], texts.opens);
}

/** How many dice of a face are likely, as nobody has bid yet. */
export function likely(state, { rules }) {
  const sides = wildIn(state, rules) ? 3 : 6;
  return counted(texts.middle.likely, Math.max(1, Math.round(total(state) / sides)));
}

/** What the table waits for, for the middle. */
export function awaited(state, me, played) {
  const { middle } = texts;
  if (state.paused) return `${texts.paused}. ${texts["paused-why"]}`;
  switch (state.scene) {
    case "lobby":
      if (state.countdown_s !== null) return middle.begins;
      if (state.broken_off) return middle["broken-off"];
      return state.players.length < 2 ? middle["waiting-for-players"] : middle["may-start"];
    case "choosing": {
      const kinds = choices(state, played);
      return state.waiting_for.map((owner) => fill(about(state, owner, me, middle["you-choose"], middle.chooses), { kinds })).join();
    }
    case "shaking":
      return state.waiting_for.length ? fill(texts.waiting, { names: names(state, state.waiting_for, me) }) : texts["cups-down"];
    case "bidding":
      return state.turn === null ? "" : about(state, state.turn, me, middle["your-turn"], texts.turn);
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
  const what = isPass ? "pass" : call;
  const { mine, me: onMe } = texts.claims[what];
  const text = caller === me ? mine : doubted === me ? onMe : texts[`claim-${what}`];
  return fill(text, { caller: state.seats[caller].name, who: state.seats[doubted].name });
}

/** Who lost or won a die in a showdown. */
export function cost(state, me) {
  const { middle } = texts;
  const { loser, gainer, out } = state.showdown;
  if (loser !== null && out.includes(loser)) return about(state, loser, me, middle["you-out"], middle.out);
  if (loser !== null) return about(state, loser, me, middle["you-lose"], texts.loses);
  return gainer === null ? texts.nobody : about(state, gainer, me, middle["you-gain"], texts.gains);
}

export const wins = (state, me) => about(state, state.winner, me, texts.middle["you-win"], texts.wins);

/** A text about a seat: `mine` if it is the page's own. */
function about(state, seat, me, mine, theirs) {
  return seat === me ? mine : fill(theirs, { name: state.seats[seat].name });
}

/** A list of seats by name; of many only their number. */
export function names(state, seats, me) {
  if (seats.length > LISTED) return fill(texts.players, { count: seats.length });
  return listed(seats.map((seat) => (seat === me ? texts.seat.you : state.seats[seat].name)));
}
