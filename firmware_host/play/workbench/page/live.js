// The connection to the table, with pictures as bytes.
//
// The table sends a heartbeat every second, because a phone that leaves its network is told of nothing. Each message has
// the number of the last one: the table refuses a press that the network held up.

import { Connection } from "./connection.js";

const WATCH_MS = 250;
const QUIET_MS = 2000; // without a heartbeat: what must not stay on the page goes
const SILENCE_MS = 5000; // the same: there is no connection

// The first two bits of a picture's second byte.
const LIT = 1;
const DICE = 2;

// Close codes (RFC 6455, 7.4.1) after which the page stays offline: it sent invalid messages, or there are too many pages.
const FINAL_CODES = [1008, 1009, 1013];

/**
 * Calls `handlers`: message(object), picture(seat, rows, { isLit, hasDice }), online(), quiet() after `QUIET_MS`, and
 * offline(reason), empty if the connection broke. Returns a function that sends an object.
 */
export function connect({ message, picture, online, quiet, offline }) {
  let beat = 0;
  let isQuiet = false;
  const connection = new Connection(
    "live",
    {
      online() {
        beat = 0;
        online();
      },
      message(said) {
        if (said.type === "beat") beat = said.number;
        else message(said);
      },
      bytes([seat, bits, ...rows]) {
        picture(seat, rows, { isLit: Boolean(bits & LIT), hasDice: Boolean(bits & DICE) });
      },
      watch(silence_ms) {
        if (silence_ms >= QUIET_MS && !isQuiet) quiet();
        isQuiet = silence_ms >= QUIET_MS;
      },
      offline,
    },
    { watch_ms: WATCH_MS, silence_ms: SILENCE_MS, final: FINAL_CODES },
  );
  return (said) => connection.send({ ...said, beat });
}
