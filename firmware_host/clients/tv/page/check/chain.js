// The hash chain over a match, the commitments of a deal, and the dice that come from them: docs/fairness.md.

import { concat, fourBytes, hex, sha256, shake256, utf8 } from "../hashes.js";

export const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
export const HEAD_LETTERS = 52;
export const VERSION = 2;
export const EMPTY_HEAD = new Uint8Array(32);
const FAIR_BYTES = 252;

// Heads

export const nextHead = (head, line) => sha256(concat(head, utf8(line)));

/** All 52 letters of a head: five bits each. */
export function headText(head) {
  const bits = Array.from(head, (byte) => byte.toString(2).padStart(8, "0")).join("").padEnd(5 * HEAD_LETTERS, "0");
  return bits.match(/.{5}/g).map((five) => ALPHABET[parseInt(five, 2)]).join("");
}

// The match

export const matchName = (seed) => hex(sha256(joined(utf8("match"), seed))).slice(0, 12);

/** The opener that a seed draws. */
export function drawnOpener(seed, seats) {
  const fair = 256 - (256 % seats);
  for (const byte of shake256(joined(utf8("first player"), seed))) if (byte < fair) return byte % seats;
  return null;
}

// Commitments

export function hostCommitment(match, number, seed) {
  const name = utf8(match);
  return sha256(concat(utf8("dudo house\0"), fourBytes(name.length), name, fourBytes(number), seed));
}

/** The commitment of a cup, and that of the host for a switch or a button. */
export const seatCommitment = (kind, deal, entropy) => sha256(concat(utf8(kind === "cup" ? "dudo cup\0" : "dudo seat\0"), deal, entropy));

/** The sorted dice of a deal: for each seat of the map `counts` that many. `entropies` are those that count, by seat. */
export function dealDice(match, number, seed, entropies, counts) {
  const pairs = [...entropies].sort(([one], [other]) => one - other).flatMap(([seat, entropy]) => [Uint8Array.of(seat), entropy]);
  const key = joined(utf8(match), fourBytes(number), seed, ...pairs);
  return new Map([...counts].map(([seat, count]) => [seat, rolled(joined(key, utf8("dice"), Uint8Array.of(seat)), count)]));
}

function rolled(key, count) {
  const dice = [];
  const stream = shake256(key);
  while (dice.length < count) {
    const { value: byte } = stream.next();
    if (byte < FAIR_BYTES) dice.push((byte % 6) + 1);
  }
  return dice.sort();
}

function joined(...parts) {
  return concat(...parts.flatMap((part) => [fourBytes(part.length), part]));
}
