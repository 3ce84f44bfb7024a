// Plays a score again, entry by entry, by the rules: what each leads to, and the first that cannot have happened.

import { choicesOf, whyIllegal, wildsIn } from "./legality.js";
import { writeRules } from "./rules.js";
import { isBid, isCall, writeAction, writeHands } from "./score.js";

const AWAITS = {
  seating: "a roll for the order of play",
  choosing: "the choice of a round",
  rolling: "the dice of a round",
  bidding: "a bid or a call",
  over: "nothing more",
};
const UNKNOWN = "the dice of its round are not in the score, and without them nobody knows how a call ends";

/** An entry that can't be played; `lacksDice` if only because the dice of its round are unknown. */
export class ReplayError extends Error {
  constructor(problem, lacksDice = false) {
    super(problem);
    this.lacksDice = lacksDice;
  }
}

const listed = (seats) => `[${seats.join(", ")}]`;
const living = ({ order, dice }) => order.filter((seat) => dice[seat]);
const replaced = (list, at, value) => list.map((each, place) => (place === at ? value : each));

/** The next seat with dice after this one in the order of play. */
function after(round, seat) {
  const { order, dice } = round;
  const place = order.indexOf(seat);
  return [...order.slice(place + 1), ...order].find((other) => dice[other]);
}

const BIDDING = { turn: null, standing: null, bidder: null, passer: null, passed: [], rolling: [] };
const at = (round, phase, more = {}) => ({ ...round, ...BIDDING, phase, ...more });
const toRoll = (round) => at(round, "rolling", { rolling: living(round) });

function begin({ rules, names, first }) {
  const isFixed = rules.seating === "fixed";
  const all = (value) => names.map(() => value);
  const dice = rules.starting_dice;
  const round = {
    rules, number: 1, kind: "normal", owner: null, specialUsed: [], showdown: null,
    order: names.map((_, seat) => seat), dice: all(dice), startingDice: dice * names.length, first: isFixed ? first : null,
    banked: rules.banked_lives ? all(0) : [], rolls: isFixed ? [] : all([]),
  };
  return at(round, isFixed ? "rolling" : "seating", { rolling: round.order });
}

/** The first round if no tie is left among the living, else the position in which the tied roll again. */
function settleOrder(round) {
  const compared = (one, other) => {
    const [a, b] = [round.rolls[one], round.rolls[other]];
    const differs = a.findIndex((die, place) => die !== b[place]);
    return differs < 0 ? b.length - a.length : (b[differs] ?? 0) - a[differs];
  };
  const ranking = living(round).sort(compared);
  const isTied = (seat) =>
    round.rules.seating === "roll-opener" ? compared(seat, ranking[0]) === 0 : ranking.filter((other) => compared(seat, other) === 0).length > 1;
  const tied = ranking.filter(isTied).sort((a, b) => a - b);
  if (tied.length > 1) return at(round, "seating", { rolling: tied });
  const order = round.rules.seating === "roll-order" ? [...ranking, ...round.order.filter((seat) => !ranking.includes(seat))] : round.order;
  return toRoll({ ...round, order, first: ranking[0] });
}

function chosen(position, kind) {
  return toRoll({ ...position, first: position.owner, kind, owner: kind === "normal" ? null : position.owner });
}

const forgone = (position) => (position.owner !== null && ["choosing", "rolling"].includes(position.phase) ? chosen(position, "normal") : position);

function without(position, seat) {
  if (!position.dice[seat] || position.phase === "over") return position;
  const left = { ...position, dice: replaced(position.dice, seat, 0), banked: replaced(position.banked, seat, 0) };
  if (living(left).length === 1) return at({ ...left, first: null, kind: "normal", owner: null }, "over");
  if (position.phase === "seating") return settleOrder(left);
  if (position.phase === "choosing" && seat !== left.owner) return left;
  if (!left.dice[left.first]) left.first = after(left, left.first);
  return toRoll(seat === left.owner ? { ...left, kind: "normal", owner: null } : left);
}

// A call

function settle(position, hands, caller, call) {
  const { rules, kind, standing, bidder, passer } = position;
  let [doubted, matching, right, outcome] = [bidder, null, false, null];
  if (call === "dudo" && passer !== null) {
    doubted = passer;
    right = !isHonest(hands[passer], rules.pass.wild_aces && wildsIn(rules, kind));
    outcome = right ? [passer, -1, passer] : [rules.pass.called_honest === "caller-loses" ? caller : null, -1, caller];
  } else {
    const face = Number(standing.face);
    const counts = (die) => die === face || (die === 1 && wildsIn(rules, kind));
    matching = hands.flat().filter(counts).length;
    const bid = Number(standing.quantity);
    right = call === "dudo" ? matching < bid : matching === bid;
    const loser = right ? bidder : caller;
    outcome = call === "dudo" ? [loser, -1, loser] : onExact(rules[call], right, caller, bidder);
  }
  const [dice, banked] = changedDice(position, outcome);
  const change = dice.map((held, seat) => held - position.dice[seat]);
  const out = outcome[0] === null || dice[outcome[0]] ? [] : [outcome[0]];
  const showdown = { number: position.number, kind, bid: standing, call, caller, doubted, right, matching, hands, change, out };
  return nextRound(position, showdown, outcome, dice, banked);
}

/** Whether five dice are a full house, all alike or all different; wild aces may stand for any face. */
function isHonest(hand, isWild) {
  if (isWild && hand.includes(1)) {
    const others = hand.filter((die) => die !== 1);
    const fill = (dice) => (dice.length === hand.length ? isHonest(dice, false) : [1, 2, 3, 4, 5, 6].some((die) => fill([...dice, die])));
    return fill(others);
  }
  const counts = [1, 2, 3, 4, 5, 6].map((face) => hand.filter((die) => die === face).length).filter(Boolean);
  return hand.length === 5 && ["5", "2,3", "1,1,1,1,1"].includes(String(counts.sort()));
}

/** Who wins or loses dice, how many, and who opens the next round. */
function onExact(rule, right, caller, bidder) {
  const result = right ? rule.right : rule.wrong;
  const seat = { caller, bidder }[result.slice(0, 6)] ?? null;
  const change = result.endsWith("-gains") ? 1 : -1;
  const loser = seat === null || change > 0 ? caller : seat;
  const opener = right ? rule.opener_if_right : rule.opener_if_wrong;
  return [seat, change, { bidder, caller, loser }[opener]];
}

function changedDice({ rules, dice, banked }, [seat, change]) {
  if (seat === null) return [dice, banked];
  const added = (list) => replaced(list, seat, list[seat] + change);
  if (change > 0 && dice[seat] === rules.starting_dice) return [dice, banked.length ? added(banked) : banked];
  if (change < 0 && banked.length && banked[seat]) return [dice, added(banked)];
  return [added(dice), banked];
}

function nextRound(ended, showdown, [seat, , opener], dice, banked) {
  const { rules } = ended;
  let [phase, kind, number, first] = ["rolling", "normal", ended.number + 1, dice[opener] ? opener : after(ended, opener)];
  let { specialUsed } = ended;
  let owner = specialOwner(ended, showdown, dice);
  if (dice.filter((held) => !held).length === dice.length - 1) {
    [phase, number, first, owner] = ["over", ended.number, null, null];
  } else if (owner !== null) {
    first = owner;
    if (!rules.special_again) specialUsed = [...new Set([...specialUsed, owner])].sort((a, b) => a - b);
    const choices = choicesOf(rules);
    if (choices.length === 1) [kind] = choices;
    else phase = "choosing";
  } else if (rules.special_after_cancel && showdown.right && seat === null) ({ kind, owner } = ended);
  const coming = { ...ended, dice, banked, first, number, kind, owner, specialUsed, showdown };
  return phase === "rolling" ? toRoll(coming) : at(coming, phase);
}

function specialOwner({ rules, specialUsed }, { change }, dice) {
  const seat = change.indexOf(-1);
  if (seat < 0 || dice[seat] !== 1 || !rules.special.length) return null;
  if (specialUsed.includes(seat) && !rules.special_again) return null;
  return rules.special_with_two || dice.filter(Boolean).length > 2 ? seat : null;
}

const voided = (position) => (position.phase === "bidding" ? toRoll(position) : position);

// Playing it again

export class Replay {
  #score;
  #hands = []; // under the cups
  #unseen = false; // dice that the score does not have are under the cups
  #before = null; // the state to which an undo leads; null where dice were shown since, or nothing can be taken back
  #reopened = null; // the position from which a match that is over goes on if it is reopened
  #next = 0;
  #isEnded = false;

  constructor(score) {
    this.#score = score;
    this.position = begin(score);
  }

  get winner() {
    return this.position.phase === "over" ? living(this.position)[0] : null;
  }

  /** How many dice each seat is to roll now. */
  get awaited() {
    const { phase, rolling, dice } = this.position;
    return new Map(rolling.map((seat) => [seat, phase === "seating" ? 1 : dice[seat]]));
  }

  /** Plays the next entry, or behind the last one compares the winner. Throws a ReplayError, and after it does nothing. */
  step() {
    const [entry, following] = this.#score.entries.slice(this.#next, this.#next + 2);
    if (this.#isEnded) return;
    this.#isEnded = true;
    if (entry) {
      const isUndoneCall = following?.type === "undo" && entry.type === "action" && isCall(entry.action);
      if (isUndoneCall) this.#callInVain(entry);
      else this.#play(entry);
      this.#isEnded = false;
      this.#next += 1;
    } else if (this.#score.winner !== null && this.#score.winner !== this.winner) {
      throw new ReplayError(this.winner === null ? "the match is not over" : `seat ${this.winner} has won`);
    }
  }

  get #state() {
    return [this.position, this.#hands, this.#unseen, this.#before];
  }

  /** A call that the next entry takes back: the cups stay down, so nothing is settled. */
  #callInVain({ seat, action }) {
    this.#check(seat, action);
    this.#before = this.#state;
  }

  #play(entry) {
    const { position } = this;
    const before = entry.type === "action" && !isCall(entry.action) ? this.#state : null;
    if (entry.type === "undo") {
      if (this.#before === null) throw new ReplayError("takes nothing back here");
      [this.position, this.#hands, this.#unseen, this.#before] = this.#before;
      return;
    }
    if (entry.type === "handover") {
      if (!position.dice[entry.seat] || position.phase === "over") throw new ReplayError("changes nothing here");
      return;
    }
    if (entry.type === "reopen") {
      [this.position, this.#hands, this.#unseen, this.#before] = [position.phase === "over" && this.#reopened ? this.#reopened : voided(position), [], false, null];
      return;
    }
    switch (entry.type) {
      case "order":
        this.#await("seating");
        this.#roll(new Map(entry.dice.flatMap((die, seat) => (die === null ? [] : [[seat, [die]]]))));
        this.position = settleOrder({ ...position, rolls: position.rolls.map((rolls, seat) => (entry.dice[seat] === null ? rolls : [...rolls, entry.dice[seat]])) });
        break;
      case "hands":
        this.#await("rolling");
        this.#unseen = entry.hands === null;
        if (entry.hands) this.#roll(new Map(entry.hands.flatMap((hand, seat) => (hand.length ? [[seat, hand]] : []))));
        this.#hands = entry.hands ?? [];
        this.position = at(position, "bidding", { turn: position.first });
        break;
      case "action":
        this.#act(entry.seat, entry.action);
        break;
      default:
        this.#change({ leave: () => without(position, entry.seat), void: () => voided(position), forgo: () => forgone(position) }[entry.type]());
    }
    this.#before = before;
    if (this.position.phase === "over") this.#reopened = voided(position);
  }

  #await(phase) {
    if (this.position.phase !== phase) throw new ReplayError(`is ${AWAITS[phase]}, but the match awaits ${AWAITS[this.position.phase]}`);
  }

  #roll(dice) {
    const { awaited } = this;
    const [from, wanted] = [dice, awaited].map((map) => listed([...map.keys()].sort((a, b) => a - b)));
    if (from !== wanted) throw new ReplayError(`dice from seats ${from}, awaited from ${wanted}`);
    for (const [seat, hand] of dice) {
      if (hand.length !== awaited.get(seat)) throw new ReplayError(`seat ${seat} rolled ${hand.length} dice, not ${awaited.get(seat)}`);
    }
  }

  #check(seat, action) {
    const reason = whyIllegal(this.position, seat, action);
    if (reason) throw new ReplayError(`seat ${seat} may not ${writeAction(action)} (${reason}) in: ${writePosition(this.position)}`);
  }

  #act(seat, action) {
    const { position } = this;
    this.#check(seat, action);
    if (isCall(action)) {
      if (this.#unseen) throw new ReplayError(UNKNOWN, true);
      this.position = settle(position, this.#hands, seat, action);
    } else if (isBid(action)) this.position = at(position, "bidding", { turn: after(position, seat), standing: action, bidder: seat, passed: position.passed });
    else if (action === "pass") this.position = { ...position, turn: after(position, seat), passer: seat, passed: [...position.passed, seat] };
    else this.position = chosen(position, action);
  }

  #change(position) {
    if (position === this.position) throw new ReplayError("changes nothing here");
    [this.position, this.#hands, this.#unseen] = [position, [], false];
  }
}

/** A position in one line; errors quote it. */
function writePosition(position) {
  const { rules, phase, number, kind, owner, order, dice, startingDice, first, turn, standing, bidder, passer, passed, specialUsed, banked, rolls, rolling, showdown } = position;
  const parts = [`${writeRules(rules)} ${phase} round ${number} ${kind}`];
  const optional = (keyword, value) => value !== null && parts.push(`${keyword} ${value}`);
  const some = (keyword, list, between = ",") => list.length && parts.push(`${keyword} ${list.join(between)}`);
  optional("of", owner);
  parts.push(`dice ${order.map((seat) => `${seat}:${dice[seat]}`).join(",")} of ${startingDice}`);
  optional("first", first);
  optional("turn", turn);
  optional("bid", standing && writeAction(standing));
  optional("by", bidder);
  optional("pass by", passer);
  some("passed", passed);
  some("used", specialUsed);
  some("banked", banked, "/");
  if (rolls.length) parts.push(`rolls ${writeHands(rolls)}`);
  some("rolling", rolling);
  if (showdown) {
    const { number: ended, kind: played, bid, call, caller, doubted, right, matching, hands, change, out } = showdown;
    parts.push(`after round ${ended} ${played} bid ${writeAction(bid)} ${call} by ${caller} of ${doubted} ${right ? "right" : "wrong"}`);
    optional("matching", matching);
    parts.push(`hands ${writeHands(hands)} change ${change.join("/")}`);
    some("out", out);
  }
  return parts.join(" ");
}
