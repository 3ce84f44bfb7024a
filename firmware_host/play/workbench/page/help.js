// How to play, by the rules of this table: the fields of `engine/rules.py` as the table's message has them.

import { die } from "./die.js";
import { make } from "./element.js";
import { fill, listed, texts } from "./texts.js";
import { calledLike } from "./words.js";

const NAMES = { "fixed-face": "palifico", "fixed-face-no-wilds": "obliging" };

/** Draws the help into `place`; `ask()` asks what to do now. */
export function drawHelp(place, rules, ask) {
  const { help } = texts;
  const faces = [1, 2, 3, 4, 5, 6].map((face) => make("li", {}, die(face), texts.faces[face][1]));
  const [before, after] = help.keys.split("{key}");
  const advise = make("button", { type: "button", class: "advise", text: texts.advice.ask });
  advise.addEventListener("click", ask);
  advise.addEventListener("mousedown", (event) => event.preventDefault()); // as in hold.js: Enter stays the key of OK
  place.replaceChildren(
    advise,
    make("p", { class: "rules", text: fill(help.rules, { rules: rules.name }) }),
    make("ol", {}, ...sentences(rules).map((text) => make("li", { text }))),
    make("ul", { class: "faces", "aria-label": help.faces }, ...faces),
    make("p", { text: `${texts.middle.sealed}: ${texts.middle["sealed-why"]}` }),
    make("p", { class: "keyboard" }, make("kbd", { text: "H" }), ` ${texts.advice.ask}`),
    make("p", { class: "keyboard" }, before, make("kbd", { text: "?" }), after),
  );
}

function sentences(rules) {
  const { help } = texts;
  const calls = ["calza", "kill", "spot"].filter((call) => rules[call]).map((call) => exactCall(call, rules[call]));
  const special = rules.special.map((kind) => fill(help[kind], { name: help[NAMES[calledLike(kind, rules)]] }));
  return [
    help.shake,
    help.bid,
    rules.wild_aces ? (rules.special.some((kind) => kind.includes("no-wilds")) ? help["wild-special"] : help.wild) : help.plain,
    rules.dudo_by === "anyone" ? `${help.dudo} ${help.anyone}` : help.dudo,
    ...calls,
    calls.length ? help["find-calls"] : "",
    rules.passing ? help.pass : "",
    special.length ? fill(help.special, { kinds: listed(special) }) : "",
    help.win,
  ].filter(Boolean);
}

function exactCall(call, { by, right, wrong }) {
  const { help } = texts;
  const claims = { "anyone": help.call, "in-turn": help["call-in-turn"], "out-of-turn": help["call-out-of-turn"] };
  const claim = fill(claims[by], { call: texts.calls[call].toLocaleUpperCase() });
  return `${claim} ${help[right]} ${help[wrong]}`;
}
