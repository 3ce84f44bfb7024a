// Every sentence of the page that is not in index.html or hint.js.

export const BUTTON = {
  left: { cap: "◀", key: "←", label: "Left" },
  right: { cap: "▶", key: "→", label: "Right" },
  ok: { cap: "OK", key: "Enter", label: "OK" },
  dudo: { cap: "DUDO", key: "D", label: "Dudo" },
};
export const SHAKE = { cap: "Shake", key: "S", label: "Shake the cup" };
export const LIFT = { cap: "Lift", how: "hold", key: "↑", label: "Lift the cup, as long as it is held" };
export const CHAIR = { you: "you", robot: "robot", person: "person", free: "free" };
export const COVER = { short: "look under", off: "Look under the cover", on: "Cover it again" };
export const SIT = { down: "Sit here", up: "Stand up: a robot plays on" };
export const GONE = "The table is gone. Start it again with make play: this page finds it by itself.";
export const TAKE_BACK = "Take it back";

const LISTED = 3;
const MISSING = { board: "seat unplugged", buttons: "no buttons", cup: "no cup", panel: "no panel" };
const KIND = {
  "normal": "",
  "fixed-face": "Palifico: the face stays",
  "fixed-face-no-wilds": "Obliging: the face stays, aces are not wild",
  "fixed-face-no-wilds-open": "Open palo fijo: the face stays, look at the others’ dice",
  "fixed-face-no-wilds-closed": "Closed palo fijo: the face stays, look with one die",
  "blind": "Blind: only {owner} may look",
  "open": "Open: look at all dice but your own",
};
const CHOICE = {
  "normal": "an ordinary round",
  "fixed-face": "palifico",
  "fixed-face-no-wilds": "an obliging round",
  "fixed-face-no-wilds-open": "an open palo fijo",
  "fixed-face-no-wilds-closed": "a closed palo fijo",
  "blind": "a blind round",
  "open": "an open round",
};
const CALL = { dudo: "doubts", calza: "calls calza on", kill: "calls kill on", spot: "calls spot on" };
const MY_CALL = { dudo: "doubt", calza: "call calza on", kill: "call kill on", spot: "call spot on" };

export const taken = (name) => `Another browser has taken ${name}’s chair.`;
export const lookUnder = (name) => `Look under the cover of ${name}’s panel`;
export const moreAbout = (name) => `More about ${name}’s seat`;
export const cable = (device, pulled) => (pulled ? `Plug the ${device} in` : `Unplug the ${device}`);

export const bidBy = "bid by ";
export const passed = " passed";
export const total = ({ seats }) => `${seats.reduce((sum, { dice }) => sum + dice, 0)} dice`;
export const verdict = ({ right }) => (right ? "The pass was a bluff" : "The pass was honest");
export const wins = (state, me) => `${subject(state, state.winner, me)} ${state.winner === me ? "win" : "wins"}!`;

/** What is missing at a seat, or why it has no dice; empty if there is nothing to say. */
export function note(state, seat) {
  const { playing, dice, missing, away, out_in_min } = state.seats[seat];
  if (missing.length) return missing.map((device) => MISSING[device]).join(", ");
  if (away) return out_in_min === null ? "away" : `away, out in ${out_in_min} min`;
  if (state.scene === "lobby") return playing ? "is in" : "not in";
  if (!playing) return "not in the match";
  return dice || state.scene === "over" ? "" : "out";
}

/** The heading of a round: its number and what is special about it. */
export function round(state) {
  if (state.round === null) return "";
  const { number, kind, owner } = state.round;
  const special = KIND[kind].replace("{owner}", owner === null ? "its owner" : state.seats[owner].name);
  return special ? `Round ${number} · ${special}` : `Round ${number}`;
}

/** Who makes the first bid, or what the dice are rolled for. */
export function opens(state, me) {
  const first = state.round?.first ?? null;
  if (first === null) return "One die each for the order of play";
  return `${subject(state, first, me)} ${first === me ? "open" : "opens"}`;
}

/** What the table waits for, for the middle; `me` is this page's seat or null. */
export function awaited(state, me) {
  switch (state.scene) {
    case "lobby":
      if (state.countdown_s !== null) return "The match begins";
      if (state.broken_off) return "The last match was broken off: everybody had gone";
      return state.players.length < 2 ? "Waiting for players" : "Who is in may start";
    case "choosing": {
      const kinds = either(state.choices.map((kind) => CHOICE[kind]));
      return state.waiting_for.map((owner) => `${subject(state, owner, me)} may choose ${kinds}`).join();
    }
    case "shaking":
      return state.waiting_for.length ? `Waiting for ${names(state, state.waiting_for, me)}` : "All cups are down";
    case "bidding":
      if (state.turn === null) return "";
      return state.turn === me ? "Your turn" : `${state.seats[state.turn].name}’s turn`;
    default:
      return "";
  }
}

/** The claim of a showdown: "Cusco doubts Lima". */
export function claim(state, me) {
  const { call, caller, doubted, matching } = state.showdown;
  return onWhat(state, me, { call, caller, doubted, isPass: matching === null });
}

/** The call that has just been made, worded as in the showdown that follows. */
export function called(state, me) {
  const { called: { call, seat: caller }, passer, standing } = state;
  return onWhat(state, me, { call, caller, doubted: passer ?? standing.seat, isPass: passer !== null });
}

function onWhat(state, me, { call, caller, doubted, isPass }) {
  const verb = (caller === me ? MY_CALL : CALL)[call];
  if (!isPass) return `${subject(state, caller, me)} ${verb} ${names(state, [doubted], me)}`;
  return `${subject(state, caller, me)} ${verb} ${doubted === me ? "your" : `${state.seats[doubted].name}’s`} pass`;
}

/** Who lost or won a die in a showdown. */
export function cost(state, me) {
  const { loser, gainer, out } = state.showdown;
  const tell = (seat, mine, theirs) => `${subject(state, seat, me)} ${seat === me ? mine : theirs}`;
  if (loser !== null && out.includes(loser)) return tell(loser, "are out", "is out");
  if (loser !== null) return tell(loser, "lose a die", "loses a die");
  return gainer === null ? "Nobody loses a die" : tell(gainer, "win a die", "wins a die");
}

const subject = (state, seat, me) => (seat === me ? "You" : state.seats[seat].name);

/** A list of seats by name; of many only their number. */
export function names(state, seats, me) {
  if (seats.length > LISTED) return `${seats.length} players`;
  const listed = seats.map((seat) => (seat === me ? "you" : state.seats[seat].name));
  return new Intl.ListFormat("en-GB").format(listed);
}

export const either = (words) => new Intl.ListFormat("en-GB", { type: "disjunction" }).format(words);
