// The connection to the table: a WebSocket that reconnects by itself. JSON both ways, and pictures as bytes.

const MIN_RETRY_MS = 300;
const MAX_RETRY_MS = 4000;

// Close codes (RFC 6455, 7.4.1) after which the page stays offline: it sent invalid messages, or there are too many pages.
const FINAL_CODES = new Set([1008, 1009, 1013]);

/** Calls `handlers`: message(object), picture(seat, isLit, rows), online(), and offline(reason), empty if the connection broke. */
export class Connection {
  #handlers;
  #socket = null;
  #retry_ms = MIN_RETRY_MS;

  constructor(handlers) {
    this.#handlers = handlers;
    this.#open();
  }

  /** Sends one object; drops it while offline, because a press must not arrive late. */
  send(message) {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #open() {
    const address = new URL("live", location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.#retry_ms = MIN_RETRY_MS;
      this.#handlers.online();
    };
    socket.onmessage = ({ data }) => this.#receive(data);
    socket.onclose = ({ code, reason }) => {
      this.#handlers.offline(FINAL_CODES.has(code) ? reason : "");
      if (FINAL_CODES.has(code)) return;
      setTimeout(() => this.#open(), this.#retry_ms);
      this.#retry_ms = Math.min(2 * this.#retry_ms, MAX_RETRY_MS);
    };
    this.#socket = socket;
  }

  #receive(data) {
    if (typeof data === "string") {
      this.#handlers.message(JSON.parse(data));
      return;
    }
    const bytes = new Uint8Array(data);
    this.#handlers.picture(bytes[0], bytes[1] === 1, bytes.subarray(2));
  }
}
