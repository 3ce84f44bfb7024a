// Every sentence of the page that is not in the page itself; other modules hold no prose.

export const BUTTON = {
  left: { cap: "◀", key: "←", label: "Left" },
  right: { cap: "▶", key: "→", label: "Right" },
  ok: { cap: "OK", key: "Enter", label: "OK" },
  dudo: { cap: "DUDO", key: "D", label: "Dudo" },
};
export const CHAIR = { you: "you", robot: "robot", person: "person", free: "free" };
export const MISSING = { board: "seat unplugged", buttons: "no buttons", cup: "no cup", panel: "no panel" };
export const KIND = {
  "normal": "",
  "fixed-face": "Palifico: the face stays",
  "fixed-face-no-wilds": "Obliging: the face stays, aces are not wild",
  "fixed-face-no-wilds-open": "Open palo fijo: the face stays, look at the others’ dice",
  "fixed-face-no-wilds-closed": "Closed palo fijo: the face stays, look with one die",
  "blind": "Blind: nobody looks but {owner}",
  "open": "Open: look at all dice but your own",
};
const CHOICE = {
  "normal": "an ordinary round", "fixed-face": "palifico", "fixed-face-no-wilds": "obliging",
  "fixed-face-no-wilds-open": "open", "fixed-face-no-wilds-closed": "closed", "blind": "blind", "open": "open",
};
const CALL = { dudo: "doubts", calza: "calls calza on", kill: "calls kill on", spot: "calls spot on" };

export const GONE = "The table is gone. Start it again with make play: this page finds it by itself.";
export const taken = (name) => `Another browser has taken ${name}’s chair.`;
export const TAKE_BACK = "Take it back";

/** What can be done to a cable. */
export const cable = (device, pulled) => (pulled ? `Plug the ${device} in` : `Unplug the ${device}`);

/** Names as people list them. */
export const listed = (names) => new Intl.ListFormat("en").format(names);

/** Why a seat has no dice, in a word or two; empty where nothing needs telling. */
export function absent(state, seat) {
  const { playing, dice } = state.seats[seat];
  if (state.scene === "lobby") return playing ? "is in" : "not in";
  if (!playing) return "not in the match";
  return dice || state.scene === "over" ? "" : "out";
}

/** What the table waits for, as the middle says it to everybody; `me` is this page's seat or null. */
export function awaited(state, me) {
  const who = state.waiting_for.map((seat) => (seat === me ? "you" : state.seats[seat].name));
  switch (state.scene) {
    case "lobby": {
      const joined = state.seats.filter(({ playing }) => playing).length;
      if (state.countdown_s !== null) return "The match begins";
      return joined < 2 ? "Waiting for players" : "Who is in may start";
    }
    case "choosing": return `${capital(listed(who))} may choose ${either(state.choices.map((kind) => CHOICE[kind]))}`;
    case "shaking": return who.length ? `Waiting for the cup${who.length > 1 ? "s" : ""} of ${listed(who)}` : "All cups are down";
    case "bidding": return state.turn === me ? "Your turn" : state.turn === null ? "" : `${state.seats[state.turn].name}’s turn`;
    default: return "";
  }
}

/** The claim of a showdown: "Cusco doubts Lima". */
export function claim(state, me) {
  const { call, caller, doubted, matching } = state.showdown;
  const name = (seat) => (seat === me ? "you" : state.seats[seat].name);
  const verb = caller === me ? CALL[call].replace(/s( |$)/, "$1") : CALL[call];
  return `${capital(name(caller))} ${verb} ${matching === null ? (doubted === me ? "your pass" : `${name(doubted)}’s pass`) : name(doubted)}`;
}

/** What a showdown cost whom. */
export function cost(state, me) {
  const { loser, gainer, out } = state.showdown;
  const verb = (seat, mine, theirs) => (seat === me ? `You ${mine}` : `${state.seats[seat].name} ${theirs}`);
  if (loser !== null && out.includes(loser)) return verb(loser, "are out", "is out");
  if (loser !== null) return verb(loser, "lose a die", "loses a die");
  return gainer === null ? "Nobody loses a die" : verb(gainer, "win a die", "wins a die");
}

/** Who won. */
export const wins = (state, me) => (state.winner === me ? "You win!" : `${state.seats[state.winner].name} wins!`);

/** What a round is, in a line: its number and what is special in it. */
export function round(state) {
  const { number, kind, owner } = state.round;
  const special = (KIND[kind] ?? kind).replace("{owner}", owner === null ? "its owner" : state.seats[owner].name);
  return special ? `Round ${number} · ${special}` : `Round ${number}`;
}

/** The next thing to do at this page's seat: `text`, the `control` it is done with, and whether the table waits for it. */
export function hint(state, me, { peeked, lifted }) {
  if (me === null) return { text: "You are looking on. To play, take a seat: ⋯ and “Sit here”." };
  const seat = state.seats[me];
  const mine = state.waiting_for.includes(me);
  const others = listed(state.waiting_for.filter((other) => other !== me).map((other) => state.seats[other].name));
  const waiting = { text: others ? `Waiting for ${others}` : "A moment …" };
  if (seat.missing.includes("board")) return { text: "Your seat is unplugged: plug it in again (⋯)" };
  switch (state.scene) {
    case "lobby": return lobby(state, seat);
    case "choosing": return mine ? { text: "◀ ▶ choose the round, OK takes it", control: "ok", mine } : waiting;
    case "over": return { text: "OK: play again", control: "ok", mine: true };
  }
  if (!seat.playing) return { text: "This match began without you: be in the next" };
  if (state.scene === "reveal") return reveal(state, me, mine, waiting);
  if (!seat.dice) return { text: "You are out. See how it ends" };
  if (state.scene === "shaking") return mine ? shaking(seat) : waiting;
  if (lifted) return { text: "There are your dice. Let go and they are gone", control: "lift" };
  if (!peeked) return { text: "Hold the cup up to peek at your dice", control: seat.missing.includes("cup") ? "ok" : "lift", mine };
  if (!mine) return waiting;
  const doubt = state.passer !== null ? ", DUDO doubts the pass" : state.standing ? ", DUDO doubts" : "";
  return { text: `Your turn: ◀ ▶ choose a bid, OK says it${doubt}`, control: "ok", mine };
}

function lobby(state, seat) {
  const others = state.seats.filter((other) => other !== seat && other.playing).length;
  if (!seat.playing) return { text: "Press OK to join", control: "ok", mine: true };
  if (state.countdown_s !== null) return { text: `The match begins in ${state.countdown_s} s` };
  return others ? { text: "You are in. OK starts the match", control: "ok", mine: true } : { text: "You are in. Waiting for one more" };
}

function reveal({ seats, showdown }, me, mine, waiting) {
  if (showdown.loser === me && !seats[me].dice) return { text: "That was your last die" };
  if (!mine) return waiting;
  if (seats[me].missing.includes("cup")) return { text: "Seen enough? OK goes on", control: "ok", mine };
  return { text: "Seen enough? Shake your cup for the next round", control: "shake", mine };
}

function shaking(seat) {
  if (seat.missing.includes("cup")) return { text: "No cup: OK lets the table shake for you", control: "ok", mine: true };
  return { text: "Shake your cup", control: "shake", mine: true };
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const either = (words) => new Intl.ListFormat("en", { type: "disjunction" }).format(words);
