// The owner's page: it logs in with the code on the display, shows the table every few seconds, and sends changes.

import { Computer } from "./computer.js";
import { make, mark } from "./element.js";
import { language, texts, translatePage } from "./language.js";
import { HouseRules } from "./rules.js";
import { Seats } from "./seats.js";
import { drawSections } from "./sections.js";

const READ_MS = 3000;
const SAID_MS = 5000;
const WRONG = { 403: "owner-wrong", 429: "owner-wait" };
const byId = (id) => document.getElementById(id);

let csrf = null;
const house_rules = new HouseRules(post, (text) => {
  say(text, false);
  return read(true);
});
const seats = new Seats(() => fetchInSession(`seats?language=${language}`), setUp);
const computer = new Computer(setUp, fetchInSession, say);
let drawn = "";
let said_timer = null;

translatePage();
document.title = `Dudo · ${texts["owner-heading"]}`;
byId("log-in").addEventListener("submit", logIn);
byId("log-out").addEventListener("click", logOut);
byId("seats-open").addEventListener("click", () => seats.open());
document.addEventListener("visibilitychange", () => document.hidden || read());
setInterval(() => document.hidden || read(), READ_MS);
await begin();

/** Finds out whether the browser has a session, and shows the table or the form to log in. */
async function begin() {
  try {
    csrf = (await (await fetch("owner")).json()).csrf;
    problem("");
  } catch {
    problem(texts.reconnecting);
    return;
  }
  mark(byId("log-in"), "hidden", csrf !== null);
  for (const id of ["work", "log-out"]) mark(byId(id), "hidden", csrf === null);
  if (csrf === null) byId("scene").textContent = "";
  else await read();
}

async function logIn(event) {
  event.preventDefault();
  problem("");
  try {
    const answer = await post("owner/login", { password: byId("code").value });
    if (!answer.ok) return problem(texts[WRONG[answer.status] ?? "owner-failed"]);
    byId("code").value = "";
    await begin();
  } catch {
    problem(texts["owner-failed"]);
  }
}

async function logOut() {
  await post("owner/logout", {}).catch(() => {});
  csrf = null; // a reading that is under way draws nothing any more
  drawn = "";
  byId("sections").replaceChildren();
  for (const form of document.querySelectorAll("#setup form")) form.reset();
  await begin();
}

/** Reads the table and draws what has changed, but not under a hand that chooses, unless it `must`. */
async function read(must = false) {
  if (csrf === null) return;
  const session = csrf;
  let answer;
  try {
    answer = await fetchInSession(`form?language=${language}`);
  } catch {
    return problem(texts.reconnecting);
  }
  if (answer.status === 403) return begin(); // the session is over
  if (!answer.ok) return problem(texts["owner-away"]);
  problem("");
  const text = await answer.text();
  if (csrf !== session) return;
  const chooses = byId("sections").contains(document.activeElement?.closest("select, input") ?? null);
  if (!must && (text === drawn || chooses)) return;
  drawn = text;
  draw(JSON.parse(text));
}

function draw({ scene, findings, sections, boards, setup, has_documents }) {
  computer.show(setup);
  byId("scene").textContent = scene;
  mark(byId("findings"), "data-well", findings.length === 0);
  byId("findings-title").textContent = texts[findings.length ? "owner-findings" : "owner-well"];
  mark(byId("documents"), "hidden", !has_documents);
  const help = (heading) => make("a", { href: `docs/docs/faults.html#${heading}`, target: "_blank", lang: "en", text: texts["owner-help"] });
  byId("findings-list").replaceChildren(...findings.map(({ text, heading }) => make("li", {}, make("span", { text }), has_documents ? help(heading) : "")));
  const key = document.activeElement?.dataset.key;
  drawSections(byId("sections"), sections, boards, change);
  const more = make("button", { type: "button", text: `${texts["owner-rules"]} …`, "data-key": "house-rules" });
  more.addEventListener("click", () => house_rules.open());
  byId("sections").querySelector("#item-rules")?.closest(".item").after(more);
  if (key) byId("sections").querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus();
}

/** Has the table do something, after a question where there is one, and shows its answer. */
async function change(request, question = "") {
  if (question && !confirm(question)) return;
  try {
    const answer = await post(`staff?language=${language}`, { request });
    if (answer.status === 403) return begin();
    if (answer.status === 503) return problem(texts["owner-away"]);
    if (!answer.ok) return say(texts["owner-failed"], true);
    const { done, text } = await answer.json();
    say(text, !done);
  } catch {
    problem(texts.reconnecting);
  }
  await read(true); // a refused value goes back
}

/** Has root change the computer or the layout; gives the reason where that did not begin. */
async function setUp(change) {
  const answer = await post(`staff?language=${language}`, { request: { ask: "set-up", change } }).catch(() => null);
  if (answer?.status === 403) await begin();
  const { done, text } = answer?.ok ? await answer.json() : { done: false, text: texts[answer?.status === 503 ? "owner-away" : "owner-failed"] };
  say(text, !done);
  await read(true);
  return done ? "" : text;
}

function fetchInSession(path, { headers = {}, ...request } = {}) {
  return fetch(path, { ...request, headers: { ...headers, "X-CSRF-Token": csrf ?? "" } });
}

function post(path, body) {
  const headers = { "Content-Type": "application/json", "X-CSRF-Token": csrf ?? "" };
  return fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
}

function problem(text) {
  byId("problem").textContent = text;
}

function say(text, is_wrong) {
  clearTimeout(said_timer);
  byId("said").textContent = text;
  mark(byId("said"), "data-wrong", is_wrong);
  said_timer = setTimeout(() => byId("said").replaceChildren(), SAID_MS);
}
