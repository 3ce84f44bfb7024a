// The page on a guest's phone: it has one place, and finds out why the table does not answer.

import { texts } from "./texts.js";

export class Guest {
  #seat = null; // null on a page of the host's computer

  /** Begins at the guest's place; the controls of the others are of no use here. */
  begin(place, seats) {
    this.#seat = place;
    document.body.dataset.guest = "";
    for (const { number, element } of seats) {
      if (number !== place) element.querySelectorAll("button").forEach((button) => (button.disabled = true));
    }
  }

  /** What to tell a guest while the table is away; empty on the host's page. Leads to the way in if the place is lost. */
  gone() {
    if (this.#seat === null) return "";
    this.#askForPlace();
    return texts.join.away;
  }

  async #askForPlace() {
    const answer = await fetch("seated").catch(() => null); // out of reach: the connection tries again by itself
    if (answer?.status === 403) location.replace("/?back");
  }
}
