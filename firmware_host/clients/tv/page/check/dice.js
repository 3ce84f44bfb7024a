// Checks the dice of a record: the chain, the commitments, and each die that was shown.
//
// Whether a bid was allowed and what a call costs is not looked at, so every rule set is the same here.

import { EMPTY_HEAD, VERSION, drawnOpener, headText, matchName, nextHead } from "./chain.js";
import { Deal, STAGE } from "./deal.js";
import { hex } from "../hashes.js";
import { Wrong, isDice, isResult, readDealLine, readMatchLine, readProof, readRecord, roundOf } from "./record.js";

const BREAKS_OFF = /^(void|forgo|reopen|\d:leave)$/;

/** The result for a record that has one match, as far as it could be checked: `wrong` is its first error, or null. */
export function checkDice(text) {
  const check = new DiceCheck();
  try {
    check.run(readRecord(text));
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    check.wrong = error;
  }
  return check;
}

class DiceCheck {
  match = "";
  version = VERSION;
  names = [];
  date = "";
  winner = null;
  deals = [];
  rounds = []; // [the number in the record, its deal]
  heads = []; // [line, head] after each chained line or word
  undone = 0; // actions that were taken back
  handedOver = 0; // times that another person went on in a player's place
  reopened = 0; // times that the match went on after its end
  cut = null; // the line that was cut off and is not checked
  isClosed = false;
  wrong = null;
  #head = EMPTY_HEAD;
  #unproven = null; // the last line of words since the last head
  #identity = "";
  #round = 0;
  #lines = new Map(); // by seeds and entropies in hex digits, the lines that opened them

  get isProven() {
    return this.deals.some(({ stage }) => stage === STAGE.open);
  }

  at(...stages) {
    return this.deals.filter(({ stage }) => stages.includes(stage));
  }

  get #deal() {
    return this.deals.at(-1);
  }

  /** Throws a Wrong at the first line that is wrong. */
  run({ heading, items, cut }) {
    this.cut = cut;
    this.names = [...heading].flatMap(([key, value]) => (key.startsWith("seat ") ? [value] : []));
    this.date = /^\d{4}-\d\d-\d\d$/.exec(heading.get("date"))?.[0] ?? "";
    if (items.length && !items.some(({ proof }) => proof)) {
      throw new Wrong(items[0].line, "the match was kept without proofs, lines that begin with %", "unproven");
    }
    for (const item of items) {
      if (this.isClosed) throw new Wrong(item.line, "expected nothing after the result");
      if (item.proof) this.#take(readProof(item), heading);
      else if (!this.match) throw new Wrong(item.line, "expected the match’s first proof before it, % match …");
      else this.#takeWord(item);
    }
  }

  // The chain

  #take(proof, heading) {
    const { line, text, head } = proof;
    const deal = text && this.match ? readDealLine(proof) : null;
    if (deal) this.#takeDeal(deal);
    if (text) this.#link(line, text);
    if (head !== headText(this.#head)) {
      if (text) this.heads.pop();
      throw new Wrong(line, `what was said before or its head was changed, or a line is missing: the chain goes on with ${headText(this.#head)}`);
    }
    if (!this.match) this.#begin(proof, heading);
    this.#unproven = null;
  }

  #link(line, text) {
    this.#head = nextHead(this.#head, text);
    this.heads.push([line, this.#head]);
  }

  /** The heading as it must be chained binds the deals to the match. Its rules are a text like any other. */
  #begin({ line, text }, heading) {
    const { name, proofs, seed, first } = readMatchLine({ line, text });
    if (name !== matchName(seed)) throw new Wrong(line, `expected match ${matchName(seed)}, as its seed names it`);
    const players = this.names.map((each) => JSON.stringify(each)).join(" ");
    const written = `match ${name}${proofs} seed ${hex(seed)} rules ${heading.get("rules")} first ${heading.get("first") ?? "-"} seats ${players}`;
    if (text !== written) throw new Wrong(line, "is not what the heading says");
    const opener = drawnOpener(seed, this.names.length);
    if (first !== "-" && Number(first) !== opener) throw new Wrong(line, `expected seat ${opener} to open, whom this seed drew`);
    this.#identity = proofs ? hex(this.#head) : name;
    [this.match, this.version] = [name, proofs ? VERSION : 1];
    this.#keepUnique(line, seed);
  }

  #keepUnique(line, secret) {
    const before = this.#lines.get(hex(secret));
    if (before) throw new Wrong(line, `opens the same bytes as line ${before}, so they were no secret`, "reused");
    this.#lines.set(hex(secret), line);
  }

  #takeDeal(line) {
    if (line.kind === "house") {
      this.#deal?.end(line.line);
      if (line.number !== this.deals.length + 1) throw new Wrong(line.line, `expected deal ${this.deals.length + 1}`);
      this.deals.push(new Deal(this.#identity, line, this.names.length));
      return;
    }
    if (!this.#deal) throw new Wrong(line.line, "expected the host to commit first");
    this.#deal.apply(line);
    if (this.#deal.mustBeUnique(line)) this.#keepUnique(line.line, line.value);
  }

  // The words between the proofs

  #takeWord({ line, word }) {
    if (roundOf(word) !== null) this.#round = roundOf(word);
    else if (isResult(word)) this.#end(line, word);
    else if (isDice(word)) this.#show(line, word);
    else this.#chain(line, word);
  }

  #show(line, word) {
    if (!this.#deal) throw new Wrong(line, "expected the commitments of a deal before its dice");
    this.#deal.show(line, word);
    if (this.#round) this.rounds.push([this.#round, this.#deal]);
  }

  #chain(line, word) {
    this.#deal?.requireWhole(line);
    this.#link(line, word);
    this.#unproven = line;
    if (word === "undo") {
      this.undone += 1;
      this.#deal?.undo(line);
    }
    if (BREAKS_OFF.test(word)) this.#deal?.breakOff(line);
    this.reopened += Number(word === "reopen");
    this.handedOver += Number(word.endsWith(":handover"));
  }

  #end(line, word) {
    if (this.#unproven) throw new Wrong(line, `expected the head after line ${this.#unproven} before it`);
    this.#deal?.requireOpened(line);
    this.isClosed = true;
    this.winner = word === "*" ? null : parseInt(word, 10);
  }
}
