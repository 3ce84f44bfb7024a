// The cards of the tables: who plays there, the bid that stands, and what is wrong.

import { die } from "./die.js";
import { make, mark } from "./element.js";
import { bidInWords, fill, language, texts } from "./language.js";
import { colored } from "./names.js";

const FEW = 6;
const FREE = ["lobby", "over", ""]; // scenes in which a table can be called
const SCENES = { choosing: "venue-choosing", shaking: "venue-shaking", called: "venue-called", reveal: "venue-reveal" };

/** What a table is called: as the owner says, else as its bridge does. */
export const nameOf = ({ title, table }) => title || table;

/** What is wrong at a table, in words. */
export const attentionOf = ({ attention }) =>
  attention.map(([what, name]) => fill(texts[`venue-${what === "away" ? "left-alone" : what}`] ?? what, { name }));

/** All cards by table, each drawn again only when it has changed. */
export class Cards {
  #list;
  #cards = new Map();
  #drawn = new Map();
  #called = new Map();

  constructor(list) {
    this.#list = list;
  }

  /** The cards that the page shows. */
  get shown() {
    return [...this.#cards.values()].filter(({ hidden }) => !hidden);
  }

  /** All cards, hidden ones too. */
  get all() {
    return [...this.#cards.values()];
  }

  /** Notes the players whom a tournament has called to a table, by its key, and draws the cards anew. */
  call(called) {
    if (JSON.stringify([...called]) === JSON.stringify([...this.#called])) return;
    this.#called = called;
    for (const [key, card] of this.#cards) draw(this.#drawn.get(key), card, this.#called.get(key));
  }

  title(site, table) {
    const card = this.#cards.get(`${site}/${table}`);
    return card ? nameOf(card) : table;
  }

  take(changed, gone = []) {
    for (const [site, table] of gone) for (const known of [this.#cards, this.#drawn]) known.delete(`${site}/${table}`);
    for (const card of changed) {
      const key = `${card.site}/${card.table}`;
      this.#cards.set(key, card);
      if (!this.#drawn.has(key)) this.#drawn.set(key, make("li", { class: "card" }));
      draw(this.#drawn.get(key), card, this.#called.get(key));
    }
    // In one order on every page: by site and name, whatever came first.
    const order = [...this.#cards.keys()].sort((one, other) => (one < other ? -1 : 1));
    const rows = order.filter((key) => !this.#cards.get(key).hidden).map((key) => this.#drawn.get(key));
    if (rows.length !== this.#list.children.length || rows.some((row, at) => row !== this.#list.children[at])) this.#list.replaceChildren(...rows);
    const sites = new Set(this.all.map(({ site }) => site));
    mark(this.#list, "data-sites", sites.size > 1);
    mark(this.#list, "data-few", rows.length <= FEW);
  }
}

function draw(place, card, called) {
  const name = nameOf(card);
  const invited = card.reached && FREE.includes(card.scene) && called ? called : null;
  mark(place, "data-scene", card.scene || "none");
  mark(place, "data-gone", !card.reached);
  mark(place, "data-wrong", card.attention.length > 0);
  mark(place, "data-called", invited !== null);
  let link = place.querySelector("a");
  if (link === null) {
    link = make("a", { class: "open" });
    place.append(link);
  }
  mark(link, "href", `follow/${card.site}/${card.table}/?language=${language}`);
  link.replaceChildren(make("span", { class: "unseen", text: fill(texts["venue-follow"], { table: name }) }));
  for (const part of place.querySelectorAll(".head, .middle, .chairs")) part.remove();
  place.append(
    make("h3", { class: "head" }, make("bdi", { text: name }), make("small", { class: "site", text: card.site })),
    make("p", { class: "middle" }, ...(invited ? [make("span", { class: "word called", text: texts["venue-heat-called"] })] : middle(card))),
    make("ul", { class: "chairs", "data-many": (invited ?? card.chairs).length > 4 }, ...(invited?.map(guest) ?? card.chairs.map((each) => chair(each, card)))),
  );
}

/** The bid that stands, or else what happens at the table. */
function middle(card) {
  if (!card.reached) return [make("span", { class: "word", text: texts["venue-away"] })];
  if (card.paused) return [make("span", { class: "word", text: texts["venue-paused"] })];
  if (card.winner !== null) return [make("span", { class: "word won", text: fill(texts.wins, { name: card.winner }) })];
  if (card.scene === "bidding" && card.standing) {
    const figure = make("span", { class: "figure", role: "img", "aria-label": bidInWords(card.standing) });
    figure.append(make("b", { text: card.standing.quantity }), make("span", { class: "times", text: "×" }), die(card.standing.face));
    return [figure];
  }
  if (card.scene === "bidding") return [make("span", { class: "word", text: texts["no-bid"] })];
  const key = SCENES[card.scene] ?? (card.chairs.length ? "venue-waits" : "venue-free");
  return [make("span", { class: "word", text: texts[key] })];
}

/** A player of a heat who is to come to a table. */
const guest = (name) => make("li", {}, make("bdi", { class: "who", text: name }));

function chair({ name, color, dice, turn, away, robot }, { scene, reached }) {
  const is_in_turn = turn && reached;
  const is_out = dice === 0 && scene !== "lobby";
  const row = make("li", { "data-turn": is_in_turn, "data-away": away, "data-out": is_out }, make("i", { class: "cap", "aria-hidden": "true" }), make("bdi", { class: "who", text: name }));
  if (robot) row.append(make("span", { class: "robot", text: texts.robot }));
  if (dice > 0) row.append(make("span", { class: "dots", role: "img", "aria-label": fill(texts.dice[dice === 1 ? 0 : 1], { count: dice }) }, ...Array.from({ length: Math.min(dice, 8) }, () => make("i"))));
  if (is_in_turn) row.append(make("span", { class: "unseen", text: fill(texts.turn, { name }) }));
  return colored(row, color);
}
