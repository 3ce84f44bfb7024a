// The connection to the server: it is opened again without end, and given up where nothing comes any more.

const MIN_RETRY_MS = 300;
const MAX_RETRY_MS = 4000;
const PING_MS = 15_000;
const SILENCE_MS = 40_000; // two pings without an answer: a cable was pulled, and the browser has not noticed
const RELOAD_INTERVAL_MS = 60_000;
const RELOADED = "reloaded";

/** Loads the page again if the server has another build of it, once a minute at most; true where it does. */
export function reloadsFor(build) {
  if (build === document.querySelector("meta[name=build]").content) return false;
  const last_ms = Number(sessionStorage.getItem(RELOADED) ?? -RELOAD_INTERVAL_MS);
  if (Date.now() - last_ms < RELOAD_INTERVAL_MS) return false; // two servers that take turns must not make it flicker
  sessionStorage.setItem(RELOADED, Date.now());
  location.reload();
  return true;
}

/** A WebSocket to `path`, JSON both ways. */
export class Connection {
  #path;
  #handlers;
  #silence_ms;
  #final;
  #socket = null;
  #retry_ms = MIN_RETRY_MS;
  #heard_ms = 0;
  #again = null;
  #is_closed = false;

  /**
   * `handlers` are called: `message` with each object from the server, `bytes` with each binary message, `offline` with
   * the reason whenever the connection is lost, if the server gave a final one, `online`, and every `watch_ms` `watch`
   * with the milliseconds since the last message; it asks for a sign of life where the server gives none by itself.
   * After one of the `final` close codes it is not opened again.
   */
  constructor(path, handlers, { watch_ms = PING_MS, silence_ms = SILENCE_MS, final = [] } = {}) {
    this.#path = path;
    this.#handlers = { online() {}, bytes() {}, watch: () => this.#socket.send("ping"), ...handlers };
    this.#silence_ms = silence_ms;
    this.#final = final;
    setInterval(() => this.#watch(), watch_ms);
    addEventListener("online", () => this.#hurry());
    document.addEventListener("visibilitychange", () => document.hidden || this.#hurry());
    this.#open();
  }

  /** Sends an object; drops it while offline, because it must not arrive late. */
  send(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  /** Sends bytes; drops them while offline. */
  sendBytes(bytes) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(bytes);
  }

  /** Ends it for good. */
  close() {
    this.#is_closed = true;
    clearTimeout(this.#again);
    this.#socket?.close();
    this.#socket = null;
  }

  #open() {
    clearTimeout(this.#again);
    const address = new URL(this.#path, location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    socket.binaryType = "arraybuffer";
    this.#socket = socket;
    this.#heard_ms = performance.now();
    socket.onopen = () => socket === this.#socket && this.#handlers.online();
    socket.onmessage = ({ data }) => socket === this.#socket && this.#hear(data);
    socket.onclose = ({ code, reason }) => this.#lost(socket, code, reason);
  }

  #hear(data) {
    this.#heard_ms = performance.now();
    this.#retry_ms = MIN_RETRY_MS;
    if (typeof data !== "string") this.#handlers.bytes(new Uint8Array(data));
    else if (data !== "pong") this.#handlers.message(JSON.parse(data));
  }

  #lost(socket, code, reason) {
    if (socket !== this.#socket || this.#is_closed) return;
    this.#socket = null;
    this.#is_closed = this.#final.includes(code);
    this.#handlers.offline(this.#is_closed ? reason : "");
    if (this.#is_closed) return;
    // Not all at once: fifty pages come back after a restart.
    this.#again = setTimeout(() => this.#open(), this.#retry_ms * (0.7 + 0.6 * Math.random()));
    this.#retry_ms = Math.min(2 * this.#retry_ms, MAX_RETRY_MS);
  }

  /** Notices silence, also of a network that never says that it is gone. */
  #watch() {
    const socket = this.#socket;
    if (socket === null) return;
    const silence_ms = performance.now() - this.#heard_ms;
    if (silence_ms > this.#silence_ms) {
      socket.close();
      this.#lost(socket);
    } else if (socket.readyState === WebSocket.OPEN) this.#handlers.watch(silence_ms);
  }

  /** Tries at once: a phone has been taken out of a pocket, or has its network back. */
  #hurry() {
    if (this.#is_closed) return;
    if (this.#socket === null) this.#open();
    else this.#watch();
  }
}
