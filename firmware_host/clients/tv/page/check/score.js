// Reads and writes the text of a score: its heading, its rounds and the result. Nothing is played.

import { KINDS, parseRules, writeRules } from "./rules.js";
import { NotationError, Wrong, isPrintable, strip, words } from "./text.js";

export const FORMAT = "dudo score 1";
export const CALLS = ["dudo", "calza", "kill", "spot"];
const MAX_SEATS = 8;
const KEYS = ["rules", "date", ...Array.from({ length: MAX_SEATS }, (_, seat) => `seat ${seat}`), "first"];
const ENTRY = "a roll such as 13356/22 or ?, a bid or call such as 0:4x3 or 1:dudo, 0:leave, 0:handover, void, forgo, undo or reopen";
const AFTER_CALL = ["undo", "reopen"]; // the rulings that go on with a round which a call has ended
const RESULT = "* for a match that is not over, or its winner such as 0:wins";
const DATE = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const BY_SEAT = /^(\d):([^\n]+)$/;
const MAX_ENTRIES = 30_000;
const DICE = "expected one to five dice such as 13356, or - for none";

const fault = ({ number, text }, problem) => new NotationError(text, problem).on(number);

// Writing

export const isBid = (action) => typeof action !== "string";
export const isCall = (action) => CALLS.includes(action);
export const isKind = (action) => Object.hasOwn(KINDS, action);
export const writeAction = (action) => (isBid(action) ? `${action.quantity}x${action.face}` : action);
export const writeHands = (hands) => hands.map((hand) => hand.join("") || "-").join("/");

export function writeEntry(entry) {
  switch (entry.type) {
    case "order": return entry.dice.map((die) => die ?? "-").join("/");
    case "hands": return entry.hands === null ? "?" : writeHands(entry.hands);
    case "action": return `${entry.seat}:${writeAction(entry.action)}`;
    case "leave": return `${entry.seat}:leave`;
    case "handover": return `${entry.seat}:handover`;
    default: return entry.type; // void, forgo, undo or reopen
  }
}

export function writeHeading({ rules, date, names, first }) {
  const lines = [FORMAT, `rules: ${writeRules(rules)}`];
  if (date) lines.push(`date: ${date}`);
  names.forEach((name, seat) => lines.push(strip(`seat ${seat}: ${name}`)));
  if (first || rules.seating === "fixed") lines.push(`first: ${first}`);
  return lines;
}

/** The words of all rounds, with their numbers; round 0 has the rolls for the order of play. */
export function writeRounds({ rules, entries }) {
  const written = [];
  let [isOpen, number, isSeated] = [false, 1, rules.seating === "fixed"];
  for (const [at, entry] of entries.entries()) {
    if (entry.type === "order" || !(isSeated || ["leave", "handover", "reopen"].includes(entry.type))) {
      isSeated = entry.type !== "order";
      if (isSeated) isOpen = false;
    }
    if (!isOpen) written.push(`${isSeated ? number : 0}.`);
    isOpen = true;
    written.push(writeEntry(entry));
    const goesOn = AFTER_CALL.includes(entries[at + 1]?.type);
    if (entry.type === "action" && isCall(entry.action) && !goesOn) [isOpen, number] = [false, number + 1];
  }
  return written;
}

// Reading

/** Reads as much of a score as its lines allow, each { number, text }. Throws a Wrong if not even the heading is one. */
export function readScore(lines) {
  const blank = lines.findIndex((line) => !line.text);
  const end = blank < 0 ? lines.length : blank;
  const score = readHeading(lines.slice(0, end));
  const found = lines.slice(end).flatMap((line) => words(line.text).map((text) => ({ number: line.number, text })));
  return new Body(score).read(found);
}

function readHeading([first, ...rest]) {
  if (first.text !== FORMAT) throw fault(first, `expected the first line of a score, '${FORMAT}'`);
  const found = new Map();
  let last = first;
  for (last of rest) {
    const [key, value] = pair(last);
    if (found.has(key)) throw fault(last, `expected '${key}' once, it stands on line ${found.get(key).number} too`);
    found.set(key, { number: last.number, text: value });
  }
  if (!found.has("rules")) throw fault(last, "ends the heading, expected a line such as 'rules: perudo' in it");
  const seats = KEYS.filter((key) => key.startsWith("seat ") && found.has(key));
  if (seats.length < 2 || seats.some((key, at) => key !== `seat ${at}`)) {
    throw fault(last, "ends the heading, expected 2 to 8 lines in it such as 'seat 0: Lima', counting from 0");
  }
  const { number, text } = found.get("rules");
  const score = { rules: null, names: seats.map(() => ""), first: 0, date: "", entries: [], winner: null };
  try {
    score.rules = parseRules(text);
  } catch (error) {
    throw error instanceof NotationError ? error.on(number) : error;
  }
  for (const [key, value] of found) take(score, key, value);
  return score;
}

function pair(line) {
  const at = line.text.indexOf(":");
  const key = strip(at < 0 ? line.text : line.text.slice(0, at));
  if (at < 0 || !KEYS.includes(key)) throw fault(line, "expected rules, date, seat 0 to 7 or first, and a colon");
  return [key, strip(line.text.slice(at + 1))];
}

function take(score, key, value) {
  if (key === "date") {
    if (value.text && !DATE.test(value.text)) throw fault(value, "expected a date as in 2026-11-21");
    score.date = value.text;
  } else if (key === "first") {
    if (!/^\d$/.test(value.text) || Number(value.text) >= score.names.length) throw fault(value, `expected a seat, 0 to ${score.names.length - 1}`);
    score.first = Number(value.text);
  } else if (key !== "rules") {
    if (!isPrintable(value.text)) throw fault(value, "expected a name that is printable and has no blanks around it");
    score.names[Number(key.slice(5))] = value.text;
  }
}

class Body {
  #score;
  #last = null;
  #number = null; // of the round that is open
  #next = 1;

  constructor(score) {
    this.#score = score;
  }

  /** The score, the word behind each of its entries, the word of its result, and what ended the reading too early. */
  read(found) {
    const places = [];
    let [result, problem, isNew] = [null, null, false]; // the round is new, as far as it was read
    try {
      for (const [at, word] of found.entries()) {
        this.#last = word;
        if (this.#ends(word)) {
          result = word;
          if (found[at + 1]) throw fault(found[at + 1], "expected nothing after the result");
        } else if (/^\d{1,9}\.$/.test(word.text)) {
          this.#begin(parseInt(word.text, 10));
          isNew = true;
        } else if (isNew && word.text === "undo") throw fault(word, "takes nothing back here: the round has only begun");
        else if (this.#number === null && !(this.#next > 1 && AFTER_CALL.includes(word.text))) throw fault(word, `expected the number of the round, ${this.#next}., or ${RESULT}`);
        else {
          isNew = false;
          if (this.#number === null) this.#number = this.#next -= 1; // the call before it did not end the round
          const entry = this.#entry(word);
          if (places.length === MAX_ENTRIES) throw fault(word, `expected the end: no match has more than ${MAX_ENTRIES} entries`);
          this.#score.entries.push(entry);
          places.push(word);
        }
      }
    } catch (error) {
      if (!(error instanceof Wrong)) throw error;
      problem = error;
    }
    return { score: this.#score, places, result, problem };
  }

  #ends({ text }) {
    const found = BY_SEAT.exec(text);
    if (found?.[2] === "wins") this.#score.winner = this.#seat(found[1]);
    else return text === "*";
    return true;
  }

  #begin(number) {
    const isSeating = number === 0 && this.#number === null && this.#next === 1;
    if (!isSeating && (number !== this.#next || (this.#number !== null && this.#number !== 0))) {
      throw fault(this.#last, `expected ${this.#number ? ENTRY : `${this.#next}.`}`);
    }
    this.#number = number;
  }

  #entry(word) {
    const { text } = word;
    if (["void", "forgo", "undo", "reopen"].includes(text)) return { type: text };
    const found = BY_SEAT.exec(text);
    if (found) return this.#by(this.#seat(found[1]), found[2]);
    if (text === "?") return { type: "hands", hands: null };
    if (!text.includes("/")) throw fault(word, `expected ${ENTRY}`);
    const hands = text.split("/");
    const seats = this.#score.names.length;
    if (hands.length !== seats) throw fault(word, `expected the dice of ${seats} seats, - for none`);
    if (!hands.every((hand) => /^(-|[1-6]{1,5})$/.test(hand))) throw fault(word, DICE);
    const dice = hands.map((hand) => (hand === "-" ? [] : Array.from(hand, Number).sort()));
    if (this.#number !== 0) return { type: "hands", hands: dice };
    if (dice.some((hand) => hand.length > 1)) throw fault(word, "expected one die each for the order of play, - for who does not roll");
    return { type: "order", dice: dice.map((hand) => hand[0] ?? null) };
  }

  #by(seat, text) {
    if (text === "leave" || text === "handover") return { type: text, seat };
    const bid = /^(\d{1,1000})x(\d{1,1000})$/.exec(text);
    if (bid) return { type: "action", seat, action: { quantity: BigInt(bid[1]), face: BigInt(bid[2]) } };
    if (text !== "pass" && !isCall(text) && !isKind(text)) throw fault(this.#last, `expected ${ENTRY}`);
    if (isCall(text)) [this.#number, this.#next] = [null, this.#next + 1];
    return { type: "action", seat, action: text };
  }

  #seat(text) {
    const { length } = this.#score.names;
    if (Number(text) >= length) throw fault(this.#last, `expected a seat, 0 to ${length - 1}`);
    return Number(text);
  }
}
