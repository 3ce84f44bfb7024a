// Verifies a record from its first line on, as dudo-table verify does: the chain, the commitments, the play, every die.

import { EMPTY_HEAD, VERSION, drawnOpener, headText, matchIdentity, matchLine, matchName, nextHead } from "./chain.js";
import { Deal, STAGE } from "./deal.js";
import { hex } from "./hashes.js";
import { Replay, ReplayError } from "./match.js";
import { MatchRecord, isCompleteProof, readDealLine, readMatchSeed, splitMatches, writeProof } from "./record.js";
import { isCall, writeEntry } from "./score.js";
import { Wrong, words } from "./text.js";

const MAX_NAMED = 5;
const MAX_WRONG = 20;
const NO_PROOFS =
  "the match was kept without proofs, lines that begin with %: whether its dice are those that host and cups made, " +
  "nobody can tell any more; what play and run write with --record has its proofs";

/** A verdict for each match of a record. Throws a Wrong if the text is no record. */
export function verify(text) {
  const matches = splitMatches(text);
  const [verdicts, firstLines, secrets] = [[], new Map(), new Map()];
  let wrong = 0;
  for (const [at, lines] of matches.entries()) {
    if (wrong === MAX_WRONG) {
      verdicts.push(unchecked(lines[0].number, matches.length - at));
      break;
    }
    const verdict = verifyMatch(lines, at + 1 < matches.length || !text.endsWith("\n"));
    if (firstLines.has(verdict.match) && !verdict.wrong) verdict.wrong = new Wrong(verdict.first, `is the match of line ${firstLines.get(verdict.match)} once more`);
    if (verdict.match && !firstLines.has(verdict.match)) firstLines.set(verdict.match, verdict.first);
    const reused = [];
    for (const [line, value] of verdict.drawn) {
      if (secrets.has(value)) reused.push([line, secrets.get(value)]);
      else secrets.set(value, line);
    }
    if (reused.length && (!verdict.wrong || reused[0][0] < verdict.wrong.line)) verdict.wrong = reusedError(reused);
    wrong += Number(Boolean(verdict.wrong) || !verdict.isProven);
    verdicts.push(verdict);
  }
  return verdicts;
}

function reusedError([[line, before], ...more]) {
  const named = more.slice(0, MAX_NAMED).map(([each, earlier]) => `${each} (as ${earlier})`).join(", ");
  const uncounted = more.length > MAX_NAMED ? ` and ${more.length - MAX_NAMED} more` : "";
  return new Wrong(line, `opens the same bytes as line ${before}, so they were no secret${more.length ? `; so do ${named}${uncounted}` : ""}`, "reused");
}

function unchecked(line, count) {
  const verdict = new Verdict(line);
  const many = count > 1 ? `this match and ${count - 1} more` : "this match";
  verdict.wrong = new Wrong(line, `${many} were not looked at, after ${MAX_WRONG} that are wrong or prove no die`);
  return verdict;
}

function verifyMatch(lines, mayBeCut) {
  const verdict = new Verdict(lines[0].number);
  const last = lines.findLast(({ text }) => words(text).length);
  const canBeCut = mayBeCut || lines.every(({ text }) => text); // not even its heading has ended
  try {
    const record = new MatchRecord(lines);
    [verdict.score, verdict.isClosed] = [record.score, record.isClosed];
    new Checker(record, verdict).run();
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    if (canBeCut && !verdict.isClosed && error.line === last.number && !isCompleteProof(last.text)) verdict.cut = last.number;
    else verdict.wrong = error;
  }
  return verdict;
}

/** The result for one match, as far as it could be checked. `report.js` has its words. */
export class Verdict {
  match = "";
  version = VERSION;
  score = null;
  deals = [];
  heads = []; // [line, head] after each chained line or word
  drawn = []; // [line, seed or entropy as hex digits]
  rounds = 0; // that ended with a call
  undone = 0; // actions that were taken back
  handedOver = 0; // times that another person went on in a player's place
  reopened = 0; // times that the match went on after its end
  wrong = null;
  cut = null; // the line that was cut off and is not checked
  isClosed = false;

  constructor(first) {
    this.first = first;
  }

  get isProven() {
    return this.deals.some(({ stage }) => stage === STAGE.open);
  }
}

class Checker {
  #record;
  #verdict;
  #replay;
  #head = EMPTY_HEAD;
  #deal = null;
  #unproven = []; // lines of the score since the last head
  #isEnded = false;
  #identity = "";

  constructor(record, verdict) {
    this.#record = record;
    this.#verdict = verdict;
    this.#replay = new Replay(record.score);
  }

  /** Throws a Wrong at the first line that is wrong. */
  run() {
    const [items, error] = this.#record.items();
    for (const [at, item] of items.entries()) {
      if (this.#isEnded) throw new Wrong(item.line, "expected nothing after the result");
      if (!this.#verdict.match && !(item.type === "proof" && item.text)) {
        if (!this.#record.hasProofs) throw new Wrong(item.line, NO_PROOFS, "unproven");
        throw new Wrong(item.line, "expected the match’s first proof before it, % match …");
      }
      if (item.type === "entry") this.#takeEntry(item);
      else if (item.type === "result") this.#end(item);
      else if (item.text) this.#checkProof(item);
      else this.#checkScoreHead(item, items[at + 1]);
    }
    if (error) throw error;
  }

  // The chain

  #checkProof(proof) {
    if (this.#unproven.length) throw new Wrong(proof.line, `expected the head after line ${this.#unproven.at(-1)} before it, ${writeProof("", headText(this.#head))}`);
    if (!this.#verdict.match) {
      this.#beginMatch(proof);
      return;
    }
    this.#takeDealLine(readDealLine(proof));
    this.#link(proof.line, proof.text);
    this.#checkHead(proof);
  }

  #link(line, text) {
    this.#head = nextHead(this.#head, text);
    this.#verdict.heads.push([line, this.#head]);
  }

  #checkHead({ line, head }) {
    if (head === headText(this.#head)) return;
    this.#verdict.heads.pop();
    throw new Wrong(line, `this line or its head was changed, or one before it is missing: the chain goes on with ${headText(this.#head)}`);
  }

  /** If the next head follows from the right one, this one is wrong, and else what was said before it. */
  #checkScoreHead(proof, next) {
    if (!this.#unproven.length) throw new Wrong(proof.line, "expected what was said, of which this is the head, before it");
    const [first] = this.#unproven;
    this.#unproven = [];
    if (proof.head === headText(this.#head)) return;
    const goesOn = next?.type === "proof" && next.head === headText(nextHead(this.#head, next.text));
    throw new Wrong(goesOn ? proof.line : first, `what was said and the head on line ${proof.line} differ: as it stands, ${writeProof("", headText(this.#head))}`);
  }

  // The match

  #beginMatch(proof) {
    const [seed, version] = readMatchSeed(proof);
    const { score } = this.#record;
    const first = score.rules.seating === "fixed" ? score.first : null;
    this.#link(proof.line, proof.text);
    this.#checkHead(proof);
    const name = matchName(seed);
    if (!proof.text.startsWith(`match ${name} `)) throw new Wrong(proof.line, `expected match ${name}, as its seed names it`);
    if (proof.text !== matchLine(seed, score.rules, first, score.names, version)) throw this.#wrongHeading(proof, seed, first, version);
    const opener = drawnOpener(seed, score.names.length);
    if (first !== null && first !== opener) throw new Wrong(proof.line, `expected seat ${opener} to open, whom this seed drew`);
    [this.#verdict.match, this.#verdict.version] = [name, version];
    this.#verdict.drawn.push([proof.line, hex(seed)]);
    this.#identity = matchIdentity(proof.text, seed, version);
  }

  /** The error for the first line of the heading that differs from the proof, whose head is right. */
  #wrongHeading({ line, text }, seed, first, version) {
    const { rules, names } = this.#record.score;
    const whole = matchLine(seed, rules, first, names, version);
    const keys = [["rules", whole.split(" first ")[0]], ["first", whole.split(" seats ")[0]]];
    names.forEach((_, seat) => keys.push([`seat ${seat}`, matchLine(seed, rules, first, names.slice(0, seat + 1), version)]));
    const [wrong] = keys.find(([, begins]) => !`${text} `.startsWith(`${begins} `)) ?? keys.at(-1);
    return new Wrong(this.#record.headingLine(wrong), `is not what was chained on line ${line}`);
  }

  #takeDealLine(line) {
    if (line.kind === "house") {
      this.#beginDeal(line);
      return;
    }
    if (!this.#deal) throw new Wrong(line.line, "expected the host to commit first");
    this.#deal.apply(line);
    if (this.#deal.mustBeUnique(line)) this.#verdict.drawn.push([line.line, hex(line.value)]);
  }

  #beginDeal(line) {
    const { deals } = this.#verdict;
    this.#requireOpened(line.line);
    this.#deal?.repeated();
    const { awaited } = this.#replay;
    if (!awaited.size) throw new Wrong(line.line, "no dice are to be rolled here");
    if (line.number !== deals.length + 1) throw new Wrong(line.line, `expected deal ${deals.length + 1}`);
    this.#deal = new Deal(this.#identity, line, awaited);
    deals.push(this.#deal);
  }

  #requireOpened(line) {
    if (this.#deal?.stage === STAGE.shown) throw new Wrong(line, `expected deal ${this.#deal.number} to be opened before it: its dice were shown`);
  }

  #takeEntry(item) {
    const { entry, line } = item;
    if (entry.type === "order" || entry.type === "hands") this.#roll(item);
    else this.#takeChained(item);
    this.#unproven.push(line);
  }

  #roll(item) {
    const { entry, line } = item;
    if (!this.#deal) throw new Wrong(line, "expected the commitments of a deal before its dice");
    this.#play(item);
    const hands = entry.type === "hands" ? entry.hands : entry.dice.map((die) => (die === null ? [] : [die]));
    this.#deal.showDice(line, hands, entry.type === "order");
  }

  #takeChained(item) {
    const { entry, line } = item;
    this.#requireOpened(line);
    const isKnown = this.#play(item);
    this.#link(line, writeEntry(entry));
    if (entry.type === "undo") {
      this.#undo(line);
      return;
    }
    if (entry.type === "reopen") this.#verdict.reopened += 1;
    if (entry.type === "handover") this.#verdict.handedOver += 1;
    if (!this.#deal || !isKnown || entry.type === "handover") return;
    if (entry.type !== "action") this.#deal.brokenOff();
    else if (isCall(entry.action) && this.#replay.position.phase !== "bidding") {
      this.#deal.stage = STAGE.shown;
      this.#verdict.rounds += 1;
    }
  }

  /** Counts an undo. A choice is taken back before its deal is sealed: after that the host may know the dice. */
  #undo(line) {
    this.#verdict.undone += 1;
    if (this.#replay.position.phase !== "choosing" || !this.#deal) return;
    if (this.#deal.stage === STAGE.sealed) throw new Wrong(line, `the choice can’t be taken back: deal ${this.#deal.number} was sealed`);
    this.#deal.repeated();
  }

  /** Plays an entry. Returns false for a call at the end of the score, before the dice that settle it. */
  #play({ line, index }) {
    try {
      this.#replay.step();
    } catch (error) {
      if (!(error instanceof ReplayError)) throw error;
      const { entries, winner } = this.#record.score;
      if (error.lacksDice && index === entries.length - 1 && winner === null) return false;
      throw new Wrong(line, error.message);
    }
    return true;
  }

  #end({ line }) {
    this.#isEnded = true;
    if (this.#unproven.length) throw new Wrong(line, `expected the head after line ${this.#unproven.at(-1)} before it`);
    this.#play({ line });
    this.#deal?.checkSecret();
    this.#requireOpened(line);
    const { winner } = this.#replay;
    if (winner !== null && this.#record.score.winner === null) throw new Wrong(line, `expected ${winner}:wins`);
  }
}
