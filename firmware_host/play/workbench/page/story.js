// The story so far: the public events in sentences, one a line, the last one in sight, and read aloud as they come.

import { make } from "./element.js";
import { bidInWords, either, fill, listed, texts } from "./texts.js";
import { calledLike, dice } from "./words.js";

const MAX_SENTENCES = 60;

export class Story {
  #list;
  #scroller;
  #log;
  #names = [];
  #rules = null;

  /** `list` is the visible list, `log` the hidden live region, which also speaks while the list is folded. */
  constructor(list, log) {
    this.#list = list;
    this.#scroller = list.parentElement;
    this.#log = log;
  }

  /** Begins with the events of this run of the table, instead of any from before: they are not read aloud. */
  begin(lines, names, rules) {
    this.#names = names;
    this.#rules = rules;
    this.#list.replaceChildren();
    this.#show(lines.flatMap((line) => this.#told(line)));
    this.showLast();
  }

  /** Scrolls to the last sentence: while the story is folded it has no height to scroll in. */
  showLast() {
    this.#scroller.scrollTop = this.#scroller.scrollHeight;
  }

  /** Adds an event. */
  add(line) {
    const told = this.#told(line);
    this.#show(told);
    if (told.length) this.#log.replaceChildren(...told.map((text) => make("p", { text })));
  }

  #show(sentences) {
    const [list, { scrollTop, clientHeight, scrollHeight }] = [this.#list, this.#scroller];
    const follows = scrollTop + clientHeight > scrollHeight - 40; // unless the person has scrolled up
    list.append(...sentences.map((text) => make("li", { text })));
    while (list.children.length > MAX_SENTENCES) list.firstElementChild.remove();
    if (follows) this.showLast();
  }

  /** The event's own English sentences, or those of another language; none where English has none. */
  #told(line) {
    if (line.sentences.length === 0 || !texts.story) return line.sentences;
    return EVENTS[line.type]?.(line, this.#names, texts.story, this.#rules) ?? line.sentences;
  }
}

const simple = (line, names, story) => [fill(story[line.type], { name: names[line.seat] })];
const device = (line, names, story) => [fill(story[line.type], { name: names[line.seat], device: texts.devices[line.device] })];
const trouble = (line, names, story) => [fill(story[line.type], { what: story[line.what] })];

const EVENTS = {
  joined: ({ seat, robot }, names, story) => [fill(story[robot ? `joined-${robot}` : "joined"], { name: names[seat] })],
  left: ({ seat, why }, names, story) => [fill(story[`left-${why}`], { name: names[seat] })],
  away: simple,
  back: simple,
  "match-began": ({ rules, players }, names, story) => [fill(story["match-began"], { rules, names: named(players, names) })],
  "order-rolled": orderRolled,
  "choice-awaited": ({ seat, choices }, names, story, rules) => [
    fill(story["choice-awaited"], { name: names[seat], kinds: either(choices.map((kind) => kindInWords(kind, rules))) }),
  ],
  "round-began": roundBegan,
  said: ({ seat, action, bid }, names, story, rules) => {
    const name = names[seat];
    if (bid) return [fill(story.bid, { name, bid: bidInWords(bid.quantity, bid.face) })];
    if (action in texts.kinds) return [fill(story.chooses, { name, kind: kindInWords(action, rules) })];
    return [fill(story[action], { name })];
  },
  undone: ({ seat, bid, by, standing }, names, story) => {
    const name = names[seat];
    const taken = bid ? fill(story["undone-bid"], { name, bid: bidInWords(bid.quantity, bid.face) }) : fill(story.undone, { name });
    const stands = standing && fill(story.stands, { name: names[standing.seat], bid: bidInWords(standing.quantity, standing.face) });
    return [by && story[`undone-by-${by}`], taken, stands].filter(Boolean);
  },
  revealed,
  "match-won": simple,
  "match-broken-off": ({ why }, names, story) => [story[why === "staff" ? "match-ended" : "match-broken-off"]],
  "match-reopened": simple,
  "seat-handed-over": simple,
  "match-paused": simple,
  "match-resumed": simple,
  "time-up": simple,
  "deal-repeated": simple,
  "device-lost": device,
  "device-found": device,
  "device-replaced": device,
  "trouble-began": trouble,
  "trouble-ended": trouble,
};

const kindInWords = (kind, rules) => texts.kinds[calledLike(kind, rules)];
const named = (seats, names) => listed(seats.map((seat) => names[seat]));

function orderRolled({ rolls, order }, names, story, { seating }) {
  const each = rolls.map((faces, seat) => (faces.length ? `${names[seat]} ${faces.join("-")}` : "")).filter(Boolean);
  const fromOpener = seating === "roll-opener";
  const rolled = fill(story[fromOpener ? "opener-rolled" : "order-rolled"], { rolls: each.join(", ") });
  if (order.length === 0) return [rolled, story.tie];
  return [rolled, fromOpener ? fill(story.around, { name: names[order[0]] }) : fill(story.order, { names: named(order, names) })];
}

function roundBegan({ number, kind, owner, first, dice: held }, names, story, rules) {
  let round = fill(texts.round.number, { number });
  const special = kind === "normal" ? null : owner === null ? "round-special" : "round-of";
  if (special) round = fill(story[special], { round, kind: kindInWords(kind, rules), name: names[owner] });
  const each = held.map((count, seat) => (count ? `${names[seat]} ${count}` : "")).filter(Boolean);
  const all = dice(held.reduce((sum, count) => sum + count, 0));
  return [fill(story["round-began"], { round, dice: all, held: each.join(", "), name: names[first] })];
}

function revealed({ showdown }, names, story) {
  const { hands, matching, quantity, face, doubted, right, loser, gainer, out } = showdown;
  const shown = hands.map((hand, seat) => (hand.length ? `${names[seat]} ${hand.join("")}` : "")).filter(Boolean);
  const [there, bid] = [matching === null ? "" : bidInWords(matching, face), bidInWords(quantity, face)];
  const verdict = matching !== null ? (matching === quantity ? "exactly" : "count") : right ? "bluff" : "honest";
  const count = fill(story[verdict], { there, bid, name: names[doubted] });
  const { middle } = texts;
  const what = loser !== null ? (out.includes(loser) ? middle.out : middle.loses) : gainer !== null ? middle.gains : middle.nobody;
  return [fill(story.revealed, { hands: shown.join(", ") }), `${count} ${fill(what, { name: names[loser ?? gainer] })}.`];
}
