// The host's panel of guests: the QR code for the next one, and what takes a place back. Phones have a page of their own.

import { make } from "./element.js";
import { named } from "./names.js";
import { counted, fill, texts } from "./language.js";

const SHOWN = "party-shown"; // the panel opens by itself once
const CODE_GROUP = /.{4}/g;
const NARROW = matchMedia("(max-width: 899px)"); // the other seats are in rows, with room for a button, and the story is folded

export class Party {
  #send;
  #dialog = null;
  #parts = {};
  #places = [];
  #code = { link: "", qr: "" };
  #seats = [];
  #doubted = null; // the seat that is taken back at the next press

  constructor(send) {
    this.#send = send;
  }

  /** Shows who has which place, in order, and the code for the next guest. */
  show(places, code, seats) {
    this.#places = places;
    this.#code = code;
    this.#seats = seats;
    document.body.dataset.party = "";
    for (const { element } of seats) element.querySelector(".cover").disabled = true; // nobody looks under one
    if (this.#dialog === null) this.#make();
    if (places[this.#doubted] === "open") this.#doubted = null;
    this.#draw();
    if (sessionStorage.getItem(SHOWN) === null && !this.#dialog.open) this.#open();
  }

  #make() {
    const { party } = texts;
    const button = make("button", { class: "invite", type: "button", "aria-haspopup": "dialog" });
    button.addEventListener("click", () => this.#open());
    const close = make("button", { class: "close", type: "button", "aria-label": texts.close, text: "✕" });
    close.addEventListener("click", () => this.#dialog.close());
    this.#parts = { button, list: make("ul", {}), code: make("div", { class: "code" }) };
    this.#dialog = make(
      "dialog",
      { class: "party", "aria-labelledby": "party-title" },
      make("header", {}, make("h2", { id: "party-title", text: party.title }), close),
      document.getElementById("introduction"), // the host's own name, too
      make("p", { text: party.how }),
      make("div", { class: "who-sits" }, this.#parts.list, this.#parts.code),
      make("p", { class: "listen", text: party.listen }),
    );
    for (const kind of ["keydown", "keyup"]) {
      this.#dialog.addEventListener(kind, (event) => event.stopPropagation()); // keys here play no dice
    }
    const place = () => (NARROW.matches ? document.querySelector(".others").append(button) : document.querySelector(".story").prepend(button));
    NARROW.addEventListener("change", place);
    place();
    document.body.append(this.#dialog);
  }

  #open() {
    sessionStorage.setItem(SHOWN, "yes");
    this.#dialog.showModal();
  }

  #draw() {
    const free = this.#places.filter((who) => who === "open").length;
    this.#parts.button.textContent = counted(texts.party.open, free);
    this.#parts.list.replaceChildren(...this.#seats.map((seat) => this.#makePlace(seat)));
    this.#parts.code.replaceChildren(...this.#makeCode());
  }

  #makePlace({ number, name, element }) {
    const { party } = texts;
    const who = this.#places[number];
    const whose = named({ name, color: element.dataset.color });
    const how = make("span", { class: "who", text: party.who[who] });
    if (who === "host" || who === "open") return make("li", {}, whose, how);
    const back = make("button", { class: "back", type: "button", text: party.back });
    back.setAttribute("aria-label", `${party.back}: ${name}`);
    back.addEventListener("click", () => this.#takeBack(number));
    if (number !== this.#doubted) return make("li", {}, whose, how, back);
    back.classList.add("sure");
    return make("li", {}, whose, make("span", { class: "who", role: "alert", text: fill(party.sure, { name }) }), back);
  }

  #makeCode() {
    const { link, qr } = this.#code;
    if (!link) return [make("p", { text: texts.party.none })];
    const [address, fragment = ""] = link.split("#");
    const [code] = fragment.split("-"); // the rest is the key, for a camera alone
    const drawing = new DOMParser().parseFromString(qr, "text/html").body.firstElementChild;
    drawing.setAttribute("role", "img");
    drawing.setAttribute("aria-label", link);
    return [
      drawing,
      make("p", { class: "typed", text: texts.party.type }),
      make("p", { class: "typed" }, make("b", { text: address })),
      make("p", { class: "typed" }, make("b", { class: "letters", text: code.match(CODE_GROUP).join(" ") })),
    ];
  }

  /** Asks once, because the guest loses the place at once. */
  #takeBack(seat) {
    if (this.#doubted === seat) {
      this.#doubted = null;
      this.#send({ do: "takeback", seat });
    } else {
      this.#doubted = seat;
      this.#draw();
      this.#parts.list.children[seat].querySelector("button").focus();
    }
  }
}
