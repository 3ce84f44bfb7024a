// The line to the table: a WebSocket that comes back by itself. JSON both ways, and pictures as bytes.

const FIRST_PAUSE_MS = 300;
const LONGEST_PAUSE_MS = 4000;

// The table means it when it closes with these, RFC 6455 7.4.1: a page that misbehaved, or one too many.
const SENT_AWAY = new Set([1008, 1009, 1013]);

/** `heard` gets message(object), picture(seat, rows), here() and gone(why): `why` is empty where a line just broke. */
export class Live {
  #heard;
  #socket = null;
  #pause_ms = FIRST_PAUSE_MS;

  constructor(heard) {
    this.#heard = heard;
    this.#open();
  }

  /** Sends one object; while the table is gone it is dropped, for a press must not come late. */
  send(message) {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #open() {
    const address = new URL("live", location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.#pause_ms = FIRST_PAUSE_MS;
      this.#heard.here();
    };
    socket.onmessage = ({ data }) => this.#take(data);
    socket.onclose = ({ code, reason }) => {
      this.#heard.gone(SENT_AWAY.has(code) ? reason : "");
      if (SENT_AWAY.has(code)) return;
      setTimeout(() => this.#open(), this.#pause_ms);
      this.#pause_ms = Math.min(2 * this.#pause_ms, LONGEST_PAUSE_MS);
    };
    this.#socket = socket;
  }

  #take(data) {
    if (typeof data === "string") {
      this.#heard.message(JSON.parse(data));
      return;
    }
    const bytes = new Uint8Array(data);
    this.#heard.picture(bytes[0], bytes.subarray(1));
  }
}
