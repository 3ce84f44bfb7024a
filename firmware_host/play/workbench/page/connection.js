// The connection to the table: a WebSocket that reconnects by itself. JSON both ways, and pictures as bytes.
//
// The table sends a heartbeat every second, because a phone that leaves its network is told of nothing. Each message has
// the number of the last one: the table refuses a press that the network held up.

const MIN_RETRY_MS = 300;
const MAX_RETRY_MS = 4000;
const QUIET_MS = 2000; // without a heartbeat: what must not stay on the page goes
const SILENT_MS = 5000; // the same: there is no connection
const WATCH_MS = 250;

// The first two bits of a picture's second byte.
const LIT = 1;
const DICE = 2;

// Close codes (RFC 6455, 7.4.1) after which the page stays offline: it sent invalid messages, or there are too many pages.
const FINAL_CODES = new Set([1008, 1009, 1013]);

/**
 * Calls `handlers`: message(object), picture(seat, rows, { isLit, hasDice }), online(), quiet() after `QUIET_MS`, and
 * offline(reason), empty if the connection broke.
 */
export class Connection {
  #handlers;
  #socket = null;
  #retry_ms = MIN_RETRY_MS;
  #beat = 0;
  #heardAt_ms = 0;
  #isQuiet = false;

  constructor(handlers) {
    this.#handlers = handlers;
    this.#open();
    setInterval(() => this.#watch(), WATCH_MS);
    document.addEventListener("visibilitychange", () => this.#watch());
  }

  /** Sends one object; drops it while offline, because a press must not arrive late. */
  send(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify({ ...message, beat: this.#beat }));
  }

  #open() {
    const address = new URL("live", location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.#retry_ms = MIN_RETRY_MS;
      this.#hear();
      this.#handlers.online();
    };
    socket.onmessage = ({ data }) => this.#receive(data);
    socket.onclose = ({ code, reason }) => this.#end(FINAL_CODES.has(code) ? reason : "", FINAL_CODES.has(code));
    [this.#socket, this.#beat] = [socket, 0];
    this.#hear();
  }

  #receive(data) {
    this.#hear();
    if (typeof data === "string") {
      const message = JSON.parse(data);
      if (message.type === "beat") this.#beat = message.number;
      else this.#handlers.message(message);
      return;
    }
    const bytes = new Uint8Array(data);
    this.#handlers.picture(bytes[0], bytes.subarray(2), { isLit: Boolean(bytes[1] & LIT), hasDice: Boolean(bytes[1] & DICE) });
  }

  #hear() {
    this.#heardAt_ms = performance.now();
    this.#isQuiet = false;
  }

  /** Notices silence, also of a network that never says that it is gone. */
  #watch() {
    if (this.#socket === null) return;
    const silence_ms = performance.now() - this.#heardAt_ms;
    if (silence_ms >= SILENT_MS) {
      const socket = this.#socket;
      socket.onopen = socket.onmessage = socket.onclose = null; // whatever it still brings is from before
      socket.close();
      this.#end();
    } else if (silence_ms >= QUIET_MS && !this.#isQuiet) {
      this.#isQuiet = true;
      this.#handlers.quiet();
    }
  }

  #end(reason = "", isFinal = false) {
    this.#socket = null;
    this.#handlers.offline(reason);
    if (isFinal) return;
    setTimeout(() => this.#open(), this.#retry_ms);
    this.#retry_ms = Math.min(2 * this.#retry_ms, MAX_RETRY_MS);
  }
}
