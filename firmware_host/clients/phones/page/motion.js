// A shake of the phone itself. Browsers tell of motion over HTTPS alone, and on some phones only after a question.

const JOLT = 13; // m/s², without gravity: a hand that shakes a cup
const JOLTS = 5; // within `SHAKE_MS`
const SHAKE_MS = 1000;
const PAUSE_MS = 60; // jolts closer than this are one
const REST_MS = 400;

/** Calls `begin(stamps)` when the phone is shaken, and what it returned when the phone is at rest. */
export function feelShakes(begin) {
  let jolts = [];
  let settle = null;
  let rest = null;

  addEventListener("devicemotion", ({ acceleration, timeStamp }) => {
    const { x, y, z } = acceleration ?? {};
    if (Math.hypot(x ?? 0, y ?? 0, z ?? 0) < JOLT || timeStamp - (jolts.at(-1) ?? -Infinity) < PAUSE_MS) return;
    jolts = [...jolts.filter((at) => timeStamp - at < SHAKE_MS), timeStamp];
    if (settle === null && jolts.length >= JOLTS) settle = begin(jolts);
    clearTimeout(rest);
    rest = setTimeout(() => {
      settle?.();
      [settle, jolts] = [null, []];
    }, REST_MS);
  });
}

/** Asks for the permission that some phones want; call it at a touch. */
export function askForMotion() {
  globalThis.DeviceMotionEvent?.requestPermission?.().catch(() => {});
}
