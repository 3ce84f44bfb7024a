// The recap of the evening at closing time, in place of the lesson: the winners, and what is worth telling again.

import { make } from "./element.js";
import { bidInWords, counted, dice, fill, texts } from "./language.js";
import { line } from "./parts.js";
import { measured } from "./seats.js";

/** More facts than this are written smaller. */
const ROOMY_FACTS = 5;

/** The elements of the middle. */
export function recap({ matches, winners, bluff, caller, streak, slayer, rules, robots, longest }) {
  const length = winners.reduce((sum, { name }) => sum + name.length + 8, 0);
  const places = winners.map(({ name, won }) => make("li", {}, make("b", { class: "name", text: name }), make("small", { text: counted(texts["recap-won"], won) })));
  const facts = [
    bluff && fact(fill(texts["recap-bluff"], { name: "{name}", bid: bidInWords(bluff), dice: dice(bluff.missing) }), bluff.name),
    caller && fact(fill(texts["recap-caller"], { name: "{name}", count: caller.number }), caller.name),
    streak && fact(fill(texts["recap-streak"], { name: "{name}", count: streak.number }), streak.name),
    slayer && fact(counted(texts["recap-slayer"], slayer.number), slayer.name),
    rules && fact(counted(texts["recap-rules"], rules.number), rules.name),
    longest > 1 && fact(counted(texts["recap-longest"], longest)),
    ...robots.map(({ name: level, won, matches: of }) => fact(`${texts[`robot-${level}`] ?? level}, ${fill(texts["figures-won"], { won, of })}`)),
  ].filter(Boolean);
  for (const each of facts) each.style.setProperty("--share", Math.min(1, ROOMY_FACTS / facts.length));
  return [
    line("night", texts["recap-end"]),
    line("turn", counted(texts["recap-matches"], matches)),
    places.length ? measured(make("ol", { class: "places" }, ...places), length) : null,
    ...facts,
  ];
}

/** A fact in two columns: its title up to the colon, if it has one, and what happened. */
function fact(text, name = "") {
  const [title, told] = /^([^:]+?)\s?:\s(.+)$/.exec(text)?.slice(1) ?? ["", text];
  const [before, after = ""] = told.split("{name}");
  const shown = make("span", {}, before, name && make("b", { class: "name", text: name }), after);
  return measured(make("p", { class: "fact" }, make("span", { text: title }), shown), text.length + name.length);
}
