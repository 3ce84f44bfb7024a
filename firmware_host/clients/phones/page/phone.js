// The page of a guest's phone: first the way in, then the seat.

import { Board, BUTTONS } from "./board.js";
import { Cipher, keepTable, keptTable, openSealed, ownKeys, StrangerError } from "./cipher.js";
import { Connection } from "./connection.js";
import { Display } from "./display.js";
import { make, mark } from "./element.js";
import { fromHex, hex } from "./hashes.js";
import { letEverythingGo, makeHoldable, onLeaving } from "./hold.js";
import { fill, keepLanguage, language, texts, translatePage } from "./language.js";
import { askForMotion, feelShakes } from "./motion.js";
import { colored, keepName, keptName } from "./names.js";

const SHAKE_MS = 600;
const LOOK_MS = 4000; // a look by a screen reader's click: long enough to hear five dice begin
const QUIET_MS = 2000; // without a sign of life: the display is cleared
const SILENCE_MS = 5000; // the same: there is no connection
const WATCH_MS = 250;
const HIDDEN_MS = 5000; // a page in the background is away
const FULL_POLL_MS = 5000;
const FINAL_CODES = [1008];
const TURN_MS = [70, 50, 70];
const NEAR_END = 40; // pixels

const at = (id) => document.getElementById(id);
const display = new Display(at("display"));
let board = null;
let connection = null;
let cipher = null; // of this connection
let table = { here: true, playing: false, running: false, held: false, bidder: "", told: 0 };
let place = ""; // the seat's name
let problem = "";
let isLit = false;
let lock = null;
let open = () => {}; // connects again, once there is a seat

const [code, scanned] = location.hash.slice(1).split("-"); // the second is the fingerprint of the table's key
const keys = ownKeys();
if (scanned) keepTable(scanned);
translatePage((chosen) => {
  location.hash = [at("code").value, scanned].filter(Boolean).join("-"); // what is typed already stays
  keepName(at("called").value);
  keepLanguage(chosen);
});
history.replaceState(null, "", location.pathname); // a code has no place in the history of a phone
at("open").hidden = isSecureContext;
wireControls();
begin();

async function begin() {
  const me = await ask("me");
  if (me === null) return say(texts["phone-silent"], true), setTimeout(begin, FULL_POLL_MS);
  if (ownSeat(me)) sit(ownSeat(me));
  else showDoor(me.seats, code);
}

/** The seat that this phone has, if any. Without its key, as in a browser that lost its storage, it can't be used. */
const ownSeat = (me) => (me?.key === hex(keys.publicKey) ? me.seats.find(({ seat }) => seat === me.seat) : undefined);

/** Asks the server, by POST if there is something to say; null if it does not answer. */
async function ask(path, said) {
  try {
    const answer = await fetch(path, said && { method: "POST", body: JSON.stringify(said) });
    return await answer.json();
  } catch {
    return null;
  }
}

// The way in

function showDoor(seats, typed) {
  at("door").hidden = false;
  at("seat").hidden = true;
  if (typed) at("code").value = typed;
  mark(at("form"), "data-scanned", Boolean(typed));
  at("called").value = keptName();
  drawSeats(seats);
}

function drawSeats(seats) {
  const free = seats.filter(({ free }) => free);
  const chosen = Number(at("free").querySelector("input:checked")?.value ?? -1);
  const first = free.some(({ seat }) => seat === chosen) ? chosen : free[0]?.seat;
  at("free").replaceChildren(...free.map((each) => choice(each, each.seat === first)));
  at("form").hidden = free.length === 0;
  const isScanned = at("form").hasAttribute("data-scanned");
  say(free.length ? texts[isScanned ? "phone-scanned" : "phone-ask"] : texts["phone-full"], free.length === 0);
  if (free.length === 0) setTimeout(begin, FULL_POLL_MS);
}

function choice({ seat, name, color }, isChosen) {
  const radio = make("input", { type: "radio", name: "seat", value: seat, checked: isChosen, required: true });
  return colored(make("label", {}, radio, make("bdi", { class: "name", text: name })), color);
}

async function join() {
  keepName(at("called").value);
  at("go").disabled = true;
  say(texts["phone-wait"]);
  askForMotion();
  const seat = Number(at("free").querySelector("input:checked")?.value);
  const answer = await ask("join", { code: at("code").value, seat, key: hex(keys.publicKey) });
  at("go").disabled = false;
  if (answer === null) return say(texts["phone-silent"], true);
  const me = await ask("me");
  if (ownSeat(me)) {
    if (!scanned) keepTable(""); // a typed code says nothing about the table
    return sit(ownSeat(me));
  }
  if (me) drawSeats(me.seats);
  if (answer.why !== "taken") mark(at("form"), "data-scanned", false); // another code is needed
  say(texts[`phone-${answer.why}`] ?? texts["phone-silent"], true);
}

function say(words, isProblem = false) {
  at("words").textContent = words;
  mark(at("words"), "data-problem", isProblem);
  if (at("seat").hidden) at("door").hidden = false;
}

// The seat

function sit({ seat, name, color }) {
  at("door").hidden = true;
  at("seat").hidden = false;
  colored(at("seat"), color);
  place = name;
  const called = keptName();
  at("name").textContent = [called, name].filter(Boolean).join(" · ");
  document.title = `Dudo · ${name}`;
  board = new Board(`phone/${seat + 1}`, {
    person: { language, name: called },
    send: (frame) => cipher?.isAgreed && connection?.sendBytes(cipher.seal(frame)),
    show,
  });
  open = () => connect(seat);
  open();
}

function connect(seat) {
  problem = "";
  let isQuiet = false;
  connection = new Connection(
    "live",
    {
      online: () => ((isQuiet = false), (cipher = new Cipher(keys, keptTable())), work(true)),
      bytes: take,
      message(said) {
        if (said.type === "beat") return connection.send(said); // a page that sleeps does not answer
        if (said.type === "table") follow(openSealed(fromHex(said.sealed), keys) ?? table);
      },
      watch(silence_ms) {
        const was = isQuiet;
        isQuiet = silence_ms >= QUIET_MS;
        if (isQuiet && !was) letEverythingGo(), board.unplug();
        if (!isQuiet && was) board.plug(); // what was pressed in the silence must not arrive now
        if (isQuiet !== was) work(!isQuiet);
      },
      offline(why) {
        board.unplug();
        work(false);
        if (why) end(why);
        else checkSeat(seat);
      },
    },
    { watch_ms: WATCH_MS, silence_ms: SILENCE_MS, final: FINAL_CODES },
  );
}

/** Takes the table's bytes. Where they were changed on their way, another connection begins. */
function take(bytes) {
  const wasAgreed = cipher.isAgreed;
  let plain;
  try {
    plain = cipher.receive(bytes);
  } catch (error) {
    connection.close();
    board.unplug();
    work(false);
    return error instanceof StrangerError ? end("stranger") : open();
  }
  if (cipher.isAgreed && !wasAgreed) connection.sendBytes(cipher.hello), board.plug();
  board.receive(plain);
}

/** Takes what the table says about itself. */
function follow(said) {
  const isTold = said.told !== table.told;
  table = said;
  word();
  if (isTold && at("story").open) tell();
}

/** Begins again if the table knows this phone no more. */
async function checkSeat(seat) {
  const me = await ask("me");
  if (me !== null && me.seat !== seat && connection !== null) location.reload();
}

/** Says why this page is out; a touch tries again. */
function end(why) {
  problem = texts[`phone-${why}`] ?? why;
  connection = null;
  word();
}

const isGone = () => document.body.hasAttribute("data-gone");

/** Lets controls and display work or not: without a connection nothing that is pressed reaches the table. */
function work(does) {
  at("controls").inert = !does;
  mark(document.body, "data-gone", !does);
  board.refresh();
  word();
}

/** Shows a picture, or a dark display for null, the light, and the display's words to a screen reader. */
function show(view, light = false, words = "") {
  const shown = document.hidden || isGone() ? null : view;
  if (shown === null) display.clear();
  else display.show(shown);
  mark(at("seat"), "data-dice", shown?.dice);
  hear(document.hidden || isGone() ? "" : words);
  if (light && !isLit) navigator.vibrate?.(TURN_MS);
  if (light !== isLit) [isLit] = [light], word(), keepAwake();
}

function hear(words) {
  if (at("heard").textContent === words) return;
  at("heard").textContent = words;
  at("display").setAttribute("aria-label", [texts["phone-display"], words].filter(Boolean).join(": "));
}

function word() {
  for (const status of [at("status"), at("story-status")]) {
    status.textContent = problem || (isGone() ? texts["phone-gone"] : ofTable());
    mark(status, "data-problem", isGone() || !table.here);
  }
  const tellsBidder = table.bidder && table.here && !problem && !isGone();
  at("bidder").textContent = tellsBidder ? fill(texts["phone-bidder"], { name: table.bidder }) : "";
  for (const each of [at("seat"), at("story")]) mark(each, "data-turn", isLit && !isGone());
  keepAwake();
}

function ofTable() {
  if (table.held) return fill(texts["phone-held"], { name: place });
  if (!table.here) return texts["phone-off"];
  if (isLit) return texts["phone-turn"];
  return table.running && !table.playing ? texts["phone-running"] : "";
}

/** Tells the match so far: the last sentence is in sight, unless the person has scrolled up. */
async function tell() {
  const sealed = await fetch(`story?language=${language}`).then((answer) => (answer.ok ? answer.arrayBuffer() : null), () => null);
  const sentences = sealed && openSealed(new Uint8Array(sealed), keys);
  if (!sentences) return;
  const { scrollTop, clientHeight, scrollHeight } = at("scroller");
  const told = sentences.length ? sentences : [texts["phone-story-none"]];
  at("sentences").replaceChildren(...told.map((text) => make("li", { text })));
  if (scrollTop + clientHeight > scrollHeight - NEAR_END) at("scroller").scrollTop = at("scroller").scrollHeight;
}

/** Keeps the screen on in a match, where the browser lets a page do that. */
async function keepAwake() {
  const wanted = table.playing && table.running && !document.hidden && !isGone();
  if (!wanted) {
    await lock?.release?.().catch(() => {});
    lock = null;
  } else if (lock === null && navigator.wakeLock) {
    lock = {}; // until it is there
    lock = await navigator.wakeLock.request("screen").catch(() => null);
    lock?.addEventListener("release", () => (lock = null));
  }
}

function wireControls() {
  at("form").addEventListener("submit", (event) => (event.preventDefault(), join()));
  for (const button of BUTTONS) makeHoldable(at(button), () => board.press(button), () => board.release(button));
  makeHoldable(at("look"), () => board.lift(), () => board.lower(), LOOK_MS);
  makeHoldable(at("display"), () => board.lift(), () => board.lower(), LOOK_MS);
  at("shake").addEventListener("click", ({ timeStamp }) => {
    if (at("seat").hasAttribute("data-shaking")) return;
    const settle = board.shake([timeStamp, performance.now()]);
    shaking(settle !== null);
    setTimeout(() => (settle?.(), shaking(false)), SHAKE_MS);
  });
  feelShakes((stamps) => {
    const settle = board?.shake(stamps) ?? null;
    shaking(settle !== null);
    return () => (settle?.(), shaking(false));
  });
  at("leave").addEventListener("click", () => at("sure").showModal());
  at("so-far").addEventListener("click", async () => {
    letEverythingGo(); // no dice behind it
    at("sentences").replaceChildren();
    at("story").showModal();
    await tell();
  });
  at("sure").addEventListener("close", async ({ target }) => {
    if (target.returnValue !== "leave") return;
    connection?.close();
    await ask("leave", {});
    location.replace(location.pathname);
  });
  at("status").addEventListener("click", () => problem && location.reload());
  onLeaving(() => (board?.letGo(), board?.refresh()));
}

const shaking = (is) => mark(at("seat"), "data-shaking", is);

// A page in the background is away: phones stop it without a word.
let hiding = null;
document.addEventListener("visibilitychange", () => {
  clearTimeout(hiding);
  if (document.hidden) hiding = setTimeout(pause, HIDDEN_MS);
  else if (board !== null && connection === null && !problem) open();
  board?.refresh();
  word();
});
addEventListener("pagehide", pause);
document.addEventListener("freeze", pause); // of a browser that stops the timers of pages, but not their connections
addEventListener("pageshow", ({ persisted }) => persisted && board !== null && connection === null && open());

function pause() {
  if (board === null || connection === null) return;
  connection.close();
  connection = null;
  board.unplug();
  work(false);
}
