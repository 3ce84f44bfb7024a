// The public page: it shows what the server sends, and looks after itself for months.

import { Connection, reloadsFor } from "./connection.js";
import { make, mark, write } from "./element.js";
import { language, texts, translatePage } from "./language.js";
import { sentences } from "./lesson.js";
import { Sound } from "./sound.js";
import { Stage } from "./stage.js";

const DRIFT_MS = 40_000;
const DRIFT_STEPS = [[0, 0], [1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1]];

const byId = (id) => document.getElementById(id);

translatePage();

const stage = new Stage();
new Sound(byId("sound"), language);
let wild = null;
link(texts.looking);
new Connection("live", { message: receive, offline: () => link(texts.reconnecting) });

/** Shows a message. One of another version of the page loads the page again, which the server has just shown to be there. */
function receive(message) {
  if (reloadsFor(message.build)) return;
  wild = message.wild;
  link(message.state === null ? texts.looking : "");
  stage.draw(message);
}

/** What is wrong with the connection, small, over the last picture, which is dimmed; empty if nothing is. */
function link(text) {
  write(byId("link"), text);
  mark(document.body, "data-stale", text !== "");
}

// Against burn-in the whole picture stands a little elsewhere from time to time.
let drift = 0;
setInterval(() => {
  drift = (drift + 1) % DRIFT_STEPS.length;
  const [x, y] = DRIFT_STEPS[drift];
  document.body.style.setProperty("--drift-x", x);
  document.body.style.setProperty("--drift-y", y);
}, DRIFT_MS);

// What a person at a phone or a keyboard can do: read how the game goes.
byId("figures").href = `figures/${location.search}`;
byId("help").addEventListener("click", () => {
  byId("lesson-list").replaceChildren(...sentences(wild).map((text) => make("li", { text })));
  byId("lesson").showModal();
});
