// The connection to the server: it is opened again without end, and given up where nothing comes any more.

const MIN_RETRY_MS = 300;
const MAX_RETRY_MS = 8000;
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

/** Calls `message` with each message from `path`, and `offline` whenever the connection is lost. */
export class Connection {
  #path;
  #message;
  #offline;
  #socket = null;
  #retry_ms = MIN_RETRY_MS;
  #heard_ms = 0;
  #again = null;
  #is_closed = false;

  constructor(path, message, offline) {
    this.#path = path;
    this.#message = message;
    this.#offline = offline;
    setInterval(() => this.#ping(), PING_MS);
    addEventListener("online", () => this.#hurry());
    document.addEventListener("visibilitychange", () => document.hidden || this.#hurry());
    this.#open();
  }

  #open() {
    clearTimeout(this.#again);
    const address = new URL(this.#path, location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    this.#socket = socket;
    this.#heard_ms = performance.now();
    socket.onmessage = ({ data }) => {
      this.#heard_ms = performance.now();
      this.#retry_ms = MIN_RETRY_MS;
      if (data !== "pong") this.#message(JSON.parse(data));
    };
    socket.onclose = () => this.#lost(socket);
  }

  #lost(socket) {
    if (socket !== this.#socket || this.#is_closed) return;
    this.#socket = null;
    this.#offline();
    // Not all at once: fifty pages come back after a restart.
    this.#again = setTimeout(() => this.#open(), this.#retry_ms * (0.7 + 0.6 * Math.random()));
    this.#retry_ms = Math.min(2 * this.#retry_ms, MAX_RETRY_MS);
  }

  #ping() {
    const socket = this.#socket;
    if (socket === null) return;
    if (performance.now() - this.#heard_ms > SILENCE_MS) {
      socket.close();
      this.#lost(socket);
    } else if (socket.readyState === WebSocket.OPEN) socket.send("ping");
  }

  /** Ends it for good. */
  close() {
    this.#is_closed = true;
    clearTimeout(this.#again);
    this.#socket?.close();
    this.#socket = null;
  }

  /** Tries at once: a phone has been taken out of a pocket, or has its network back. */
  #hurry() {
    if (this.#is_closed) return;
    if (this.#socket === null) this.#open();
    else this.#ping();
  }
}
