// The words of dudo-table verify for a verdict, in English as there. The page shows them as details.

import { headText, shortHead } from "./chain.js";
import { STAGE } from "./deal.js";
import { writeRules } from "./rules.js";

const FOUND = { unproven: "Can’t be checked", reused: "Not fair as shown", wrong: "Not right" };
const VERSION_1 = [
  "Proofs of version 1, as older tables wrote them: a deal is bound to 48 bits of the match’s name,",
  "to no rules, opener or players. A host could have fitted these deals into a second match.",
  "No match that begins at an up-to-date table has such: if this one did, its record is forged.",
];
const HOW = { cup: "committed by cup", switch: "shaken by switch", button: "rolled by button" };

const many = (count, what) => `${count} ${count === 1 ? what : what === "die" ? "dice" : `${what}s`}`;
const numbers = (deals) => deals.map(({ number }) => number).join(", ");
export const nameOf = ({ score }, seat) => score.names[seat] || `seat ${seat}`;

/** What was checked, line by line. */
export function lines(verdict) {
  const { wrong, deals, heads, cut, isClosed } = verdict;
  if (wrong) return [title(verdict), `  ${FOUND[wrong.kind]}: see line ${wrong.line}.`];
  const at = (...stages) => deals.filter(({ stage }) => stages.includes(stage));
  const said = [`${many(verdict.rounds, "round")}, ${many(deals.length, "deal")}. ${opened(at(STAGE.open))}`];
  const repeated = at(STAGE.repeated);
  if (repeated.length) said.push(`${many(repeated.length, "deal")} repeated before there were dice: ${numbers(repeated)}.`);
  const secret = at(STAGE.secret);
  if (secret.length) said.push(`${many(secret.length, "deal")} of void rounds stay sealed and unchecked: ${numbers(secret)}.`);
  if (verdict.undone) said.push(`${many(verdict.undone, "action")} taken back.`);
  if (verdict.handedOver) said.push(`A seat was handed over ${many(verdict.handedOver, "time")}: another person played on there.`);
  if (verdict.reopened) said.push(`Reopened ${many(verdict.reopened, "time")} after its end, with the last round shaken again.`);
  if (verdict.version === 1 && deals.length) said.push(...VERSION_1);
  if (cut !== null) said.push(`Cut off on line ${cut}, which is left out${heads.length ? "; what stands before it is right" : ""}.`);
  else if (!isClosed) said.push("Cut off: the match goes on where the record ends.");
  const unfinished = at(STAGE.committing, STAGE.sealed, STAGE.dealt, STAGE.shown);
  if (unfinished.length) said.push(`Deal ${numbers(unfinished)} was not opened when the record ends: its dice are not checked.`);
  said.push(...sources(verdict));
  const alone = deals.filter(({ cups }) => !cups.length);
  if (alone.length) said.push(`No cup committed in ${alone.length === deals.length ? "any deal" : `deal ${numbers(alone)}`}: there the host’s word is all there is.`);
  if (heads.length) said.push(`Head: ${shortHead(heads.at(-1)[1], 16)}`, `In full: ${headText(heads.at(-1)[1])}`);
  return [title(verdict), ...said.map((line) => `  ${line}`)];
}

function title(verdict) {
  const { score } = verdict;
  if (!score) return `The match on line ${verdict.first}.`;
  const names = score.names.map((_, seat) => nameOf(verdict, seat)).join(", ");
  const end = score.winner === null ? "not over" : `${nameOf(verdict, score.winner)} won`;
  return `Match ${verdict.match || "?"} of ${writeRules(score.rules)}${score.date ? ` on ${score.date}` : ""}: ${names}; ${end}.`;
}

export const diceOf = (deals) => deals.reduce((sum, { shown }) => sum + shown.flat().length, 0);

function opened(deals) {
  if (!deals.length) return "None was opened, so no die is proven.";
  return `${deals.length} opened: ${many(diceOf(deals), "die")} recomputed, all as shown.`;
}

/** For each player where the entropy came from, and how often. */
function sources(verdict) {
  return (verdict.score?.names ?? []).flatMap((_, player) => {
    const counts = new Map();
    for (const { given } of verdict.deals) {
      if (given.has(player)) counts.set(given.get(player).kind, (counts.get(given.get(player).kind) ?? 0) + 1);
    }
    const gave = [...counts].map(([kind, count]) => `${HOW[kind]} ${many(count, "time")}`).join(", ");
    return gave ? [`${nameOf(verdict, player)}: ${gave}.`] : [];
  });
}

// Letters of a head

/** The last place of a head that begins with these letters: { verdict, line, following }, or null. */
export function findHead(verdicts, letters) {
  for (const verdict of [...verdicts].reverse()) {
    const at = verdict.heads.findLastIndex(([, head]) => headText(head).startsWith(letters));
    if (at >= 0) return { verdict, line: verdict.heads[at][0], following: verdict.heads.length - 1 - at };
  }
  return null;
}

/** The deal whose shake the head may have been seen before, and the line of a cup that committed after it, or null. */
export function coverage({ verdict, line, following }) {
  const deal = following ? verdict.deals.findLast(({ host }) => host.line <= line) : null;
  if (!deal || deal.stage === STAGE.repeated || !deal.cups.length) return null;
  const late = [...deal.given.values()].find((each) => each.kind === "cup" && each.line > line);
  return { number: deal.number, late: late?.line ?? null };
}

/** What a head proves. */
export function headLines(found) {
  const { verdict, line, following } = found;
  const which = `of match ${verdict.match}`;
  if (verdict.wrong) return [`The head is that ${which} after line ${line}, but the record is not right.`];
  if (!following) return [`The head is the last one ${which}: nothing in it has changed since that head was seen.`];
  const said = [`The head is that ${which} after line ${line}: nothing up to there has changed since.`, "What stands further down it does not cover."];
  const covered = coverage(found);
  if (covered?.late) said.push(`In deal ${covered.number} a cup committed after it, on line ${covered.late}.`);
  else if (covered) said.push(`All that the dice of deal ${covered.number} come from was bound by then.`);
  return said;
}
