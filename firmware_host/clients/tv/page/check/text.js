// Text as the table's program handles it: which characters are blanks, which can be seen, how a text is quoted.

const BLANKS = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const WORD = new RegExp(`[^${BLANKS}]+`, "g");
const AROUND = new RegExp(`^[${BLANKS}]+|[${BLANKS}]+$`, "g");
/** What a regular expression has for a character that is no blank. */
export const SOLID = `[^${BLANKS}]`;
const MAX_QUOTED_CHARACTERS = 60;

export const words = (text) => text.match(WORD) ?? [];
export const strip = (text) => text.replace(AROUND, "");
export const isPrintable = (text) => !/[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u.test(text);
export const beginning = (text, count) => (text.length <= count ? text : Array.from(text).slice(0, count).join(""));
export const length = (text) => Array.from(text).length;

/** The text before a separator, and behind it; the second is empty without one. */
export function partition(text, separator) {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + separator.length)];
}

/** A text in quotes, with escapes for what can't be seen. */
export function quoted(text) {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  return quote + Array.from(text, (character) => escaped(character, quote)).join("") + quote;
}

/** The same, of the beginning of a long text. */
export function quotedBeginning(text) {
  return length(text) > MAX_QUOTED_CHARACTERS ? `${quoted(beginning(text, MAX_QUOTED_CHARACTERS))}…` : quoted(text);
}

function escaped(character, quote) {
  if (character === quote || character === "\\") return `\\${character}`;
  const named = { "\t": "\\t", "\n": "\\n", "\r": "\\r" }[character];
  if (named || isPrintable(character)) return named ?? character;
  const code = character.codePointAt(0);
  const [letter, digits] = code < 0x100 ? ["x", 2] : code < 0x10000 ? ["u", 4] : ["U", 8];
  return `\\${letter}${code.toString(16).padStart(digits, "0")}`;
}

/** An error in a record: its line, the problem, and its kind: "unproven" without proofs, "reused" for a reused secret. */
export class Wrong extends Error {
  constructor(line, problem, kind = "wrong") {
    super(problem);
    this.line = line;
    this.kind = kind;
  }
}

/** Text that is not in the notation. */
export class NotationError extends Error {
  constructor(text, problem) {
    super(`${quotedBeginning(text)}: ${problem}`);
    this.problem = problem;
  }

  on(line) {
    return new Wrong(line, this.message);
  }
}
