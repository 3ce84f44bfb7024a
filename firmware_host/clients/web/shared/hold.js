// Buttons that can be held down: with a finger, the mouse, or Enter and Space when they have the focus.

const KEYS = new Set(["Enter", " "]);
const TAP_MS = 120;
const STALE_MS = 2000; // a page that slept or hung gets what was pressed meanwhile when it wakes: too late to mean anything

/**
 * Calls `down` when `button` is pressed and `up` when it is released, by whatever means. A screen reader clicks without
 * pressing: that counts as a press of `click_ms`.
 */
export function makeHoldable(button, down, up, click_ms = TAP_MS) {
  let holder = null;

  function press(by) {
    if (holder !== null) return;
    holder = by;
    down();
  }
  function release(by) {
    if (holder === null || (by !== undefined && by !== holder)) return;
    holder = null;
    up();
  }

  button.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || isStale(event)) return;
    button.setPointerCapture(event.pointerId); // so that the release of a finger that slipped off still arrives here
    press(event.pointerId);
  });
  for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
    button.addEventListener(end, (event) => release(event.pointerId));
  }
  button.addEventListener("mousedown", (event) => event.preventDefault()); // keeps the focus where it is
  button.addEventListener("contextmenu", (event) => event.preventDefault());
  button.addEventListener("keydown", (event) => {
    if (!KEYS.has(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.repeat && !isStale(event)) press(event.key);
  });
  button.addEventListener("keyup", (event) => {
    if (KEYS.has(event.key)) event.preventDefault(); // or Space would click in Firefox
    release(event.key);
  });
  button.addEventListener("click", ({ detail }) => {
    if (detail !== 0) return; // the end of a press by a pointer
    press("click");
    setTimeout(() => release("click"), click_ms);
  });
  button.addEventListener("blur", () => release());
  onLeaving(() => release());
}

const isStale = ({ timeStamp }) => performance.now() - timeStamp > STALE_MS;

const leaving = [];

/** Calls `letGo` when releases may not arrive any more: another window, another tab, a closed lid, no network. */
export function onLeaving(letGo) {
  leaving.push(letGo);
}

/** Lets everything go, as if the person had left the page. */
export function letEverythingGo() {
  leaving.forEach((letGo) => letGo());
}

for (const event of ["blur", "pagehide", "offline"]) window.addEventListener(event, letEverythingGo);
document.addEventListener("visibilitychange", () => document.hidden && letEverythingGo());
