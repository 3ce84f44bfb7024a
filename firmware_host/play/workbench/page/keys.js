// The keyboard as the person's hand: holding a key holds a button.

import { onLeaving } from "./hold.js";

const BUTTONS = { ArrowLeft: "left", ArrowRight: "right", Enter: "ok", d: "dudo" };
const LETTERS = { KeyD: "d", KeyH: "h", KeyP: "p", KeyS: "s" }; // by position, for keyboards of other scripts

/** Handles all keys; `hand()` returns the person's hand or null, `help()` shows or hides the help. */
export function listenToKeys(hand, help) {
  const releases = new Map(); // by physical key, because Shift may change the character

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || isBusy(event)) return;
    if (event.key === "?") {
      help();
      return;
    }
    const mine = hand();
    const action = mine && actionOf(event, mine);
    if (!action) return;
    event.preventDefault();
    if (event.repeat || releases.has(event.code)) return;
    releases.set(event.code, action());
  });
  document.addEventListener("keyup", ({ code }) => letGo(code));
  onLeaving(() => [...releases.keys()].forEach(letGo));

  function letGo(code) {
    const release = releases.get(code);
    releases.delete(code);
    release?.();
  }
}

/** The action of a key, as a function that begins it and returns one that ends it; null if it has none. */
function actionOf({ key, code }, hand) {
  const name = key > "~" ? LETTERS[code] : key.length === 1 ? key.toLowerCase() : key;
  const button = BUTTONS[name];
  if (button) return () => (hand.press(button), () => hand.release(button));
  if (name === "h") return () => (hand.ask(), () => {});
  if (name === "s" || name === " ") return () => (hand.shake(), () => {});
  if (name === "p" || name === "ArrowUp") return () => (hand.lift(), () => hand.lower());
  return null;
}

/** Whether the focused element needs the key itself: a field each, a button Enter, a scrolling text the arrow up. */
function isBusy({ key, target }) {
  const clicks = key === "Enter" || key === " ";
  const scrolls = key === "ArrowUp" ? ", .scroller" : "";
  return target.closest(clicks ? "button, summary, select, input" : `[popover], select, input${scrolls}`) !== null;
}
