// Why a seat may not take an action, by the rules of the match. The engine of the table has the same reasons.

import { KINDS } from "./rules.js";
import { isBid, isCall, isKind } from "./score.js";

const NONE = [0n, 0n];
const atLeast = (quantity) => [quantity, null]; // without an end
const exactly = (quantity) => [quantity, quantity + 1n];
const isIn = (quantity, [start, stop]) => quantity >= start && (stop === null || quantity < stop);

export const wildsIn = (rules, kind) => rules.wild_aces && KINDS[kind].wilds;
export const choicesOf = (rules) => (rules.special_waivable ? [...rules.special, "normal"] : rules.special);
const exactCall = (rules, call) => (call === "dudo" ? null : rules[call]);
const halvingIn = (rules, kind) => wildsIn(rules, kind) || (rules.wild_aces && rules.halving_without_wilds);
const mayChangeFace = (rules, kind, dice) => !KINDS[kind].fixed_face || (rules.face_change === "one-die" && dice === 1);

/** The reason, or null if the seat may take the action now. */
export function whyIllegal(position, seat, action) {
  if (!position.dice[seat]) return "out";
  if (position.phase === "over") return "match-over";
  const choices = position.phase === "choosing" ? choicesOf(position.rules) : [];
  if (choices.length) {
    if (seat !== position.owner) return "not-the-owner";
    if (!isKind(action)) return "choice-first";
    return choices.includes(action) ? null : "not-a-choice";
  }
  if (isKind(action)) return "nothing-to-choose";
  if (position.turn === null) return "not-rolled";
  return whyNotSeat(position, seat, action) ?? whyNotNow(position, seat, action);
}

function whyNotSeat({ rules, bidder, passer, turn }, seat, action) {
  let by = "in-turn";
  let isOwn = false;
  if (action === "dudo") {
    by = rules.dudo_by;
    isOwn = (passer ?? bidder) === seat;
  } else if (isCall(action)) {
    if (!rules[action]) return null;
    by = rules[action].by;
    isOwn = seat === bidder;
  }
  if (isOwn) return seat === passer ? "own-pass" : "own-bid";
  if (seat === turn) return by === "out-of-turn" ? "in-turn" : null;
  return by === "in-turn" ? "not-in-turn" : null;
}

function whyNotNow(position, seat, action) {
  if (isBid(action)) return whyNoBid(position, position.dice[seat], action);
  return action === "pass" ? whyNoPass(position, seat) : whyNoCall(position, action);
}

function whyNoBid(position, dice, { quantity, face }) {
  const { rules, kind, standing, passer } = position;
  if (passer !== null && rules.pass && !rules.pass.raise_after) return "pass-stands";
  const ranges = quantities(position, dice);
  const isFace = face >= 1n && face <= 6n;
  if (!isFace) return "no-such-face";
  const range = ranges[Number(face) - 1];
  if (isIn(quantity, range)) return null;
  if (quantity < 1n) return "no-dice";
  if (rules.cap === "dice-in-play" && quantity > BigInt(inPlay(position))) return "over-the-table";
  if (standing === null) return "aces-opening";
  const isOtherFace = face !== standing.face;
  if (isOtherFace && !mayChangeFace(rules, kind, dice)) return "fixed-face";
  if (range[0] === 0n) return "lower-face";
  if (range[1] !== null && quantity >= range[1]) return "too-many";
  if (halvingIn(rules, kind) && isOtherFace && (face === 1n || standing.face === 1n)) return face === 1n ? "half" : "double";
  return "too-few";
}

export const inPlay = ({ dice }) => dice.reduce((sum, held) => sum + held, 0);

/** For each face from the aces on, the quantities that may be bid: [first, the one behind the last or null]. */
function quantities(position, dice) {
  const { rules, standing } = position;
  const ranges = standing === null ? openings(position, dice) : over(position, dice);
  if (rules.cap !== "dice-in-play") return ranges;
  const end = BigInt(inPlay(position)) + 1n;
  return ranges.map(([start, stop]) => [start, stop === null || stop > end ? end : stop]);
}

function openings({ rules, kind }, dice) {
  const limit = kind === "normal" ? rules.open_on_aces : rules.open_on_aces_in_special;
  const mayOpen = limit === "always" || (limit === "one-die" && dice === 1);
  return [mayOpen ? atLeast(1n) : NONE, ...Array(5).fill(atLeast(1n))];
}

function over({ rules, kind, standing: { quantity, face } }, dice) {
  const more = atLeast(quantity + 1n);
  const at = Number(face) - 1;
  if (!mayChangeFace(rules, kind, dice)) return Array.from({ length: 6 }, (_, each) => (each === at ? more : NONE));
  const lower = rules.lower_face === "more" ? more : NONE;
  const higher = { same: exactly(quantity), "same-or-more": atLeast(quantity), any: atLeast(1n) }[rules.higher_face];
  const byFace = Array.from({ length: 6 }, (_, each) => (each < at ? lower : each === at ? more : higher));
  if (!halvingIn(rules, kind)) return byFace;
  const double = 2n * quantity + 1n;
  if (at === 0) return byFace.map((range, each) => (each === 0 ? range : rules.from_aces === "double" ? exactly(double) : atLeast(double)));
  const half = (quantity + 1n) / 2n;
  byFace[0] = rules.to_aces === "half" ? exactly(half) : atLeast(half);
  return byFace;
}

function whyNoPass({ rules, standing, passer, passed, dice }, seat) {
  if (!rules.pass) return "not-in-these-rules";
  if (standing === null) return "no-bid-yet";
  if (passer !== null) return "pass-after-pass";
  if (passed.includes(seat)) return "pass-twice";
  return !rules.pass.with_fewer_dice && dice[seat] < 5 ? "pass-needs-five" : null;
}

function whyNoCall(position, call) {
  const { rules, standing, passer, kind, startingDice } = position;
  const exact = exactCall(rules, call);
  if (call !== "dudo" && !exact) return "not-in-these-rules";
  if (standing === null) return "no-bid-yet";
  if (!exact) return null;
  if (passer !== null && rules.pass && !rules.pass.calza_after) return "pass-stands";
  if (exact.while_most_dice_left && 2 * inPlay(position) <= startingDice) return "too-few-dice-left";
  return !exact.in_special && kind !== "normal" ? "not-in-special" : null;
}
