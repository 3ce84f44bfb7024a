// The page: passes messages of the table to the seats, the middle and the story, and the person's actions back.

import { Chair, around } from "./chair.js";
import { mark, make } from "./element.js";
import { Hand } from "./hand.js";
import { letEverythingGo, makeHoldable, onLeaving } from "./hold.js";
import { adviceInWords, hint } from "./hint.js";
import { listenToKeys } from "./keys.js";
import { fill, keepLanguage, language, texts, translatePage } from "./language.js";
import { connect } from "./live.js";
import { drawMiddle } from "./middle.js";
import { drawHelp } from "./help.js";
import { keepName, keptName } from "./names.js";
import { Party } from "./party.js";
import { Seat } from "./seat.js";
import { Story } from "./story.js";

const TOAST_MS = 4000;
const ADVICE_MS = 8000; // two sentences to read
const ROOMY = matchMedia("(min-width: 1240px)"); // the story and the help cover nothing

const at = (id) => document.getElementById(id);
const send = (message) => tell(message);
const chair = new Chair(send);
const party = new Party(send);
const story = new Story(at("sentences"), at("log"));
let played = null; // the rules, and the kinds of round that they call by another one's name
let seats = [];
let hands = [];
let cups = [];
let state = null;
let cues = null; // that the present reveal has reached; null where all of it is told
let spoken = []; // by seat, the last words of its display
let direct = null; // the control that a touch of the hint operates, if any
let letGoOfHint = null;
let peekedIn = null; // the round in which the person has looked under the cup

const handlers = {
  table({ seats: descriptions, rules, names }) {
    send({ do: "speak", language });
    introduce();
    played = { rules, names };
    [state, peekedIn, spoken] = [null, null, []];
    drawHelp(at("how-to"), played, () => hands[chair.seat]?.ask());
    hands = descriptions.map((_, number) => new Hand(send, number, () => hide(number)));
    cups = descriptions.map(() => "down");
    seats = descriptions.map((seat, number) => new Seat(number, seat, rules.starting_dice, hands[number], chair));
    arrange();
  },
  party({ seats: places, link, qr }) {
    party.show(places, { link, qr }, seats);
  },
  chairs(message) {
    const before = chair.seat;
    chair.update(message);
    message.chairs.forEach((who, number) => seats[number].showOccupant(who));
    if (chair.seat !== before) arrange();
    notice();
    draw();
  },
  hands(message) {
    seats[message.seat].showHands(message);
    cups[message.seat] = message.cup;
    if (message.seat === chair.seat) hintAtNext();
  },
  covered(message) {
    seats.forEach((seat) => seat.cover(message.seats.includes(seat.number)));
    message.seats.forEach((seat) => (spoken[seat] = null));
    if (message.seats.includes(chair.seat ?? message.seats[0])) at("spoken").textContent = "";
    seats.forEach((seat) => speak(seat.number));
  },
  spoken(message) {
    spoken[message.seat] = message;
    speak(message.seat);
  },
  cues({ reached }) {
    cues = reached;
    draw();
  },
  story({ sentences }) {
    story.begin(sentences);
  },
  happened({ sentences }) {
    story.add(sentences);
  },
  state({ line }) {
    state = line;
    draw();
  },
  told({ text, why, seat }) {
    showToast(why ? fill(texts.refused[why], { name: seats[seat]?.name }) : text, TOAST_MS);
  },
  advice(message) {
    if (message.seat === chair.seat) showToast(adviceInWords(message, played.names), ADVICE_MS);
  },
};

const tell = connect({
  message: (message) => handlers[message.type]?.(message),
  picture: (seat, rows, about) => seats[seat]?.show(rows, about),
  online() {
    mark(document.body, "data-gone", false);
    letControlsWork(true);
    chair.online();
    notice();
  },
  quiet: letEverythingGo,
  offline(why) {
    letEverythingGo();
    seats.forEach((seat) => hide(seat.number));
    mark(document.body, "data-gone", why || texts.gone);
    letControlsWork(false);
    hintAtNext();
    notice();
  },
});

/** Clears the dice at a seat from the page, as dots and in words. */
function hide(seat) {
  seats[seat].hide();
  speak(seat);
}

/** Lets the seats be operated, or not: without a connection nothing that is pressed reaches the table. */
function letControlsWork(doThey) {
  for (const id of ["left", "top", "right", "own"]) at(id).inert = !doThey;
}

function showToast(text, forMs) {
  const toast = at("toast");
  toast.textContent = text;
  clearTimeout(toast.timer);
  toast.timer = setTimeout(() => (toast.textContent = ""), forMs);
}

function draw() {
  if (state === null || seats.length === 0) return;
  const held = beforeTheFall(state, cues);
  seats.forEach((seat) => seat.showState(held));
  drawMiddle(at("middle"), state, chair.seat, played, cues);
  hintAtNext();
}

/** The state with the dice that the players still had, as long as a reveal has not told who loses or wins one. */
function beforeTheFall(shown, reached) {
  if (shown.scene !== "reveal" || reached === null || reached.some(({ kind }) => kind === "fall")) return shown;
  return { ...shown, seats: shown.seats.map((seat, at) => ({ ...seat, dice: shown.showdown.hands[at].length })) };
}

/** Says in words what stands on a display, and aloud if it is the person's own. */
function speak(seat) {
  if (!spoken[seat]) return;
  const words = seats[seat].speak(spoken[seat], state);
  if (seat === chair.seat && at("spoken").textContent !== words) at("spoken").textContent = words;
  if (seat === chair.seat) hintAtNext();
}

function hintAtNext() {
  if (state === null) return;
  const cup = chair.seat === null ? "down" : cups[chair.seat];
  const [lifted, shaken] = [cup === "up", ["shaking", "settling"].includes(cup)]; // a shake counts once the cup has settled
  const round = `${state.match}/${state.round?.number}`;
  if (lifted && state.scene === "bidding") peekedIn = round;
  const { text, control, mine, direct: itself } = isGone() ? { text: texts["no-connection"] } : hint(state, chair.seat, { soon: chair.soon, lifted, shaken, peeked: peekedIn === round, ...ownDisplay() });
  const place = at("hint");
  direct = itself ? control : null;
  mark(place, "data-direct", direct);
  if (place.textContent !== text) place.textContent = text;
  mark(place, "data-mine", mine);
  document.title = mine ? `● ${text}` : "Dudo";
  seats.forEach((seat) => seat.highlight(seat.number === chair.seat ? control : null));
}

/** What OK does at the person's display, and whether there is a DUDO button. */
function ownDisplay() {
  const own = chair.seat;
  return own === null ? {} : { choice: spoken[own]?.choice ?? "", dudo: seats[own].hasDudo };
}

/** Places the seats: the person's own in front, the others around the table clockwise from there. */
function arrange() {
  const { left, top, right } = around(seats.length, chair.seat);
  for (const [side, numbers] of Object.entries({ left, top, right })) {
    at(side).replaceChildren(...numbers.map((number) => seats[number].element));
  }
  at("own").replaceChildren(...(chair.seat === null ? [] : [seats[chair.seat].element]));
  document.body.dataset.seats = seats.length;
}

const isGone = () => document.body.hasAttribute("data-gone");

function notice() {
  const place = at("notice");
  const gone = document.body.dataset.gone;
  place.hidden = !gone && chair.lost === null;
  if (gone) {
    place.textContent = gone;
  } else if (chair.lost !== null) {
    const back = make("button", { type: "button", text: texts["take-back"] });
    const seat = chair.lost;
    back.addEventListener("click", () => chair.sit(seat));
    place.replaceChildren(fill(texts.refused.taken, { name: seats[seat].name }), " ", back);
  }
}

/** Tells the style sheet how far down the seats at both sides reach: the story and the help have the rest. */
function measureSides() {
  const room = document.querySelector(".room");
  const observer = new ResizeObserver(() => {
    for (const side of ["left", "right"]) room.style.setProperty(`--${side}-seats`, `${at(side).offsetHeight}px`);
  });
  for (const side of ["left", "right"]) observer.observe(at(side));
}

/** Tells the table the name in the field, and keeps it for the next visit. */
function introduce() {
  keepName(at("called").value);
  send({ do: "introduce", name: keptName() });
}

function help() {
  at("help").open = !at("help").open;
}

/** Opens the story and the help if there is room, else one at a time until the person touches something else. */
function corners() {
  const both = [at("help"), at("story")];
  const fold = () => both.forEach((corner) => (corner.open = ROOMY.matches));
  for (const corner of both) {
    corner.addEventListener("toggle", () => {
      if (corner.open && corner.id === "story") story.showLast();
      if (corner.open && !ROOMY.matches) both.forEach((other) => (other.open = other === corner));
    });
    corner.firstElementChild.addEventListener("mousedown", (event) => event.preventDefault()); // as in hold.js
  }
  document.addEventListener("pointerdown", ({ target }) => {
    if (!ROOMY.matches && !both.some((corner) => corner.contains(target))) fold();
  });
  ROOMY.addEventListener("change", fold);
  fold();
}

translatePage(keepLanguage, (code, name) => `${code.toUpperCase()}\u2003${name}`);
corners();
measureSides();
at("called").value = keptName();
at("called").addEventListener("change", introduce);
makeHoldable(at("hint"), () => (letGoOfHint = direct && hands[chair.seat]?.operate(direct)), () => letGoOfHint?.());
listenToKeys(() => (isGone() ? null : (hands[chair.seat] ?? null)), help);
onLeaving(() => hands.forEach((hand) => hand.letGo()));
