// The public page: it shows what the server sends, and looks after itself for months.

import { Connection } from "./connection.js";
import { make, mark } from "./element.js";
import { sentences } from "./lesson.js";
import { Sound } from "./sound.js";
import { Stage } from "./stage.js";
import { LANGUAGES, language, texts } from "./words.js";

const DRIFT_MS = 40_000;
const DRIFT_STEPS = [[0, 0], [1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1]];
const RELOAD_INTERVAL_MS = 60_000;
const RELOADED = "reloaded";

const byId = (id) => document.getElementById(id);
const build = document.querySelector("meta[name=build]").content;

document.documentElement.lang = language;
for (const each of document.querySelectorAll("[data-text]")) each.textContent = texts[each.dataset.text];
for (const each of document.querySelectorAll("[data-label]")) each.setAttribute("aria-label", texts[each.dataset.label]);

const stage = new Stage();
new Sound(byId("sound"), language);
let wild = null;
link(texts.looking);
new Connection("live", receive, () => link(texts.reconnecting));

/** Shows a message. One of another version of the page loads the page again, which the server has just shown to be there. */
function receive(message) {
  if (message.build !== build && reloads()) return;
  wild = message.wild;
  link(message.is_connected ? "" : texts[message.state === null ? "looking" : "gone"]);
  stage.draw(message);
}

/** What is wrong with the connection, small, over the last picture, which is dimmed; empty if nothing is. */
function link(text) {
  byId("link").textContent = text;
  mark(document.body, "data-stale", text !== "");
}

function reloads() {
  const last_ms = Number(sessionStorage.getItem(RELOADED) ?? -RELOAD_INTERVAL_MS);
  if (Date.now() - last_ms < RELOAD_INTERVAL_MS) return false; // two servers that take turns must not make it flicker
  sessionStorage.setItem(RELOADED, Date.now());
  location.reload();
  return true;
}

// Against burn-in the whole picture stands a little elsewhere from time to time.
let drift = 0;
setInterval(() => {
  drift = (drift + 1) % DRIFT_STEPS.length;
  const [x, y] = DRIFT_STEPS[drift];
  document.body.style.setProperty("--drift-x", x);
  document.body.style.setProperty("--drift-y", y);
}, DRIFT_MS);

// What a person at a phone or a keyboard can do: read how the game goes, and choose a language.
byId("language").append(...Object.entries(LANGUAGES).map(([value, text]) => make("option", { value, text, lang: value })));
byId("language").value = language;
byId("language").addEventListener("change", ({ target }) => {
  const address = new URL(location.href);
  address.searchParams.set("language", target.value);
  location.replace(address);
});
byId("figures").href = `figures/${location.search}`;
byId("help").addEventListener("click", () => {
  byId("lesson-list").replaceChildren(...sentences(wild).map((text) => make("li", { text })));
  byId("lesson").showModal();
});
