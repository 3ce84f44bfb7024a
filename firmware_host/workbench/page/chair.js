// Which chair is this page's: the table gives it one, a reload finds it again, and who loses it is told.

const KEPT = "seat";

export class Chair {
  #send;
  #wanted = null; // the seat from before a reload, until there is one
  seat = null;
  lost = null; // the seat whose chair another browser took

  constructor(send) {
    this.#send = send;
  }

  /** A new line to the table: nobody sits here yet. */
  here() {
    const kept = sessionStorage.getItem(KEPT);
    this.#wanted = kept === null ? null : Number(kept);
    this.seat = null;
  }

  /** Takes what the table says of its chairs: `you` is this page's seat or null. */
  take({ you, chairs }) {
    const lost = you === null ? this.seat : null;
    this.seat = you;
    if (lost !== null) this.#lose(lost);
    else if (this.#wanted !== you && chairs[this.#wanted] === "free") this.sit(this.#wanted);
    else if (you !== null) this.#keep(you);
  }

  sit(seat) {
    this.#send({ do: "sit", seat });
  }

  stand() {
    this.seat = null; // so that it is no loss
    sessionStorage.removeItem(KEPT);
    this.#send({ do: "stand" });
  }

  #keep(seat) {
    this.lost = this.#wanted = null;
    sessionStorage.setItem(KEPT, seat);
  }

  #lose(seat) {
    this.lost = seat;
    sessionStorage.removeItem(KEPT); // or two pages would take it from each other for ever
  }
}
