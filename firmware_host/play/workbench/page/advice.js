// The answer to "What would you do?" in words.

import { bidInWords, fill, texts } from "./texts.js";
import { calledLike } from "./words.js";

/** The sentences of an `advice` message; `rules` are those of the table. */
export function adviceInWords({ action, percent, quantity, face }, rules) {
  const { advice, calls, kinds } = texts;
  if (action === "bid") return fill(advice.bid, { bid: bidInWords(quantity, face), percent });
  if (calls[action]) return fill(advice.call, { call: calls[action].toLocaleUpperCase(), percent });
  if (kinds[action]) return fill(advice.kind, { kind: kinds[calledLike(action, rules)] });
  return fill(advice[action], { percent });
}
