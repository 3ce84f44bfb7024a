// Reads a record: its heading, and behind it the proof lines and the words between them. It knows no rule of the game.

import { ALPHABET, VERSION } from "./chain.js";
import { fromHex } from "../hashes.js";

const FORMAT = "dudo score 1";
const PROOF = new RegExp(`^% (?:(\\S.*) )?= ([${ALPHABET}]{52})$`);
const MATCH = /^match ([0-9a-f]{12})( proofs \d+)? seed ([0-9a-f]{64}) rules (\S+) first ([0-7-]) seats (.+)$/;
const DEAL = /^deal ([1-9]\d{0,8}) ([a-z]+)((?: [^ ]+)*)$/;
const HASH = /^() ([0-9a-f]{64})$/;
const SEAT_AND_HASH = /^ ([0-7]) ([0-9a-f]{64})$/;
const FORMATS = new Map([
  ["house", HASH],
  ["cup", SEAT_AND_HASH],
  ["switch", SEAT_AND_HASH],
  ["button", SEAT_AND_HASH],
  ["sealed", /^()()$/],
  ["seed", HASH],
  ["opens", /^ ([0-7]) ((?:[0-9a-f]{2}){1,64})$/],
]);

/** An error in a record: its line, the problem, and its kind: "unproven" without proofs, "reused" for a reused secret. */
export class Wrong extends Error {
  constructor(line, problem, kind = "wrong") {
    super(problem);
    this.line = line;
    this.kind = kind;
  }
}

/**
 * The heading by its keys, the items behind it, each { line, word } or { line, proof }, and the number of a last line that
 * was cut off, or null. Throws a Wrong for a text that is no record.
 */
export function readRecord(text) {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  if (lines[0] !== FORMAT) throw new Wrong(1, `expected the first line of a record, ${FORMAT}`);
  const isCut = lines.at(-1) !== "" && !PROOF.test(lines.at(-1)) && !isResult(lines.at(-1));
  const cut = isCut ? lines.length : null;
  if (isCut) lines.pop();
  const blank = lines.findIndex((each) => !each || each.startsWith("%"));
  const end = blank < 0 ? lines.length : blank;
  const heading = new Map(lines.slice(1, end).map((each) => each.split(/: *(.*)/s)));
  const items = lines.slice(end).flatMap((each, at) => {
    const line = end + at + 1;
    return each.startsWith("%") ? [{ line, proof: each }] : each.split(" ").filter(Boolean).map((word) => ({ line, word }));
  });
  return { heading, items, cut };
}

// Words of the score: those that are chained are all but round numbers, dice and the result.

export const roundOf = (word) => (/^\d{1,9}\.$/.test(word) ? parseInt(word, 10) : null);
export const isDice = (word) => word === "?" || word.includes("/");
export const isResult = (word) => word === "*" || /^\d:wins$/.test(word);

// Proof lines

/** What was chained, empty for words of the score, and the head after it. */
export function readProof({ line, proof }) {
  const found = PROOF.exec(proof);
  if (!found) throw new Wrong(line, "is not a proof: expected one such as % deal 3 sealed = and the 52 letters of a head");
  return { line, text: found[1] ?? "", head: found[2] };
}

/** The first proof of a match. */
export function readMatchLine({ line, text }) {
  const found = MATCH.exec(text);
  if (!found) throw new Wrong(line, "expected the match’s first proof, such as % match … proofs 2 seed … rules … first … seats …");
  const [, name, proofs = "", seed, , first] = found;
  if (proofs && proofs !== ` proofs ${VERSION}`) throw new Wrong(line, `expected proofs ${VERSION}: these are for another version of dudo-table`);
  return { name, proofs, seed: fromHex(seed), first };
}

/** A proof line about a deal: { line, number, kind, player, value }. */
export function readDealLine({ line, text }) {
  const [, number, kind, rest] = DEAL.exec(text) ?? [];
  const values = FORMATS.get(kind)?.exec(rest);
  if (!values) throw new Wrong(line, "proves nothing: expected the line of a deal, such as deal 3 sealed");
  return { line, number: Number(number), kind, player: values[1] ? Number(values[1]) : null, value: fromHex(values[2]) };
}
