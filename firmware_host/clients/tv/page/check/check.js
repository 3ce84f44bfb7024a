// The page on a guest's phone: it gets the record of a match and checks its dice here. Nothing is sent to the table.
//
// What the table says of the rules stands beside, as the table's own word.

import { die } from "../die.js";
import { make, mark } from "../element.js";
import { counted, fill, language, listed, texts, translatePage } from "../language.js";
import { STAGE } from "./deal.js";
import { checkDice } from "./dice.js";
import { coverage, findHead, grouped, nearest, readLetters } from "./letters.js";
import own from "./texts.js";

const byId = (id) => document.getElementById(id);
const query = `match=${encodeURIComponent(new URL(location.href).searchParams.get("match") ?? "")}`;
const source = `record.dudo?${query}`;
const nameOf = (names, seat) => names[seat] || `${seat + 1}`;

Object.assign(texts, own[language]);
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

function conclude(kind, title, why, problem = "") {
  const place = byId("verdict");
  place.dataset.kind = kind;
  place.querySelector("h2").textContent = title;
  place.querySelector("p").textContent = why;
  place.querySelector("small").textContent = problem;
}

function show(text) {
  const checked = checkDice(text);
  judge(checked);
  matchOf(checked);
  if (!checked.wrong) {
    sourcesOf(checked);
    roundsOf(checked);
  }
  mark(byId("save"), "href", source);
  mark(byId("save"), "download", `${checked.match || "match"}.dudo`);
  for (const id of ["word", "letters", "save"]) byId(id).hidden = false;
  byId("letters").addEventListener("submit", (event) => {
    event.preventDefault();
    compare(checked);
  });
  byId("noted").addEventListener("input", () => found("", ""));
  askTable();
}

function judge({ wrong, isProven, deals }) {
  const line = wrong?.line;
  if (wrong?.kind === "unproven" || (!wrong && !isProven)) conclude("open", texts["check-unproven"], texts["check-unproven-why"]);
  else if (wrong?.kind === "reused") conclude("wrong", texts["check-reused"], fill(texts["check-reused-why"], { line }));
  else if (wrong) conclude("wrong", texts["check-wrong"], fill(texts["check-line"], { line }), wrong.message);
  else conclude("right", texts["check-right"], counted(texts["check-dice"], diceOf(deals)));
}

function diceOf(deals) {
  return deals.filter(({ stage }) => stage === STAGE.open).flatMap(({ hands }) => hands.flat()).length;
}

/** Shows what `dudo-table verify` says of the match, which the table ran itself. */
async function askTable() {
  const place = byId("word");
  let [kind, line, report] = ["open", null, []];
  try {
    const answer = await fetch(`verdict.json?${query}`);
    if (answer.ok) ({ kind, line, report } = await answer.json());
  } catch {} // as without an answer
  const text = { right: "right", open: "none" }[kind] ?? (line === null ? "unproven" : "wrong");
  place.dataset.kind = { right: "right", open: "open", unproven: "open" }[kind] ?? "wrong";
  place.querySelector("p").textContent = fill(texts[`check-word-${text}`], { line });
  byId("details").querySelector("pre").textContent = report.join("\n");
  byId("details").hidden = !report.length;
}

function matchOf({ names, winner, date }) {
  if (!names.length) return;
  const won = winner === null ? "" : fill(texts.wins, { name: nameOf(names, winner) });
  const day = date && new Date(`${date}T12:00`).toLocaleDateString(language, { dateStyle: "long" });
  byId("match").replaceChildren(make("b", { text: listed(names.map((_, seat) => nameOf(names, seat))) }), won && ` · ${won}`, day && ` · ${day}`);
}

/** Who rolled how often in which way, and a note of everything that was not as usual. */
function sourcesOf(checked) {
  const { names, deals } = checked;
  const rows = names.flatMap((_, seat) => {
    const kinds = deals.flatMap(({ given }) => (given.has(seat) ? [given.get(seat).kind] : []));
    const gave = ["cup", "switch", "button"].flatMap((kind) => {
      const count = kinds.filter((each) => each === kind).length;
      return count ? [counted(texts[`check-${kind}`], count)] : [];
    });
    return gave.length ? [make("dt", { text: nameOf(names, seat) }), make("dd", { text: gave.join(", ") })] : [];
  });
  byId("sources").querySelector("dl").replaceChildren(...rows);
  byId("sources").querySelector("ul").replaceChildren(...notesOf(checked).map((text) => make("li", { text })));
  byId("sources").hidden = false;
}

function notesOf(checked) {
  const counts = {
    alone: checked.deals.filter(({ cups }) => !cups.length).length,
    repeated: checked.at(STAGE.repeated).length,
    void: checked.at(STAGE.secret).length,
    undone: checked.undone,
    "handed-over": checked.handedOver,
    reopened: checked.reopened,
  };
  const notes = Object.entries(counts).flatMap(([note, count]) => (count ? [counted(texts[`check-${note}`], count)] : []));
  if (checked.cut !== null || !checked.isClosed) notes.push(texts["check-cut"]);
  if (checked.version === 1) notes.push(texts["check-old"]);
  return notes;
}

/** The dice of every round that was called, by its number in the record, for a player who remembers some. */
function roundsOf({ names, rounds }) {
  const rows = rounds.filter(([, { stage }]) => stage === STAGE.open).map(([number, { hands }]) => {
    const shown = hands.flatMap((hand, seat) =>
      hand.length ? [make("div", { class: "hand" }, make("span", { text: nameOf(names, seat) }), make("i", { role: "img", "aria-label": hand.join(" ") }, ...hand.map((face) => die(face))))] : [],
    );
    return make("li", {}, make("b", { text: `${number}.` }), make("div", { class: "hands" }, ...shown));
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

function compare(checked) {
  const { letters, unknown, wrong } = readLetters(byId("noted").value);
  const count = letters.length;
  if (wrong) {
    found("open", fill(texts[`check-${wrong}`], { letter: unknown, count }));
    return;
  }
  byId("noted").value = grouped(letters);
  const there = findHead(checked, letters);
  if (there) {
    const covered = coverage(checked, there);
    const text = checked.wrong ? "found-wrong" : !there.following ? "last" : covered?.late ? "found-late" : covered ? "found-deal" : "found";
    found(checked.wrong ? "wrong" : covered?.late ? "open" : "right", fill(texts[`check-${text}`], { number: covered?.number }));
    return;
  }
  const near = nearest(checked, letters);
  if (near) found("wrong", texts["check-near"], grouped(near));
  else found("wrong", texts["check-missing"]);
}
