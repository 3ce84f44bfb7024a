// How to play, by the rules of this table: the fields of `engine/rules.py` as the table's message has them.

import { die } from "./die.js";
import { make } from "./element.js";
import { fill, listed, texts } from "./language.js";

const NAMES = { "fixed-face": "palifico", "fixed-face-no-wilds": "obliging" };

/** Draws the help into `place`; `ask()` asks what to do now. */
export function drawHelp(place, { rules, names }, ask) {
  const { lesson } = texts;
  const faces = [1, 2, 3, 4, 5, 6].map((face) => make("li", {}, die(face), texts.faces[face][1]));
  const [before, after] = lesson.keys.split("{key}");
  const advise = make("button", { type: "button", class: "advise", text: texts.advice.ask });
  advise.addEventListener("click", ask);
  advise.addEventListener("mousedown", (event) => event.preventDefault()); // as in hold.js: Enter stays the key of OK
  place.replaceChildren(
    advise,
    make("p", { class: "rules", text: fill(lesson.rules, { rules: rules.name }) }),
    make("ol", {}, ...sentences(rules, names).map((text) => make("li", { text }))),
    make("ul", { class: "faces", "aria-label": lesson.faces }, ...faces),
    make("p", { text: `${texts.sealed}: ${texts.middle["sealed-why"]}` }),
    make("p", { class: "keyboard" }, make("kbd", { text: "H" }), ` ${texts.advice.ask}`),
    make("p", { class: "keyboard" }, before, make("kbd", { text: "?" }), after),
  );
}

function sentences(rules, names) {
  const { lesson } = texts;
  const calls = ["calza", "kill", "spot"].filter((call) => rules[call]).map((call) => exactCall(call, rules[call]));
  const special = rules.special.map((kind) => fill(lesson[kind], { name: lesson[NAMES[names[kind] ?? kind]] }));
  return [
    lesson.shake,
    lesson.bid,
    rules.wild_aces ? (rules.special.some((kind) => kind.includes("no-wilds")) ? lesson["wild-special"] : lesson.wild) : lesson.plain,
    rules.dudo_by === "anyone" ? `${lesson.dudo} ${lesson.anyone}` : lesson.dudo,
    ...calls,
    calls.length ? lesson["find-calls"] : "",
    rules.passing ? lesson.pass : "",
    special.length ? fill(lesson.special, { kinds: listed(special) }) : "",
    lesson.win,
  ].filter(Boolean);
}

function exactCall(call, { by, right, wrong }) {
  const { lesson } = texts;
  const claims = { "anyone": lesson.call, "in-turn": lesson["call-in-turn"], "out-of-turn": lesson["call-out-of-turn"] };
  const claim = fill(claims[by], { call: texts["call-names"][call] });
  return `${claim} ${lesson[right]} ${lesson[wrong]}`;
}
