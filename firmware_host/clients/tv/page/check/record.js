// Reads a record: its matches, and in each the heading, the score and the proof lines, without playing it.

import { ALPHABET, VERSION } from "./chain.js";
import { fromHex } from "./hashes.js";
import { FORMAT, readScore, writeHeading, writeRounds } from "./score.js";
import { SOLID, Wrong, beginning, isPrintable, length, quoted, words } from "./text.js";

const MAX_LINE_LENGTH = 65_536;
const PROOF = new RegExp(`^% (?:(${SOLID}[^\\n]*) )?= ([${ALPHABET}]{52})$`);
const MATCH = new RegExp(`^match [0-9a-f]{12}( proofs [0-9]+)? seed ([0-9a-f]{64}) rules ${SOLID}+ first [0-7-] seats [^\\n]+$`);
const DEAL = /^deal ([1-9][0-9]{0,8}) ([a-z]+)((?: [^ ]+)*)$/;
const HASH = /^() ([0-9a-f]{64})$/;
const SEAT_AND_HASH = /^ ([0-7]) ([0-9a-f]{64})$/;
const FORMATS = new Map([
  ["house", [HASH, "64 hex digits"]],
  ["cup", [SEAT_AND_HASH, "a seat and 64 hex digits"]],
  ["switch", [SEAT_AND_HASH, "a seat and 64 hex digits"]],
  ["button", [SEAT_AND_HASH, "a seat and 64 hex digits"]],
  ["sealed", [/^()()$/, "nothing after it"]],
  ["seed", [HASH, "64 hex digits"]],
  ["opens", [/^ ([0-7]) ((?:[0-9a-f]{2}){1,64})$/, "a seat and the hex digits of its entropy"]],
]);

export const isCompleteProof = (text) => PROOF.test(text);
export const writeProof = (text, head) => (text ? `% ${text} = ${head}` : `% = ${head}`);

/** A proof line about a deal: { line, number, kind, player, value }. */
export function readDealLine({ line, text }) {
  const found = DEAL.exec(text);
  if (!found || !FORMATS.has(found[2])) {
    throw new Wrong(line, `proves nothing: expected deal, its number, and one of ${[...FORMATS.keys()].join(", ")}`);
  }
  const [, number, kind, rest] = found;
  const [format, expected] = FORMATS.get(kind);
  const values = format.exec(rest);
  if (!values) throw new Wrong(line, `expected ${expected} after ${kind}`);
  return { line, number: Number(number), kind, player: values[1] ? Number(values[1]) : null, value: fromHex(values[2]) };
}

/** The seed in a match's first proof line, and the version of the proofs. */
export function readMatchSeed({ line, text }) {
  const found = MATCH.exec(text);
  if (!found) throw new Wrong(line, "expected the match’s first proof, such as % match … proofs 2 seed … rules … first … seats …");
  if (found[1] && found[1] !== ` proofs ${VERSION}`) throw new Wrong(line, `expected proofs ${VERSION}: these are for another version of dudo-table`);
  return [fromHex(found[2]), found[1] ? VERSION : 1];
}

/** The lines of each match, each { number, text }. Throws a Wrong if the text is no record. */
export function splitMatches(text) {
  const lines = text.replaceAll("\r\n", "\n").replace(/\n$/, "").split("\n").map((each, at) => ({ number: at + 1, text: each }));
  const starts = lines.flatMap((line, at) => (line.text === FORMAT ? [at] : []));
  const first = Math.max(0, lines.findIndex((line) => words(line.text).length));
  if (starts[0] !== first) {
    const version = lines[first].text.startsWith(FORMAT.slice(0, -1)) ? " of this version" : "";
    throw new Wrong(lines[first].number, `expected the first line of a record${version}, ${FORMAT}`);
  }
  return starts.map((start, at) => lines.slice(start, starts[at + 1]));
}

/** One match of a record. The constructor throws a Wrong for too long lines and a wrong heading. */
export class MatchRecord {
  #lines;
  #proofs;
  #read;

  constructor(lines) {
    for (const { number, text } of lines) {
      if (text.length > MAX_LINE_LENGTH && length(text) > MAX_LINE_LENGTH) throw new Wrong(number, `is longer than ${MAX_LINE_LENGTH} characters, no line of a record is`);
    }
    this.#lines = lines.filter(({ text }) => !text.startsWith("%"));
    this.#proofs = lines.filter(({ text }) => text.startsWith("%"));
    const blank = lines.find(({ text }) => !text) ?? lines.at(-1);
    if (this.hasProofs && this.#proofs[0].number < blank.number) {
      throw new Wrong(this.#proofs[0].number, "expected an empty line between the heading and the first proof");
    }
    this.#read = readScore(this.#lines);
    this.score = this.#read.score;
    this.isClosed = this.#read.result !== null;
  }

  get hasProofs() {
    return this.#proofs.length > 0;
  }

  /** Everything in the order of its lines, and the error that ends it too early, or null. */
  items() {
    const { places, result } = this.#read;
    const items = this.score.entries.map((entry, index) => ({ type: "entry", line: places[index].number, index, entry }));
    if (result) items.push({ type: "result", line: result.number });
    const read = [];
    try {
      this.#checkHeading();
      items.push(...this.#proofs.map(({ number, text }) => ({ type: "raw", line: number, text })));
      const error = this.#firstError();
      for (const item of items.sort((one, other) => one.line - other.line)) {
        if (error && item.line >= error.line) break;
        read.push(item.type === "raw" ? readProof(item) : item);
      }
      return [read, error];
    } catch (error) {
      if (error instanceof Wrong) return [read, error];
      throw error;
    }
  }

  headingLine(key) {
    return this.#lines.find(({ text }) => text.startsWith(`${key}:`))?.number ?? this.#lines[0].number;
  }

  #firstError() {
    const unseen = [...this.#lines, ...this.#proofs].filter(({ text }) => !isPrintable(text));
    const errors = [...unseen.map(({ number }) => new Wrong(number, "holds something that can’t be seen")), this.#misspelled(), this.#read.problem].filter(Boolean);
    return errors.reduce((first, each) => (first === null || each.line < first.line ? each : first), null);
  }

  #misspelled() {
    const body = this.#lines.slice(writeHeading(this.score).length);
    const found = body.flatMap(({ number, text }) => words(text).map((word) => ({ number, word })));
    for (const [at, expected] of writeRounds(this.score).entries()) {
      const written = found[at];
      if (written && written.word !== expected) return new Wrong(written.number, `expected ${expected} in place of ${beginning(written.word, 60)}`);
    }
    return null;
  }

  #checkHeading() {
    [...writeHeading(this.score), ""].forEach((expected, at) => {
      const line = this.#lines[at];
      if (line && line.text !== expected) throw new Wrong(line.number, `expected ${quoted(expected)} in place of ${quoted(beginning(line.text, 60))}`);
    });
  }
}

function readProof({ line, text }) {
  const found = PROOF.exec(text);
  if (!found) throw new Wrong(line, "is not a proof: expected one such as % deal 3 sealed = and the 52 letters of a head");
  return { type: "proof", line, text: found[1] ?? "", head: found[2] };
}
