// Sentences from the fields of the public state.

import { bidInWords, fill, listed, texts } from "./language.js";

const nameOf = (state, seat) => state.seats[seat].name;
export const total = ({ seats }) => seats.reduce((sum, { dice: held }) => sum + held, 0);

/** The title of a kind of round; `names` are the kinds that these rules call by another one's name. */
export const titleOf = (kind, names) => texts.kinds[names[kind] ?? kind];

/** The line about the round: its number, what is special about it and whether aces are wild. */
export function round(state, wild, names) {
  if (state.round === null) return [];
  const { number, kind, owner } = state.round;
  const parts = [fill(texts.round, { number })];
  const title = titleOf(kind, names);
  if (title) parts.push(title);
  if (title && (owner !== null || !texts["kind-rules"][kind].includes("{}"))) {
    parts.push(fill(texts["kind-rules"][kind], { name: owner === null ? "" : nameOf(state, owner) }));
  } else if (wild !== null) parts.push(wild ? texts.wild : texts.plain);
  return parts;
}

/** Whom the table waits for, except in the bidding, where one player is in turn. */
export function waiting(state) {
  const names = state.waiting_for.map((seat) => nameOf(state, seat));
  return names.length ? fill(texts.waiting, { names: listed(names) }) : texts["cups-down"];
}

/** Who calls what on whom, with the gaps {caller} and {who}. */
export const claim = (call, is_pass) => texts[is_pass ? "claim-pass" : `claim-${call}`];

/** The verdict on a showdown in large letters. */
export function verdict({ call, right, matching }) {
  if (matching === null) return right ? texts.bluff : texts.honest;
  if (call === "dudo") return right ? texts["too-few"] : texts.enough;
  return right ? texts.exact : texts["not-exact"];
}

/** The price of a showdown with a gap for a name, and whose name it is: null where nobody loses or wins a die. */
export function price({ loser, gainer, out }) {
  if (loser !== null) return [texts[out.includes(loser) ? "is-out" : "loses"], loser];
  return [gainer === null ? texts.nobody : texts.gains, gainer];
}

/** A public event that no state tells, for some seconds; empty for one that needs no words here. */
export function news(event, state) {
  const name = event.seat === undefined ? "" : nameOf(state, event.seat);
  switch (event.type) {
    case "left": return fill(texts[state.scene === "lobby" ? "news-gone" : "news-left"], { name });
    case "match-broken-off": return event.why === "staff" ? texts.ended : texts["broken-off"];
    default: return fill(texts[`news-${event.type}`], { name });
  }
}

/** The state in one or two sentences, for a screen reader. */
export function spoken(state) {
  if (state.paused) return `${texts.paused}. ${texts["paused-why"]}`;
  switch (state.scene) {
    case "bidding": {
      const turn = state.turn === null ? "" : fill(texts.turn, { name: nameOf(state, state.turn) });
      const { standing } = state;
      if (standing === null) return `${texts["no-bid"]}. ${turn}.`;
      return `${bidInWords(standing)}, ${fill(texts["bid-by"], { name: nameOf(state, standing.seat) })}. ${turn}.`;
    }
    case "called": return texts.calls[state.called.call];
    case "reveal": {
      const [text, seat] = price(state.showdown);
      return `${verdict(state.showdown)} ${seat === null ? text : fill(text, { name: nameOf(state, seat) })}.`;
    }
    case "over": return fill(texts.wins, { name: nameOf(state, state.winner) });
    case "shaking": return texts.shake;
    default: return "";
  }
}
