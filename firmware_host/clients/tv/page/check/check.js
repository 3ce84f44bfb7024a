// The page on a guest's phone: it gets the record of a match and checks it here. Nothing is sent to the table.

import { die } from "../die.js";
import { make, mark } from "../element.js";
import { counted, fill, language, listed, texts, translatePage } from "../words.js";
import { headText, readLetters } from "./chain.js";
import { STAGE } from "./deal.js";
import { coverage, diceOf, findHead, headLines, lines, nameOf } from "./report.js";
import { verify } from "./verify.js";

const byId = (id) => document.getElementById(id);
const grouped = (letters) => letters.replace(/(.{4})(?=.)/g, "$1 ");
const source = `record.dudo?match=${encodeURIComponent(new URL(location.href).searchParams.get("match") ?? "")}`;

document.title = texts.check;
translatePage();

await check();

async function check() {
  let answer;
  try {
    answer = await fetch(source);
    if (answer.ok) show(await answer.text());
    else conclude("open", texts["check-gone"], texts["check-gone-why"]);
  } catch (error) {
    if (answer?.ok && !(error instanceof TypeError)) throw error;
    conclude("open", texts["check-offline"], texts["check-offline-why"]);
  }
}

function conclude(kind, title, why) {
  byId("verdict").dataset.kind = kind;
  byId("verdict").querySelector("h2").textContent = title;
  byId("verdict").querySelector("p").textContent = why;
}

function show(text) {
  let verdicts;
  try {
    verdicts = verify(text);
  } catch (error) {
    if (error.line === undefined) throw error;
    conclude("wrong", texts["check-wrong"], fill(texts["check-line"], { line: error.line }));
    return;
  }
  const [verdict] = verdicts; // the table gives one match
  judge(verdict);
  matchOf(verdict);
  sourcesOf(verdict);
  roundsOf(verdict);
  const { wrong } = verdict;
  byId("details").querySelector("pre").textContent = [...verdicts.flatMap(lines), ...(wrong ? [`${wrong.line}: ${wrong.message}`] : [])].join("\n");
  mark(byId("save"), "href", source);
  mark(byId("save"), "download", `${verdict.match || "match"}.dudo`);
  for (const id of ["letters", "details"]) byId(id).hidden = false;
  byId("letters").addEventListener("submit", (event) => {
    event.preventDefault();
    compare(verdicts);
  });
  byId("noted").addEventListener("input", () => found("", ""));
}

function judge({ wrong, isProven, deals }) {
  const line = wrong?.line;
  if (wrong?.kind === "reused") conclude("wrong", texts["check-reused"], fill(texts["check-reused-why"], { line }));
  else if (wrong?.kind === "unproven" || (!wrong && !isProven)) conclude("open", texts["check-unproven"], texts["check-unproven-why"]);
  else if (wrong) conclude("wrong", texts["check-wrong"], fill(texts["check-line"], { line }));
  else conclude("right", texts["check-right"], counted("check-dice", diceOf(deals.filter(({ stage }) => stage === STAGE.open))));
}

function matchOf(verdict) {
  const { score } = verdict;
  if (!score) return;
  const names = listed(score.names.map((_, seat) => nameOf(verdict, seat)));
  const won = score.winner === null ? "" : fill(texts.wins, { name: nameOf(verdict, score.winner) });
  byId("match").replaceChildren(make("b", { text: names }), won && ` · ${won}`, score.date && ` · ${new Date(`${score.date}T12:00`).toLocaleDateString(language, { dateStyle: "long" })}`);
}

/** Who rolled how often in which way, and what only the word of the table stands for. */
function sourcesOf(verdict) {
  const { score, deals, wrong, version } = verdict;
  if (wrong || !score) return;
  const rows = score.names.flatMap((_, seat) => {
    const kinds = deals.flatMap(({ given }) => (given.has(seat) ? [given.get(seat).kind] : []));
    const gave = ["cup", "switch", "button"].flatMap((kind) => {
      const count = kinds.filter((each) => each === kind).length;
      return count ? [counted(`check-${kind}`, count)] : [];
    });
    return gave.length ? [make("dt", { text: nameOf(verdict, seat) }), make("dd", { text: gave.join(", ") })] : [];
  });
  const alone = deals.filter(({ cups }) => !cups.length).length;
  const repeated = deals.filter(({ stage }) => stage === STAGE.repeated).length;
  const notes = [alone && counted("check-alone", alone), repeated && counted("check-repeated", repeated), version === 1 && texts["check-old"]];
  byId("sources").querySelector("dl").replaceChildren(...rows);
  byId("sources").querySelector("ul").replaceChildren(...notes.filter(Boolean).map((text) => make("li", { text })));
  byId("sources").hidden = false;
}

/** The dice of every round that was called, for a player who remembers some. */
function roundsOf(verdict) {
  const { score, wrong } = verdict;
  if (wrong || !score) return;
  const dealt = score.entries.filter(({ type, hands }) => type === "hands" && hands);
  const rows = dealt.map(({ hands }, at) => {
    const shown = hands.flatMap((hand, seat) =>
      hand.length ? [make("div", { class: "hand" }, make("span", { text: nameOf(verdict, seat) }), make("i", { role: "img", "aria-label": hand.join(" ") }, ...hand.map((face) => die(face))))] : [],
    );
    return make("li", {}, make("b", { text: `${at + 1}.` }), make("div", { class: "hands" }, ...shown));
  });
  byId("rounds").querySelector("ol").replaceChildren(...rows);
  byId("rounds").hidden = !rows.length;
}

// The letters that a player noted

function found(kind, text, letters = "") {
  const [before, after = ""] = text.split("{letters}");
  byId("found").dataset.kind = kind;
  byId("found").replaceChildren(before, letters && make("code", { text: letters }), after);
}

function compare(verdicts) {
  const { letters, unknown, wrong } = readLetters(byId("noted").value);
  const count = letters.length;
  if (wrong) {
    found("open", fill(texts[`check-${wrong}`], { letter: unknown, count }));
    return;
  }
  byId("noted").value = grouped(letters);
  const there = findHead(verdicts, letters);
  if (there) {
    const covered = coverage(there);
    const text = there.verdict.wrong ? "found-wrong" : !there.following ? "last" : covered?.late ? "found-late" : covered ? "found-deal" : "found";
    found(there.verdict.wrong ? "wrong" : covered?.late ? "open" : "right", fill(texts[`check-${text}`], { number: covered?.number }));
    byId("found").title = headLines(there).join(" ");
    return;
  }
  const near = nearest(verdicts, letters);
  if (near) found("wrong", texts["check-near"], grouped(near));
  else found("wrong", texts["check-missing"]);
}

/** The beginning of a head of which one letter, or two that stand side by side, were noted wrongly; else null. */
function nearest(verdicts, letters) {
  for (const { heads } of verdicts) {
    for (const [, head] of heads) {
      const whole = headText(head);
      if (isNear(whole, letters)) return whole.slice(0, letters.length);
    }
  }
  return null;
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
