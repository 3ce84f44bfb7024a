// This page's chair: the table assigns one, a reload finds it again, and a page that loses it shows a notice.

const STORAGE_KEY = "seat";

export class Chair {
  #send;
  #wanted = null; // the seat from before a reload, until it is taken again
  seat = null;
  soon = null; // the seat that a robot leaves to this page after the round
  lost = null; // the seat whose chair another browser took

  constructor(send) {
    this.#send = send;
  }

  /** Starts over after a new connection, with the seat from before a reload. */
  online() {
    const kept = sessionStorage.getItem(STORAGE_KEY);
    this.#wanted = kept === null ? null : Number(kept);
    this.seat = null;
  }

  /** Handles the table's list of chairs: `you` is this page's seat or null. */
  update({ you, chairs, soon = null }) {
    this.soon = soon;
    const lost = you === null ? this.seat : null;
    this.seat = you;
    if (lost !== null) this.#lose(lost);
    else if (this.#wanted !== you && chairs[this.#wanted] === "free") this.sit(this.#wanted);
    else if (you !== null) this.#store(you);
  }

  sit(seat) {
    this.#send({ do: "sit", seat });
  }

  stand() {
    this.seat = null; // so that it does not count as lost
    sessionStorage.removeItem(STORAGE_KEY);
    this.#send({ do: "stand" });
  }

  #store(seat) {
    this.lost = this.#wanted = null;
    sessionStorage.setItem(STORAGE_KEY, seat);
  }

  #lose(seat) {
    this.lost = seat;
    sessionStorage.removeItem(STORAGE_KEY); // or two pages would take it from each other again and again
  }
}
