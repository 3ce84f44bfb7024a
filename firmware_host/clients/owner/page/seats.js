// The layout's seats: which board belongs to which, their names and their order. A press of OK at a seat marks it here.

import { make, mark, write } from "./element.js";
import { fill, texts } from "./language.js";

const LOOK_MS = 1000;
const MAX_SEATS = 8;
const COLORS = ["red", "orange", "yellow", "green", "turquoise", "blue", "purple", "pink"];
const byId = (id) => document.getElementById(id);

/** The dialog. `look` fetches the table's seats and found boards, `change` sends a change and tells whether it began. */
export class Seats {
  #look;
  #change;
  #rows = []; // { was, name, color, board, is_phone, is_missing }, clockwise
  #loose = []; // the ids of boards without a seat
  #layout_hash = ""; // of the layout as these rows were read
  #presses = 0;
  #timer = null;

  constructor(look, change) {
    this.#look = look;
    this.#change = change;
    byId("seats").addEventListener("close", () => clearInterval(this.#timer));
    byId("seats-phone").addEventListener("click", () => this.#add({ is_phone: true }));
    byId("seats-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#keep();
    });
  }

  async open() {
    this.#rows = [];
    this.#presses = null;
    byId("seats").showModal();
    clearInterval(this.#timer);
    this.#timer = setInterval(() => document.hidden || this.#read(), LOOK_MS);
    await this.#read();
  }

  async #read() {
    const answer = await this.#look().catch(() => null);
    if (!byId("seats").open) return;
    if (!answer?.ok) return this.#say(answer?.status === 422 ? await answer.text() : texts[answer?.status === 503 ? "owner-away" : "owner-failed"]);
    this.#say("");
    const { seats, found, pressed, presses, layout_hash } = await answer.json();
    const is_new = this.#rows.length === 0;
    if (is_new) {
      this.#rows = seats.map((seat) => ({ ...seat, was: seat.name }));
      this.#layout_hash = layout_hash;
    }
    for (const row of this.#rows) {
      const seat = seats.find(({ name }) => name === row.was);
      if (seat) row.is_missing = row.board === seat.board ? seat.is_missing : !found.includes(row.board);
    }
    const loose = found.filter((board) => !this.#rows.some((row) => row.board === board));
    if (is_new || String(loose) !== String(this.#loose)) {
      this.#loose = loose;
      this.#draw();
    }
    for (const each of byId("seats-list").children) mark(each, "data-missing", this.#rows[each.dataset.at].is_missing);
    if (this.#presses !== null && presses !== this.#presses) this.#point(pressed);
    this.#presses = presses;
  }

  /** Marks the seat or board at which OK was pressed last. */
  #point(pressed) {
    const at = this.#rows.findIndex(({ was, board }) => (was && was === pressed) || board === pressed);
    const row = at >= 0 ? byId("seats-list").children[at] : [...byId("seats-loose").children].find((each) => each.dataset.board === pressed);
    for (const each of document.querySelectorAll("#seats [data-pressed]")) mark(each, "data-pressed", false);
    if (!row) return;
    mark(row, "data-pressed", true);
    row.scrollIntoView({ block: "nearest" });
    row.querySelector("input, select").focus();
  }

  #draw() {
    byId("seats-list").replaceChildren(...this.#rows.map((row, at) => this.#seat(row, at)));
    byId("seats-loose").replaceChildren(...this.#loose.map((board) => this.#board(board)));
    mark(byId("seats-none"), "hidden", this.#loose.length > 0);
    mark(byId("seats-phone"), "hidden", this.#rows.length >= MAX_SEATS);
  }

  #seat(row, at) {
    const name = make("input", { value: row.name, maxlength: 10, required: true, "aria-label": texts["owner-rules-name"] });
    name.addEventListener("input", () => (row.name = name.value));
    const up = make("button", { type: "button", text: "↑", "aria-label": `${texts["owner-seats-up"]}: ${row.name}`, disabled: at === 0 });
    up.addEventListener("click", () => {
      this.#rows.splice(at - 1, 2, row, this.#rows[at - 1]);
      this.#draw();
      byId("seats-list").children[at - 1].querySelector("input").focus();
    });
    const out = make("button", { type: "button", text: "×", "aria-label": `${texts["owner-seats-out"]}: ${row.name}` });
    out.addEventListener("click", () => {
      this.#rows.splice(at, 1);
      if (!row.was && row.board) this.#loose.push(row.board);
      this.#draw();
    });
    const device = row.is_phone ? make("span", { text: texts["owner-seats-phone"] }) : make("bdi", { text: row.board });
    const place = make("small", { class: "note" }, device, make("span", { class: "missing", text: texts["owner-seats-missing"] }));
    return make("li", { class: "seat", "data-at": at }, make("i", { class: "swatch", "data-color": row.color }), name, up, out, place);
  }

  /** A board without a seat, with the seats that it may be for: those with a board, the missing ones first, or a new one. */
  #board(board) {
    const seats = this.#rows.map((row, at) => ({ row, at })).filter(({ row }) => row.board);
    seats.sort((one, other) => other.row.is_missing - one.row.is_missing);
    const options = seats.map(({ row, at }) => make("option", { value: at, text: row.name }));
    if (this.#rows.length < MAX_SEATS) options.push(make("option", { value: "new", text: texts["owner-seats-new"] }));
    const list = make("select", { "aria-label": fill(texts["owner-seats-for"], { board }) }, ...options);
    const enter = make("button", { type: "button", text: texts["owner-seats-enter"] });
    enter.addEventListener("click", () => {
      this.#loose = this.#loose.filter((each) => each !== board);
      if (list.value === "new") return this.#add({ board });
      Object.assign(this.#rows[list.value], { board, is_missing: false });
      this.#draw();
      byId("seats-list").children[list.value].querySelector("input").focus();
    });
    return make("li", { class: "seat loose", "data-board": board }, make("bdi", { text: board }), list, enter);
  }

  /** Adds a seat, with a board or for a phone, whose name is to be written. */
  #add(device) {
    this.#rows.push({ was: "", name: "", color: this.#color(), board: "", is_phone: false, is_missing: false, ...device });
    this.#draw();
    byId("seats-list").lastElementChild.querySelector("input").focus();
  }

  #color() {
    return COLORS.find((color) => !this.#rows.some((row) => row.color === color)) ?? "grey";
  }

  async #keep() {
    const seats = this.#rows.map(({ was, name, color, board, is_phone }) => ({ was, name: name.trim(), color, board, is_phone }));
    const problem = await this.#change({ do: "seats", seats, layout_hash: this.#layout_hash });
    if (problem) this.#say(problem);
    else byId("seats").close();
  }

  #say(text) {
    write(byId("seats-problem"), text);
  }
}
