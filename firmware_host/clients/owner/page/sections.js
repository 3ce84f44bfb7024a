// Draws the staff menu's sections from the server's description: a new item appears by itself.

import { make, mark } from "./element.js";
import { fill, texts } from "./language.js";

const DRAWN = { setting, fact, action, job, figure };

/** Draws all sections, and the boards after them; `change` takes a request and its question. */
export function drawSections(place, sections, boards, change) {
  const drawn = sections.map(({ name, title, items }) =>
    panel(name, title, ...items.map((item) => make("div", { class: `item ${item.kind}` }, ...DRAWN[item.kind](item, change)))),
  );
  if (boards.length) drawn.push(panel("boards", texts["owner-boards"], make("ul", {}, ...boards.map(board))));
  place.replaceChildren(...drawn);
}

function panel(name, title, ...content) {
  return make("section", { class: "panel", "data-section": name, "aria-labelledby": `title-${name}` }, make("h2", { id: `title-${name}`, text: title }), ...content);
}

function board({ seat, kind, name, release, parts, is_right, remark, last_loss }) {
  return make(
    "li",
    { class: "board", "data-wrong": !is_right },
    make("b", {}, make("bdi", { text: seat })),
    make("span", { text: `${kind} ${name}` }),
    make("small", { class: "note", text: [...(release ? [fill(texts["owner-release"], { release })] : []), ...parts].join(" · ") }),
    remark ? make("small", { class: "remark", text: remark }) : null,
    last_loss ? make("small", { class: "note", text: fill(texts["owner-lost"], { why: last_loss }) }) : null,
  );
}

function setting({ item, title, value, choices, is_scale }, change) {
  const id = `item-${item}`;
  const label = make("label", { for: id, text: title });
  const send = (chosen) => change({ ask: "change", setting: item, value: chosen });
  if (is_scale) return [label, ...scale(id, value, choices, send)];
  const options = choices.map(([each, text], at) => make("option", { value: at, text, selected: each === value }));
  const list = make("select", { id, "data-key": item }, ...options);
  list.addEventListener("change", () => send(choices[list.value][0]));
  return [label, list];
}

/** A slider over the choices, with the label of the one that it is at. */
function scale(id, value, choices, send) {
  const at = choices.findIndex(([each]) => each === value);
  const input = make("input", { type: "range", id, min: 0, max: choices.length - 1, value: at, "data-key": id });
  const shown = make("output", { for: id });
  const show = () => {
    const [, label] = choices[input.value];
    shown.textContent = label;
    mark(input, "aria-valuetext", label);
  };
  input.addEventListener("input", show);
  input.addEventListener("change", () => send(choices[input.value][0]));
  show();
  return [make("span", { class: "scale" }, input, shown)];
}

function fact({ title, value }) {
  return [make("span", { text: title }), make("b", {}, make("bdi", { text: value }))];
}

/** A button, with a list of seats before it where the action is for one. */
function action({ item, title, seats = [], question = "" }, change) {
  const button = make("button", { type: "button", text: title, "data-key": item });
  if (seats.length === 0) {
    button.addEventListener("click", () => change({ ask: "act", what: item }, question));
    return [button];
  }
  const label = `${title}: ${texts["owner-seat"]}`;
  const list = make("select", { "aria-label": label, "data-key": `${item}-seat` }, ...seats.map((seat) => make("option", { text: seat, value: seat })));
  button.addEventListener("click", () => change({ ask: "act", what: item, seat: list.value }, question && `${title}: ${list.value}?`));
  return [list, button];
}

function job({ item, title, question = "", note = "", is_at_work, lines = [] }, change) {
  const button = make("button", { type: "button", text: title, disabled: is_at_work, "data-key": item });
  button.addEventListener("click", () => change({ ask: "job", job: item }, question));
  const details = make("ul", { class: "details", lang: "en" }, ...lines.map((text) => make("li", { text })));
  return [button, ...(note ? [make("small", { class: "note", text: note })] : []), ...(lines.length ? [details] : [])];
}

function figure({ item, title, value, question, note }, change) {
  const label = `${texts["owner-reset"]}: ${title}`;
  const button = make("button", { type: "button", class: "reset", text: texts["owner-reset"], "aria-label": label, "data-key": item });
  button.addEventListener("click", () => change({ ask: "reset", figure: item }, question));
  return [make("b", { text: value }), make("span", { text: title }), make("small", { class: "note", text: note.replaceAll("-", "\u2011") }), button];
}
