// Checks one deal line by line: the order of commitments, what they open to, and each die that was shown.

import { dealDice, hostCommitment, seatCommitment } from "./chain.js";
import { equal } from "../hashes.js";
import { Wrong } from "./record.js";

const CUP_ENTROPY_BYTES = 32;

/** The progress of a deal, in words that complete "deal 3". */
export const STAGE = {
  committing: "is not sealed",
  sealed: "has no dice",
  hidden: "lies under the cups",
  shown: "is not opened",
  open: "is open",
  secret: "stays sealed",
  repeated: "was repeated",
};

export class Deal {
  stage = STAGE.committing;
  given = new Map(); // by player, the lines that commit
  hands = []; // as shown, by player
  #match;
  #seats;
  #seed = null;
  #opened = new Map();
  #shownOn = 0;

  constructor(match, host, seats) {
    this.#match = match;
    this.#seats = seats;
    this.host = host;
    this.number = host.number;
  }

  get cups() {
    return [...this.given].filter(([, line]) => line.kind === "cup").map(([player]) => player);
  }

  apply(line) {
    if (line.number !== this.number) throw new Wrong(line.line, `expected deal ${this.number}, which ${this.stage}`);
    if (line.kind === "sealed") this.#seal(line);
    else if (line.kind === "seed") this.#openHost(line);
    else if (line.kind === "opens") this.#openSeat(line);
    else this.#commit(line);
  }

  /** Whether a line opens random bytes, which no other line may open. The moment of a button is not random. */
  mustBeUnique({ kind, player }) {
    return kind === "seed" || (kind === "opens" && this.given.get(player).kind !== "button");
  }

  /** Takes the dice of the record, such as 13356/22/-; a ? stands for dice that nobody was shown. */
  show(line, word) {
    if (this.stage !== STAGE.sealed) throw new Wrong(line, `expected dice of a deal that is sealed, but deal ${this.number} ${this.stage}`);
    this.#shownOn = line;
    this.stage = word === "?" ? STAGE.hidden : STAGE.shown;
    if (word === "?") return;
    this.hands = word.split("/").map((hand) => (hand === "-" ? [] : Array.from(hand, Number)));
    if (this.hands.length !== this.#seats) throw new Wrong(line, `expected the dice of ${this.#seats} seats, - for none`);
    const other = this.hands.findIndex((hand, player) => hand.length > 0 !== this.given.has(player));
    if (other >= 0) throw new Wrong(line, `seat ${other} ${this.given.has(other) ? "has committed, and has no" : "has not committed, and has"} dice`);
  }

  requireOpened(line) {
    if (this.stage === STAGE.shown) throw new Wrong(line, `expected deal ${this.number} to be opened before it: its dice were shown`);
  }

  /** Nothing may be said between the seed and the last secret of a deal. */
  requireWhole(line) {
    if (this.#seed) this.requireOpened(line);
  }

  /** Notes that its round is not played on: dice that may have been rolled stay secret, and the others come again. */
  breakOff(line) {
    this.requireOpened(line);
    if (this.stage === STAGE.sealed || this.stage === STAGE.hidden) this.stage = STAGE.secret;
    if (this.stage === STAGE.committing) this.stage = STAGE.repeated;
  }

  /** Notes an undo. A choice is taken back before its deal is sealed: after that the host may know the dice. */
  undo(line) {
    if (this.stage === STAGE.sealed) throw new Wrong(line, `the choice can’t be taken back: deal ${this.number} was sealed`);
    if (this.stage === STAGE.committing) this.stage = STAGE.repeated;
  }

  /** Notes that the next deal begins on a line. */
  end(line) {
    this.requireOpened(line);
    if (this.stage === STAGE.committing || this.stage === STAGE.sealed) this.stage = STAGE.repeated;
    if (this.stage === STAGE.hidden) this.stage = STAGE.secret;
  }

  #commit(line) {
    const { player } = line;
    if (player >= this.#seats) throw new Wrong(line.line, `expected a seat, 0 to ${this.#seats - 1}`);
    this.#require(STAGE.committing, line, "nobody commits any more");
    const before = this.given.get(player);
    if (before) throw new Wrong(line.line, `seat ${player} has committed in this deal on line ${before.line}, once is enough`);
    const late = [...this.given.values()].find((other) => other.kind !== "cup");
    if (line.kind === "cup" && late) throw new Wrong(line.line, `a cup must commit before anybody has shaken, and line ${late.line} tells a shake`);
    this.given.set(player, line);
  }

  #seal(line) {
    this.#require(STAGE.committing, line, "it is sealed once");
    this.stage = STAGE.sealed;
  }

  #openHost(line) {
    this.#require(STAGE.shown, line, "only what was shown is opened");
    if (this.#seed) throw new Wrong(line.line, "the host has opened its seed before");
    if (!equal(hostCommitment(this.#match, this.number, line.value), this.host.value)) {
      throw new Wrong(line.line, `is not the seed that the host committed to on line ${this.host.line}`);
    }
    this.#seed = line.value;
  }

  #openSeat(line) {
    const { player, value } = line;
    this.#require(STAGE.shown, line, "only what was shown is opened");
    if (!this.#seed) throw new Wrong(line.line, "expected the host to open its seed first");
    const given = this.given.get(player);
    if (!given) throw new Wrong(line.line, `seat ${player} has committed to nothing in this deal`);
    if (this.#opened.has(player)) throw new Wrong(line.line, `seat ${player} has been opened before`);
    if (given.kind === "cup" && value.length !== CUP_ENTROPY_BYTES) throw new Wrong(line.line, `expected ${CUP_ENTROPY_BYTES} bytes of seat ${player}’s cup in place of ${value.length}`);
    if (!equal(seatCommitment(given.kind, this.host.value, value), given.value)) {
      throw new Wrong(line.line, `is not what seat ${player}’s ${given.kind} committed to on line ${given.line}`);
    }
    this.#opened.set(player, value);
    if (this.#opened.size === this.given.size) this.#open();
  }

  #open() {
    const cups = this.cups;
    const counting = new Map([...this.#opened].filter(([player]) => !cups.length || cups.includes(player)));
    const counts = new Map(this.hands.map((hand, player) => [player, hand.length]));
    const rolled = dealDice(this.#match, this.number, this.#seed, counting, counts);
    const wrong = this.hands.findIndex((hand, player) => !equal(hand, rolled.get(player)));
    if (wrong >= 0) throw new Wrong(this.#shownOn, `seat ${wrong}’s dice are not those of deal ${this.number}: expected ${rolled.get(wrong).join("")}`);
    this.stage = STAGE.open;
  }

  #require(stage, { line }, rule) {
    if (this.stage !== stage) throw new Wrong(line, `deal ${this.number} ${this.stage}, ${rule}`);
  }
}
