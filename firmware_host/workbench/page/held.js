// Buttons that can be held: by a finger, the mouse, or Enter and Space when they have the focus.

const KEYS = new Set(["Enter", " "]);

/** Calls `down` when `button` is taken hold of and `up` when it is let go of, however that comes about. */
export function held(button, down, up) {
  let holder = null;

  function take(by) {
    if (holder !== null) return;
    holder = by;
    down();
  }
  function leave(by) {
    if (holder === null || (by !== undefined && by !== holder)) return;
    holder = null;
    up();
  }

  button.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    button.setPointerCapture(event.pointerId); // so that the finger may slip off and still lets go
    take(event.pointerId);
  });
  for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
    button.addEventListener(end, (event) => leave(event.pointerId));
  }
  button.addEventListener("mousedown", (event) => event.preventDefault()); // leaves the focus where the keys are
  button.addEventListener("contextmenu", (event) => event.preventDefault());
  button.addEventListener("keydown", (event) => {
    if (!KEYS.has(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.repeat) take(event.key);
  });
  button.addEventListener("keyup", (event) => leave(event.key));
  button.addEventListener("blur", () => leave());
  onLeaving(() => leave());
}

/** Calls `letGo` when the page loses sight of the fingers: another window, another tab, a closed lid. */
export function onLeaving(letGo) {
  window.addEventListener("blur", letGo);
  window.addEventListener("pagehide", letGo);
  document.addEventListener("visibilitychange", () => document.hidden && letGo());
}
