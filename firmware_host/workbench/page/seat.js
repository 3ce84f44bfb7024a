// One seat: its name, its panel under a cover or open, its buttons, its cup and its cables.

import { count } from "./dice.js";
import { draw, make, mark } from "./element.js";
import { held } from "./held.js";
import { Panel } from "./panel.js";
import { BUTTON, CHAIR, MISSING, absent, cable } from "./words.js";

export class Seat {
  #hand;
  #act;
  #panel;
  #parts;
  #plugs;
  #buttons = {};
  #toShake = false;

  /** `furniture` is the seat as the table told it; `act` does what needs the chair: sit() and stand(). */
  constructor(number, furniture, hand, act) {
    this.number = number;
    this.name = furniture.name;
    this.#hand = hand;
    this.#act = act;
    this.#panel = new Panel(furniture.name);
    this.#plugs = this.#makePlugs(furniture.devices);
    this.element = this.#make(furniture);
    new ResizeObserver(() => this.#panel.fit(this.#parts.glass.clientWidth)).observe(this.#parts.glass);
  }

  show(rows) {
    if (!this.element.hasAttribute("data-covered")) this.#panel.show(rows);
  }

  /** What the cover hides is forgotten, not only hidden. */
  cover(covered) {
    mark(this.element, "data-covered", covered);
    this.#parts.look.textContent = covered ? "Look under the cover" : "Cover it again";
    if (covered) this.#panel.clear();
  }

  /** Who sits here: "you", "robot", "person" or "free". */
  chair(who) {
    mark(this.element, "data-chair", who);
    this.#parts.chair.textContent = CHAIR[who];
    this.#parts.sit.textContent = who === "you" ? "Stand up: a robot plays on" : "Sit here";
    this.#parts.look.hidden = who === "you";
  }

  /** What the hands at this seat do, whoever's they are. */
  hands({ pressed, cup, unplugged }) {
    mark(this.element, "data-cup", cup);
    for (const [name, button] of Object.entries(this.#buttons)) mark(button, "data-down", pressed.includes(name));
    for (const [device, plug] of Object.entries(this.#plugs)) {
      const pulled = unplugged.includes(device);
      mark(plug, "data-pulled", pulled);
      plug.textContent = cable(device, pulled);
    }
  }

  /** This seat's part of the public state. */
  know(state) {
    const { playing, dice, banked, missing } = state.seats[this.number];
    const match = state.scene !== "lobby";
    this.#toShake = ["shaking", "reveal"].includes(state.scene) && state.waiting_for.includes(this.number);
    mark(this.element, "data-awaited", state.waiting_for.includes(this.number));
    mark(this.element, "data-turn", state.turn === this.number);
    mark(this.element, "data-out", match && playing && !dice && state.scene !== "over");
    mark(this.element, "data-away", !playing);
    mark(this.element, "data-won", state.winner === this.number);
    this.#parts.note.textContent = missing.length ? missing.map((device) => MISSING[device]).join(", ") : absent(state, this.number);
    mark(this.#parts.note, "data-wrong", missing.length > 0);
    this.#parts.dice.replaceChildren(...(match && playing ? [count(dice, banked)] : []));
  }

  /** Marks the control that the hint speaks of: a button's name, "shake" or "lift". */
  point(control) {
    for (const [name, button] of Object.entries(this.#buttons)) mark(button, "data-next", name === control);
    mark(this.#parts.shake, "data-next", control === "shake");
    mark(this.#parts.lift, "data-next", control === "lift");
  }

  #make(furniture) {
    const menu = `menu-${this.number}`;
    const name = () => make("b", { class: "name" }, make("bdi", { text: furniture.name }));
    this.#parts = {
      chair: make("span", { class: "chair" }),
      glass: make("div", { class: "glass" }, this.#panel.element),
      dice: make("div", { class: "dice" }),
      note: make("span", { class: "note" }),
      sit: this.#choice(() => (this.element.dataset.chair === "you" ? this.#act.stand() : this.#act.sit(this.number))),
      look: this.#choice(() => this.#turnCover()),
      shake: make("button", { class: "key shake", type: "button" }, make("span", { text: "Shake" }), make("kbd", { text: "S" })),
      lift: make("button", { class: "key lift", type: "button" }, make("span", { text: "Lift" }), make("small", { text: "hold" }), make("kbd", { text: "↑" })),
    };
    const cup = cupFromAbove();
    const { chair, glass, dice, note, sit, look, shake, lift } = this.#parts;
    glass.append(this.#makeCover());
    shake.addEventListener("click", () => this.#hand.shake());
    shake.addEventListener("mousedown", (event) => event.preventDefault());
    held(cup, () => this.#grip(), () => this.#hand.lower());
    held(lift, () => this.#hand.lift(), () => this.#hand.lower());
    const sheet = make("menu", { id: menu, popover: true }, name(), look, ...Object.values(this.#plugs), sit);
    sheet.addEventListener("click", () => sheet.hidePopover());
    return colored(
      make("article", { class: "seat", "aria-label": furniture.name, "data-covered": true },
        make("header", {}, name(), chair, make("button", { class: "more", type: "button", popovertarget: menu, "aria-label": `More about ${furniture.name}’s seat`, text: "⋯" })),
        glass,
        make("div", { class: "keys" }, ...furniture.buttons.map((button) => this.#makeButton(button))),
        make("div", { class: "cup" }, cup, shake, lift),
        make("footer", {}, dice, note),
        sheet),
      furniture.color);
  }

  #makeButton(name) {
    const { cap, key, label } = BUTTON[name];
    const button = make("button", { class: `key ${name}`, type: "button", "aria-label": label }, make("span", { text: cap }), make("kbd", { text: key }));
    held(button, () => this.#hand.press(name), () => this.#hand.release(name));
    this.#buttons[name] = button;
    return button;
  }

  #makeCover() {
    const cover = make("button", { class: "cover", type: "button", "aria-label": `Look under the cover of ${this.name}’s panel` }, make("span", { text: "look under" }));
    cover.addEventListener("click", () => this.#hand.uncover());
    return cover;
  }

  #makePlugs(devices) {
    return Object.fromEntries(devices.map((device) => {
      const plug = this.#choice(() => (plug.hasAttribute("data-pulled") ? this.#hand.plug(device) : this.#hand.unplug(device)));
      plug.classList.add("plug");
      return [device, plug];
    }));
  }

  /** The cup itself is shaken while the table waits for that, and else lifted. */
  #grip() {
    if (this.#toShake) this.#hand.shake();
    else this.#hand.lift();
  }

  #turnCover() {
    if (this.element.hasAttribute("data-covered")) this.#hand.uncover();
    else this.#hand.cover();
  }

  #choice(chosen) {
    const button = make("button", { type: "button" });
    button.addEventListener("click", chosen);
    return button;
  }
}

/** Gives an element a layout's colour: a name the style sheet knows, or #rrggbb. */
export function colored(element, color) {
  element.dataset.color = color;
  if (color.startsWith("#")) element.style.setProperty("--named", color);
  return element;
}

function cupFromAbove() {
  const ring = (name, radius) => draw("circle", { class: name, cx: 50, cy: 50, r: radius });
  const dice = draw("g", { class: "under" },
    draw("rect", { x: 30, y: 44, width: 16, height: 16, rx: 4 }), draw("rect", { x: 52, y: 38, width: 16, height: 16, rx: 4 }),
    draw("rect", { x: 47, y: 58, width: 16, height: 16, rx: 4 }));
  const leather = draw("g", { class: "leather" }, ring("rim", 38), ring("side", 34), ring("seam", 27), ring("top", 24));
  return draw("svg", { class: "cup-from-above", viewBox: "0 0 100 100", "aria-hidden": true }, ring("shadow", 38), dice, leather);
}
