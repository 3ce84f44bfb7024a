// Checks one deal line by line: the order of commitments, what they open to, and the dice.

import { dealDice, hostCommitment, seatCommitment } from "./chain.js";
import { equal } from "./hashes.js";
import { writeHands } from "./score.js";
import { Wrong } from "./text.js";

const CUP_ENTROPY_BYTES = 32;

/** The progress of a deal, in words that complete "deal 3". */
export const STAGE = {
  committing: "is not sealed",
  sealed: "has no dice",
  dealt: "lies under the cups",
  shown: "is not opened",
  open: "is open",
  secret: "stays sealed",
  repeated: "was repeated",
};

export class Deal {
  stage = STAGE.committing;
  given = new Map(); // by player, the lines that commit
  shown = []; // hands by player
  #match;
  #wanted; // by player, the number of dice
  #seed = null;
  #opened = new Map();
  #shownOn = 0;

  constructor(match, host, wanted) {
    this.#match = match;
    this.host = host;
    this.number = host.number;
    this.#wanted = wanted;
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

  showDice(line, hands, isForOrder) {
    if (this.stage !== STAGE.sealed) throw new Wrong(line, `expected dice of a deal that is sealed, but deal ${this.number} ${this.stage}`);
    [this.shown, this.#shownOn] = [hands ?? [], line];
    this.stage = isForOrder ? STAGE.shown : STAGE.dealt;
  }

  /** Notes that the round is void or a player left: a sealed deal may have been dealt, so it stays secret. */
  brokenOff() {
    if (this.stage === STAGE.sealed || this.stage === STAGE.dealt) {
      this.checkSecret();
      this.stage = STAGE.secret;
    }
    this.repeated();
  }

  repeated() {
    if (this.stage === STAGE.committing || this.stage === STAGE.sealed) this.stage = STAGE.repeated;
  }

  checkSecret() {
    if (this.stage === STAGE.dealt && this.shown.length) throw new Wrong(this.#shownOn, `expected ? for the dice of deal ${this.number}: no call ends its round`);
  }

  #commit(line) {
    const player = this.#player(line);
    this.#require(STAGE.committing, line, "nobody commits any more");
    const before = this.given.get(player);
    if (before) throw new Wrong(line.line, `seat ${player} has committed in this deal on line ${before.line}, once is enough`);
    const late = [...this.given.values()].find((other) => other.kind !== "cup");
    if (line.kind === "cup" && late) throw new Wrong(line.line, `a cup must commit before anybody has shaken, and line ${late.line} tells a shake`);
    this.given.set(player, line);
  }

  #seal(line) {
    this.#require(STAGE.committing, line, "it is sealed once");
    const lacking = [...this.#wanted.keys()].find((player) => !this.given.has(player));
    if (lacking !== undefined) throw new Wrong(line.line, `is sealed before seat ${lacking} has committed to anything`);
    this.stage = STAGE.sealed;
  }

  #openHost({ line, value, ...rest }) {
    this.#require(STAGE.shown, { line, ...rest }, "only what was called is opened");
    if (this.#seed) throw new Wrong(line, "the host has opened its seed before");
    if (!equal(hostCommitment(this.#match, this.number, value), this.host.value)) {
      throw new Wrong(line, `is not the seed that the host committed to on line ${this.host.line}`);
    }
    this.#seed = value;
  }

  #openSeat(line) {
    const player = this.#player(line);
    this.#require(STAGE.shown, line, "only what was called is opened");
    if (!this.#seed) throw new Wrong(line.line, "expected the host to open its seed first");
    if (this.#opened.has(player)) throw new Wrong(line.line, `seat ${player} has been opened before`);
    const given = this.given.get(player);
    const count = line.value.length;
    if (given.kind === "cup" && count !== CUP_ENTROPY_BYTES) throw new Wrong(line.line, `expected ${CUP_ENTROPY_BYTES} bytes of seat ${player}’s cup in place of ${count}`);
    if (!equal(seatCommitment(given.kind, this.host.value, line.value), given.value)) {
      throw new Wrong(line.line, `is not what seat ${player}’s ${given.kind} committed to on line ${given.line}`);
    }
    this.#opened.set(player, line.value);
    if (this.#opened.size === this.given.size) {
      this.#checkDice();
      this.stage = STAGE.open;
    }
  }

  #checkDice() {
    const cups = this.cups;
    const counting = new Map([...this.#opened].filter(([player]) => !cups.length || cups.includes(player)));
    const rolled = dealDice(this.#match, this.number, this.#seed, counting, this.#wanted);
    const hands = this.shown.map((_, player) => rolled.get(player) ?? []);
    const player = hands.findIndex((hand, at) => !equal(hand, this.shown[at]));
    if (player >= 0) throw new Wrong(this.#shownOn, `seat ${player}’s dice are not those of deal ${this.number}: expected ${writeHands(hands)}`);
  }

  #player({ line, player }) {
    if (!this.#wanted.has(player)) throw new Wrong(line, `seat ${player} does not roll in this deal, only ${[...this.#wanted.keys()].join(", ") || "-"}`);
    return player;
  }

  #require(stage, { line }, rule) {
    if (this.stage !== stage) throw new Wrong(line, `deal ${this.number} ${this.stage}, ${rule}`);
  }
}
