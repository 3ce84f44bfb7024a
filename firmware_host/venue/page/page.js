// The page of a venue: it keeps the cards of all tables, draws those that a message changes, and looks after itself.

import { attentionOf, Cards, nameOf } from "./cards.js";
import { Connection, reloadsFor } from "./connection.js";
import { make, mark } from "./element.js";
import { counted, texts, translatePage } from "./language.js";
import { Owner } from "./owner.js";
import { Ranking } from "./ranking.js";
import { calledTo, drawTournament } from "./tournament.js";

const byId = (id) => document.getElementById(id);

translatePage();

const cards = new Cards(byId("cards"));
const ranking = new Ranking(byId("which"), byId("ranking"));
const owner = new Owner(byId("owner"), byId("owner-dialog"), () => cards.all);
let clock_is_wrong = false;
new Connection("live", { message: receive, offline: () => problem([texts.reconnecting], true) });

/** Takes a message in. One of another version of the page loads the page again. */
function receive({ build, problems, cards: changed, gone, ranking: news, tournament }) {
  if (reloadsFor(build)) return;
  if (news !== null) {
    clock_is_wrong = news.clock_is_wrong;
    owner.season = news;
    ranking.draw(news, (site, table) => cards.title(site, table));
  }
  cards.call(calledTo(tournament));
  if (changed.length || gone.length) {
    cards.take(changed, gone);
    ranking.rename();
  }
  owner.tournament = tournament;
  drawTournament(tournament, (key) => cards.title(...key.split("/")));
  count();
  attention();
  problem([...problems.map((part) => texts[`venue-${part}-gone`]), ...(clock_is_wrong ? [texts["venue-clock"]] : [])], problems.includes("broker"));
}

function count() {
  const shown = cards.shown;
  const playing = shown.filter(({ reached, scene }) => reached && !["lobby", "over", ""].includes(scene));
  const players = playing.reduce((sum, { chairs }) => sum + chairs.filter(({ dice }) => dice > 0).length, 0);
  byId("count").replaceChildren(
    ...[counted(texts["venue-count"], shown.length), counted(texts["venue-playing"], playing.length), counted(texts["venue-players"], players)].map((text) => make("span", { text })),
  );
  mark(byId("none"), "hidden", shown.length > 0);
  byId("none").textContent = texts["venue-none"];
}

/** The tables with something wrong, each with all of it. */
function attention() {
  const rows = cards.shown.flatMap((card) => {
    const wrong = attentionOf(card);
    return wrong.length ? [make("li", {}, make("b", {}, make("bdi", { text: nameOf(card) })), make("span", { text: wrong.join(" · ") }))] : [];
  });
  byId("attention-list").replaceChildren(...rows);
  mark(byId("attention"), "data-well", rows.length === 0);
  mark(byId("well"), "hidden", rows.length > 0);
}

/** What is wrong with the venue itself; the last picture stays, dimmed where it may be old. */
function problem(lines, is_stale) {
  byId("problem").textContent = lines.join(" ");
  mark(document.body, "data-stale", is_stale);
}
