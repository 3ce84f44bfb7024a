// This page's chair: the table assigns one, a reload finds it again, and a page that loses it shows a notice.

import { texts } from "./language.js";

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

/**
 * The other seats by side, clockwise: up the left, across, down the right, so that the next to play sits at the
 * person's left. A spectator, whose `me` is null, sees all seats around the table.
 */
export function around(seats, me) {
  const first = me === null ? 0 : me + 1;
  const others = Array.from({ length: me === null ? seats : seats - 1 }, (_, step) => (first + step) % seats);
  const aside = others.length < 3 ? 0 : Math.min(2, Math.floor(others.length / 3));
  return {
    left: others.slice(0, aside),
    top: others.slice(aside, others.length - aside),
    right: others.slice(others.length - aside),
  };
}
