// The way in for guests: makes a cookie of the code in the address (after #) or of the one that was typed.

import { texts, translateDocument } from "./language.js";

const TABLE = "/";
const TRIED = "tried-at"; // when this page led to the table the last time, so that it can't do so over and over
const RETRY_MS = 10_000;

const at = (id) => document.getElementById(id);

translateDocument();
at("form").addEventListener("submit", (event) => {
  event.preventDefault();
  join(at("code").value);
});
addEventListener("hashchange", begin); // the address of a new code, in the same tab
begin();

async function begin() {
  const code = location.hash.slice(1);
  const isBack = location.search === "?back";
  history.replaceState(null, "", TABLE); // a code has no place in the history of a phone
  say(isBack ? texts["join-back"] : texts["join-ask"], isBack);
  if (isBack && !code) return;
  const hasPlace = await leadToPlace(); // before the code: a link on a page elsewhere moves no guest to another seat
  if (code && !hasPlace) join(code);
}

async function join(code) {
  at("go").disabled = true;
  say(texts["join-wait"]);
  try {
    const answer = await fetch("join", { method: "POST", body: JSON.stringify({ code }) });
    if (answer.ok) {
      sessionStorage.removeItem("seat"); // of another place, from before
      location.replace(TABLE);
      return;
    }
    const { why } = await answer.json();
    say(texts[`join-${why}`], true);
  } catch {
    say(texts["join-silent"], true);
  }
  at("go").disabled = false;
}

/** Leads a phone to the table if it has a place already: a browser may hide its cookie from the first request. */
async function leadToPlace() {
  const answer = await fetch("seated").catch(() => null);
  if (!answer?.ok) return false;
  if (Date.now() - Number(sessionStorage.getItem(TRIED)) >= RETRY_MS) {
    sessionStorage.setItem(TRIED, Date.now());
    location.replace(TABLE);
  }
  return true;
}

function say(words, isProblem = false) {
  at("words").textContent = words;
  at("words").toggleAttribute("data-problem", isProblem);
}
