// Which chair is this page's: kept over a reload, taken when one is free, told when somebody else takes it.

const KEPT = "seat";

export class Chair {
  #send;
  #fresh = true; // the line is new and no chair was asked for on it
  seat = null;
  lost = null; // whose chair another browser took

  constructor(send) {
    this.#send = send;
  }

  /** A line to the table is open. */
  here() {
    this.#fresh = true;
  }

  /** Takes what the table says of its chairs: `you` is this page's seat or null. */
  take({ you, chairs }) {
    const had = this.#fresh ? null : this.seat;
    this.seat = you;
    if (you !== null) this.#keep(you);
    else if (had !== null) this.#lose(had);
    else if (this.#fresh) this.#choose(chairs);
    this.#fresh = false;
  }

  sit(seat) {
    this.#send({ do: "sit", seat });
  }

  stand() {
    this.seat = null; // so that its going is no surprise
    sessionStorage.removeItem(KEPT);
    this.#send({ do: "stand" });
  }

  #keep(seat) {
    this.lost = null;
    sessionStorage.setItem(KEPT, seat);
  }

  #lose(seat) {
    this.lost = seat;
    sessionStorage.removeItem(KEPT); // or two pages would take it from each other for ever
  }

  #choose(chairs) {
    const kept = Number(sessionStorage.getItem(KEPT) ?? -1);
    const seat = kept in chairs ? kept : chairs.indexOf("free");
    if (seat >= 0) this.sit(seat);
  }
}
