// The keyboard as the person's hand: a key held is a button held.

import { onLeaving } from "./held.js";

const BUTTONS = { ArrowLeft: "left", ArrowRight: "right", Enter: "ok", d: "dudo" };
const LETTERS = { KeyD: "d", KeyP: "p", KeyS: "s" }; // by their place, on keyboards of other scripts

/** `hand()` is the person's hand or null, `help()` shows or hides the keys. */
export function listen(hand, help) {
  const lettingGo = new Map(); // by physical key, because Shift may change what it writes

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || isBusy(event)) return;
    if (event.key === "?") {
      help();
      return;
    }
    const mine = hand();
    const motion = mine && motionOf(event, mine);
    if (!motion) return;
    event.preventDefault();
    if (event.repeat || lettingGo.has(event.code)) return;
    lettingGo.set(event.code, motion());
  });
  document.addEventListener("keyup", ({ code }) => letGo(code));
  onLeaving(() => [...lettingGo.keys()].forEach(letGo));

  function letGo(code) {
    const release = lettingGo.get(code);
    lettingGo.delete(code);
    release?.();
  }
}

/** What a key does, as a function that begins it and returns one that ends it; null where it does nothing. */
function motionOf({ key, code }, hand) {
  const name = key > "~" ? LETTERS[code] : key.length === 1 ? key.toLowerCase() : key;
  const button = BUTTONS[name];
  if (button) return () => (hand.press(button), () => hand.release(button));
  if (name === "s" || name === " ") return () => (hand.shake(), () => {});
  if (name === "p" || name === "ArrowUp") return () => (hand.lift(), () => hand.lower());
  return null;
}

/** Whether a key belongs to what has the focus: Enter to a button, the arrow up to a story that scrolls. */
function isBusy({ key, target }) {
  const clicks = key === "Enter" || key === " ";
  const scrolls = key === "ArrowUp" ? ", ol[tabindex]" : "";
  return target.closest(clicks ? "button, summary" : `[popover]${scrolls}`) !== null;
}
