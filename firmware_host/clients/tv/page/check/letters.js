// The letters that a player noted from a display: whether the heads of a record have them, and what they cover.

import { ALPHABET, HEAD_LETTERS, headText } from "./chain.js";
import { STAGE } from "./deal.js";

const MIN_LETTERS = 8;

export const grouped = (letters) => letters.replace(/(.{4})(?=.)/g, "$1 ");

/** The letters as heads have them, and what is wrong with them: "unknown", "few", "many" or "". */
export function readLetters(text) {
  const letters = text.replace(/[\s-]/g, "").toUpperCase().replaceAll("O", "0").replace(/[IL]/g, "1");
  const unknown = Array.from(letters).find((letter) => !ALPHABET.includes(letter)) ?? "";
  const many = letters.length > HEAD_LETTERS ? "many" : "";
  return { letters, unknown, wrong: unknown ? "unknown" : letters.length < MIN_LETTERS ? "few" : many };
}

/** The last place of a head that begins with these letters: { line, following }, or null. */
export function findHead({ heads }, letters) {
  const at = heads.findLastIndex(([, head]) => headText(head).startsWith(letters));
  return at < 0 ? null : { line: heads[at][0], following: heads.length - 1 - at };
}

/** The deal whose shake the head may have been seen before, and the line of a cup that committed after it, or null. */
export function coverage({ deals }, { line, following }) {
  const deal = following ? deals.findLast(({ host }) => host.line <= line) : null;
  if (!deal || deal.stage === STAGE.repeated || !deal.cups.length) return null;
  const late = [...deal.given.values()].find((each) => each.kind === "cup" && each.line > line);
  return { number: deal.number, late: late?.line ?? null };
}

/** The beginning of a head of which one letter, or two that stand side by side, were noted wrongly; else null. */
export function nearest({ heads }, letters) {
  const found = heads.map(([, head]) => headText(head)).find((head) => isNear(head, letters));
  return found?.slice(0, letters.length) ?? null;
}

function isNear(head, letters) {
  const from = [...letters].findIndex((letter, at) => letter !== head[at]);
  const rest = letters.slice(from);
  const is = (noted, at) => noted.length > 0 && head.startsWith(noted, at);
  return (
    head.startsWith(rest.slice(1), from + 1) || // another letter
    head.startsWith(rest.slice(1), from) || // one too many
    is(rest, from + 1) || // one left out
    (rest[0] === head[from + 1] && rest[1] === head[from] && head.startsWith(rest.slice(2), from + 2)) // two exchanged
  );
}
