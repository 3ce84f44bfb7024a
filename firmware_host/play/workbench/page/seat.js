// One seat: its name, its display with its cover, its buttons, its cup and its cables.

import { cupFromAbove } from "./cup.js";
import { make, mark } from "./element.js";
import { makeHoldable } from "./hold.js";
import { dice as inWords, diceInWords, fill, texts } from "./language.js";
import { colored, named } from "./names.js";
import { Panel } from "./panel.js";
import { note } from "./words.js";

const HEARD_LOOK_MS = 4000; // a look by a screen reader's click: long enough to hear five dice begin

export class Seat {
  #most;
  #hand;
  #chair;
  #panel;
  #parts = {};
  #buttons = {};
  #plugs = {};
  #robotFollows;
  #isPhone;
  #hasKey;
  #seated = ""; // a robot of the table's or a guest's phone, neither of which needs a chair
  #toShake = false;
  #now = { pressed: [], cup: "down" }; // as the table says
  #hasDice = false; // the picture on the page

  /**
   * `description` is the table's description of the seat, `most` the dice that it starts with, `hand` the person's hand at
   * it, `chair` the page's chair.
   */
  constructor(number, description, most, hand, chair) {
    this.number = number;
    this.name = description.name;
    this.#robotFollows = description.has_robot;
    this.#isPhone = description.buttons.length === 0;
    this.#hasKey = description.has_key;
    this.#most = most;
    this.#hand = hand;
    this.#chair = chair;
    this.#panel = new Panel();
    this.element = this.#make(description);
    const { glass } = this.#parts;
    new ResizeObserver(() => this.#panel.fit(glass.clientWidth)).observe(glass);
  }

  /** Shows the light and a picture, unless the seat has been covered meanwhile; one with dice only while they are looked at. */
  show(rows, { isLit, hasDice }) {
    if (this.element.hasAttribute("data-covered") || (hasDice && !this.maySeeDice())) return;
    mark(this.element, "data-lit", isLit);
    this.#hasDice = hasDice;
    this.#panel.show(rows);
  }

  /** Whether dice may be on the display here: at the person's own seat as long as they hold what shows them. */
  maySeeDice() {
    return this.#chair.seat !== this.number || this.#hand.looks(this.#now);
  }

  /** Clears the display if dice are on it: whatever is still on its way, nobody looks any more. */
  hide() {
    if (this.#hasDice) this.#panel.clear();
    this.#hasDice = false;
  }

  /** Names the display by what stands on it; returns that in words, dice included. `players` are seats of the match. */
  speak({ text, hands }, state) {
    if (this.element.hasAttribute("data-covered")) return "";
    const dice = (this.maySeeDice() ? hands : []).map(({ player, dice: faces }) => this.#hold(player, diceInWords(faces), state));
    const words = [...dice, text].filter(Boolean).join(" · ");
    this.#panel.label(words ? `${this.#label()}: ${words}` : this.#label());
    return words;
  }

  get hasDudo() {
    return "dudo" in this.#buttons;
  }

  /** Covers the display, and then clears its dots and its words too, or uncovers it. */
  cover(covered) {
    mark(this.element, "data-covered", covered);
    this.#parts.look.textContent = covered ? texts.seat.uncover : texts.seat.cover;
    for (const plug of Object.values(this.#plugs)) plug.hidden = covered; // the table refuses it anyway
    this.#parts.turn.hidden = covered || !this.#hasKey;
    if (covered) this.#panel.clear();
    if (covered) this.#hasDice = false;
    if (covered) mark(this.element, "data-lit", false);
    this.#panel.label(covered ? `${this.#label()}: ${texts.seat.covered}` : this.#label());
  }

  /** Shows the occupant: "you", "robot", "person" or "free". */
  showOccupant(who) {
    const { chair, sit, look } = this.#parts;
    mark(this.element, "data-chair", who);
    chair.textContent = texts.seat[(who === "free" && this.#seated) || who];
    sit.textContent = texts.seat[who !== "you" ? "sit" : this.#robotFollows ? "stand" : "stand-free"];
    look.hidden = who === "you";
  }

  /** Shows pressed buttons, the cup, unplugged cables and the service key, whoever operates them. */
  showHands({ pressed, cup, unplugged, key: isKeyOn }) {
    this.#now = { pressed, cup };
    mark(this.#parts.turn, "data-on", isKeyOn);
    this.#parts.turn.textContent = texts.seat[isKeyOn ? "key-off" : "key-on"];
    mark(this.element, "data-cup", cup);
    for (const [name, button] of Object.entries(this.#buttons)) mark(button, "data-down", pressed.includes(name));
    for (const [device, plug] of Object.entries(this.#plugs)) {
      const pulled = unplugged.includes(device);
      mark(plug, "data-pulled", pulled);
      plug.textContent = fill(texts.seat[pulled ? "plug" : "unplug"], { device: texts.devices[device] });
    }
  }

  /** Shows this seat's part of the public state. */
  showState(state) {
    const { playing, dice, banked, missing, robot } = state.seats[this.number];
    this.#seated = !playing ? "" : robot ? "robot" : this.#isPhone ? "person" : "";
    if (this.element.dataset.chair) this.showOccupant(this.element.dataset.chair);
    const inMatch = playing && state.scene !== "lobby";
    const awaited = state.waiting_for.includes(this.number);
    this.#toShake = awaited && ["shaking", "reveal"].includes(state.scene);
    mark(this.element, "data-awaited", awaited);
    mark(this.element, "data-turn", state.turn === this.number);
    mark(this.element, "data-out", inMatch && !dice && state.scene !== "over");
    mark(this.element, "data-away", !playing);
    mark(this.element, "data-won", state.winner === this.number);
    mark(this.#parts.note, "data-wrong", missing.length > 0);
    this.#parts.note.textContent = this.#parts.note.title = note(state, this.number);
    this.#parts.dice.replaceChildren(...(inMatch ? [count(dice, this.#most, banked)] : []));
  }

  /** Highlights the control of the hint: a button's name, "shake" or "lift". */
  highlight(control) {
    const { shake, lift } = this.#parts;
    const controls = Object.entries({ ...this.#buttons, shake, lift });
    for (const [name, button] of controls) mark(button, "data-next", name === control);
  }

  #make(description) {
    const menu = this.#makeMenu(description);
    const more = make("button", { class: "more", type: "button", popovertarget: menu.id, text: "⋯" });
    more.setAttribute("aria-label", fill(texts.seat.more, { name: this.name }));
    more.addEventListener("mousedown", (event) => event.preventDefault()); // or Enter would open it again
    this.#parts.chair = make("span", { class: "chair" });
    this.#parts.glass = make("div", { class: "glass" }, this.#panel.element, this.#makeCover());
    this.#parts.dice = make("div", { class: "dice" });
    this.#parts.note = make("span", { class: "note" });
    const { chair, glass, dice, note: foot } = this.#parts;
    const seat = make(
      "article",
      { class: "seat", "aria-label": this.name, "data-covered": true, "data-phone": this.#isPhone || null },
      make("header", {}, named(description), chair, more),
      make("p", { class: "phone", text: texts.seat.phone }),
      glass,
      make("div", { class: "keys" }, ...description.buttons.map((name) => this.#makeButton(name))),
      this.#makeCup(),
      make("footer", {}, dice, foot),
      menu,
    );
    return colored(seat, description.color);
  }

  #makeButton(name) {
    const button = key(name);
    makeHoldable(button, () => this.#hand.press(name), () => this.#hand.release(name));
    this.#buttons[name] = button;
    return button;
  }

  #makeCup() {
    const cup = cupFromAbove();
    const shake = key("shake");
    const lift = key("lift");
    shake.addEventListener("click", () => this.#hand.shake());
    shake.addEventListener("mousedown", (event) => event.preventDefault()); // as in hold.js
    makeHoldable(lift, () => this.#hand.lift(), () => this.#hand.lower(), HEARD_LOOK_MS);
    makeHoldable(cup, () => this.#grip(), () => this.#hand.lower());
    Object.assign(this.#parts, { shake, lift });
    return make("div", { class: "cup" }, cup, shake, lift);
  }

  /** Shakes the cup while the table waits for that; lifts it otherwise. */
  #grip() {
    if (this.#toShake) this.#hand.shake();
    else this.#hand.lift();
  }

  #makeCover() {
    const cover = make("button", { class: "cover", type: "button", "aria-label": fill(texts.seat["look-under-whose"], { name: this.name }) });
    cover.append(make("span", { text: texts.seat["look-under"] }));
    cover.addEventListener("click", () => this.#hand.uncover());
    return cover;
  }

  /** The menu of rarer actions: looking under a cover, unplugging a cable, turning the service key, changing chairs. */
  #makeMenu(description) {
    const look = choice(() => this.#turnCover());
    const sit = choice(() => this.#changeChair());
    const turn = choice(() => this.#hand.turnKey(!turn.hasAttribute("data-on")));
    Object.assign(this.#parts, { look, turn, sit });
    for (const device of description.devices) this.#plugs[device] = choice(() => this.#pull(device));
    const choices = [look, ...Object.values(this.#plugs), turn, sit];
    const attributes = { id: `menu-${this.number}`, popover: true, role: "group", "aria-label": this.name };
    const menu = make("menu", attributes, named(description), ...choices);
    menu.addEventListener("click", () => menu.hidePopover());
    return menu;
  }

  #label() {
    return this.element?.dataset.chair === "you" ? texts.seat["your-panel"] : fill(texts.seat.panel, { name: this.name });
  }

  /** Dice on the display in words: the own ones, or those of a player of the match. */
  #hold(player, dice, state) {
    if (player === null) return fill(texts.seat["your-dice"], { dice });
    return fill(texts.seat["dice-of"], { name: state?.seats[state.players[player]]?.name ?? "?", dice });
  }

  #turnCover() {
    if (this.element.hasAttribute("data-covered")) this.#hand.uncover();
    else this.#hand.cover();
  }

  #changeChair() {
    if (this.element.dataset.chair === "you") this.#chair.stand();
    else this.#chair.sit(this.number);
  }

  #pull(device) {
    if (this.#plugs[device].hasAttribute("data-pulled")) this.#hand.plug(device);
    else this.#hand.unplug(device);
  }
}

/** A control with its cap, its key on the keyboard, and how to use it if that is not obvious. */
function key(name) {
  const { cap, how, key: stroke, label } = texts.keys[name];
  const button = make("button", { class: `key ${name}`, type: "button", "aria-label": label });
  button.append(make("span", { text: cap }));
  // The accessible name begins with the cap's letters, which alone are the label: the style sheet draws the hints.
  if (how) button.append(make("small", { "data-hint": how }));
  button.append(make("kbd", { "data-hint": stroke }));
  return button;
}

function choice(chosen) {
  const button = make("button", { type: "button" });
  button.addEventListener("click", chosen);
  return button;
}

/** Small dice: how many a seat holds, of the `most` it began with, and how many it has kept aside. */
function count(dice, most, banked) {
  const places = Array.from({ length: most }, (_, at) => make("i", { class: at < dice ? "full" : null }));
  const aside = Array.from({ length: banked }, () => make("i", { class: "full aside" }));
  const label = banked ? fill(texts.seat.aside, { dice: inWords(dice), count: banked }) : inWords(dice);
  return make("span", { class: "count", role: "img", "aria-label": label, title: label }, ...places, ...aside);
}
