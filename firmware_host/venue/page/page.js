// The page of a venue: it keeps the cards of all tables, draws those that a message changes, and looks after itself.

import { attentionOf, Cards, nameOf } from "./cards.js";
import { Connection } from "./connection.js";
import { make, mark } from "./element.js";
import { Owner } from "./owner.js";
import { Ranking } from "./ranking.js";
import { LANGUAGES, fill, language, texts } from "./words.js";

const RELOAD_INTERVAL_MS = 60_000;
const RELOADED = "reloaded";

const byId = (id) => document.getElementById(id);
const build = document.querySelector("meta[name=build]").content;
const plurals = new Intl.PluralRules(language);
const counted = (key, count) => fill(texts[key][plurals.select(count) === "one" ? 0 : 1], { count });

document.documentElement.lang = language;
for (const each of document.querySelectorAll("[data-text]")) each.textContent = texts[each.dataset.text];
for (const each of document.querySelectorAll("[data-label]")) each.setAttribute("aria-label", texts[each.dataset.label]);

const cards = new Cards(byId("cards"));
const ranking = new Ranking(byId("which"), byId("ranking"));
const owner = new Owner(byId("owner"), byId("owner-dialog"), () => cards.all);
let clock_is_wrong = false;
new Connection("live", receive, () => problem([texts.reconnecting], true));

/** Takes a message in. One of another version of the page loads the page again. */
function receive({ build: theirs, problems, cards: changed, ranking: news }) {
  if (theirs !== build && reloads()) return;
  if (news !== null) {
    clock_is_wrong = news.clock_is_wrong;
    owner.season = news;
    ranking.draw(news, (site, table) => cards.title(site, table));
  }
  if (changed.length) {
    cards.take(changed);
    ranking.rename();
  }
  count();
  attention();
  problem([...problems.map((part) => texts[`venue-${part}-gone`]), ...(clock_is_wrong ? [texts["venue-clock"]] : [])], problems.includes("broker"));
}

function count() {
  const shown = cards.shown;
  const playing = shown.filter(({ reached, scene }) => reached && !["lobby", "over", ""].includes(scene));
  const players = playing.reduce((sum, { chairs }) => sum + chairs.filter(({ dice }) => dice > 0).length, 0);
  byId("count").replaceChildren(
    ...[counted("venue-count", shown.length), counted("venue-playing", playing.length), counted("venue-players", players)].map((text) => make("span", { text })),
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

function reloads() {
  const last_ms = Number(sessionStorage.getItem(RELOADED) ?? -RELOAD_INTERVAL_MS);
  if (Date.now() - last_ms < RELOAD_INTERVAL_MS) return false; // two servers that take turns must not make it flicker
  sessionStorage.setItem(RELOADED, Date.now());
  location.reload();
  return true;
}

byId("language").append(...Object.entries(LANGUAGES).map(([value, text]) => make("option", { value, text, lang: value })));
byId("language").value = language;
byId("language").addEventListener("change", ({ target }) => {
  const address = new URL(location.href);
  address.searchParams.set("language", target.value);
  location.replace(address);
});
