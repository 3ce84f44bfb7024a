// A seat board in a browser: what `hardware/firmware/program.py` is on a Pico, with a screen, fingers and Wi-Fi.
//
// It makes its share of the dice itself, and decides by itself when dice may be seen: while the person looks, and for half
// a second after the table's last ping, whatever is on its way.

import { concat, equal, sha256, utf8 } from "./hashes.js";
import * as link from "./link.js";

const FITTED = 0x1f; // a cup, three buttons, DUDO, a display, a light
const SHAKEN = 1, SETTLED = 2, TILTED = 3, LEVELLED = 4, PRESSED = 5, RELEASED = 6;
export const BUTTONS = ["left", "right", "ok", "dudo"];
const PEEK_MS = 500;
const REPEAT_MS = 400; // the network loses nothing, but the table may have been away
const WINDOW = 8;
const CAPACITY = 64;
const NO_BASE = 0;
const COMMITS = utf8("dudo cup\0");

export class Board {
  #identity;
  #send;
  #show;
  #person;
  #random;
  #now;
  #parser = new link.FrameParser();
  #boot = 0;
  #began_ms = 0;
  #waiting = []; // events, until the table has them on its disk
  #next = 1;
  #held = new Set();
  #isLifted = false;
  #memory = new Uint8Array(1024);
  #crc = link.crc32(new Uint8Array(1024));
  #picture = { shine: { inverted: false, light: 2, row: 0 }, peek: false, lamp: false };
  #words = { text: "", peek: false };
  #isNew = true; // the table does not know this connection's person yet
  #number = 0;
  #isFirst = true;
  #lease_ms = 0; // the end of the lease, and of the time in which dice may be seen
  #peek_ms = 0;
  #deal = null;
  #stamps = new Uint8Array();
  #timers = {};

  /**
   * `send` takes a frame for the table. `show` takes what to see, { memory, shine, dice, lamp } or null for a dark display,
   * the lamp, and the display in words, which are empty while they may not be heard. `person` has the language and the
   * name of the person. `random` returns so many random bytes, `now` the milliseconds of a clock that never goes back.
   */
  constructor(identity, { send, show, person = { language: "en", name: "" }, random = (count) => crypto.getRandomValues(new Uint8Array(count)), now = () => performance.now() }) {
    this.#identity = identity;
    this.#send = send;
    this.#show = show;
    this.#person = person;
    this.#random = random;
    this.#now = now;
  }

  /** Begins with a new connection: nothing that was pressed before counts any more. The share of a deal stays. */
  plug() {
    this.unplug();
    this.#boot = (new DataView(this.#random(4).buffer).getUint32(0) % 0x7fffffff) + 1;
    this.#began_ms = this.#now();
    [this.#waiting, this.#next, this.#parser] = [[], 1, new link.FrameParser()];
    [this.#lease_ms, this.#peek_ms, this.#isFirst] = [0, 0, true];
    this.#say(link.hello(this.#boot, FITTED, 1, this.#identity));
  }

  /** Goes dark and lets everything go: the connection is lost. */
  unplug() {
    this.#boot = 0;
    this.#held.clear();
    this.#isLifted = false;
    [this.#lease_ms, this.#peek_ms] = [0, 0];
    for (const timer of Object.values(this.#timers)) clearTimeout(timer);
    this.#look();
  }

  /** Whether a button is held, or the cup lifted, with which one sees dice. */
  get looks() {
    return this.#isLifted || this.#held.has("ok");
  }

  press(button) {
    if (this.#boot === 0 || this.#held.has(button) || !this.#hasRoom()) return;
    this.#held.add(button);
    this.#happen(PRESSED, [BUTTONS.indexOf(button)]);
  }

  release(button) {
    if (!this.#held.delete(button)) return;
    this.#look(); // before anything is sent
    this.#happen(RELEASED, [BUTTONS.indexOf(button)]);
  }

  lift() {
    if (this.#boot === 0 || this.#isLifted || !this.#hasRoom()) return;
    this.#isLifted = true;
    this.#happen(TILTED);
  }

  lower() {
    if (!this.#isLifted) return;
    this.#isLifted = false;
    this.#look();
    this.#happen(LEVELLED);
  }

  /** Shakes the cup; `stamps` are the moments of the hand, in milliseconds. It stands still when `settle` is called. */
  shake(stamps) {
    if (this.#boot === 0 || !this.#hasRoom()) return null;
    this.lower();
    this.#happen(SHAKEN);
    const boot = this.#boot;
    return () => boot === this.#boot && this.#settle(stamps);
  }

  /** Shows once more what may be seen now. */
  refresh() {
    this.#look();
  }

  /** Lets everything go. */
  letGo() {
    for (const button of [...this.#held]) this.release(button);
    this.lower();
  }

  receive(bytes) {
    for (const body of this.#parser.feed(bytes)) {
      const message = link.read(body);
      if (message !== null && this.#boot !== 0) this[`_${message.kind}`](message);
    }
  }

  _ask() {
    this.#isNew = true;
    this.#say(link.hello(this.#boot, FITTED, this.#oldest, this.#identity));
    this.#acknowledgePicture();
    this.#isFirst = true;
    this.#repeat();
  }

  _ack({ boot, number }) {
    if (boot === this.#boot && this.#oldest <= number && number < this.#next) {
      this.#waiting = this.#waiting.slice(number - this.#oldest + 1);
    }
  }

  _ping({ token, lease_ms }) {
    this.#say(link.pong(token, this.#boot, this.#clock_ns()));
    this.#lease_ms = this.#now() + lease_ms;
    this.#peek_ms = this.#now() + Math.min(lease_ms, PEEK_MS);
    this.#look();
  }

  _picture({ number, base, crc, windows, shine, peek, lamp }) {
    const ahead = (number - this.#number) & 0xffff;
    if (this.#isFirst || (ahead > 0 && ahead < 0x8000)) {
      [this.#number, this.#isFirst] = [number, false];
      if (base === NO_BASE || base === this.#crc) {
        for (const { at, columns } of windows) this.#memory.set(columns, at);
        this.#crc = link.crc32(this.#memory);
        // With another picture than the table's, some dice of the one before may still be there.
        this.#picture = { shine, lamp, peek: peek || (this.#picture.peek && this.#crc !== crc) };
        this.#look();
      }
    }
    this.#acknowledgePicture();
  }

  _words(words) {
    if (this.#isNew) this.#say(link.person(this.#person.language, this.#person.name));
    [this.#words, this.#isNew] = [words, false];
    this.#look();
  }

  _draw({ deal }) {
    if (this.#deal === null || !equal(this.#deal.id, deal) || this.#deal.isOpen) {
      const entropy = sha256(concat(this.#random(32), this.#stamps));
      this.#deal = { id: deal, entropy, isShaken: false, isOpen: false };
    }
    this.#say(link.drawn(deal, sha256(concat(COMMITS, deal, this.#deal.entropy))));
  }

  _open({ deal }) {
    if (this.#deal === null || !equal(this.#deal.id, deal) || !this.#deal.isShaken) return;
    this.#deal.isOpen = true;
    this.#say(link.opened(deal, this.#deal.entropy));
  }

  #settle(stamps) {
    this.#stamps = new Uint8Array(Float64Array.from(stamps).buffer);
    if (this.#deal !== null) this.#deal.isShaken = true;
    this.#happen(SETTLED);
  }

  get #oldest() {
    return this.#next - this.#waiting.length;
  }

  /** Whether an event and its end fit behind those that wait. */
  #hasRoom() {
    return this.#waiting.length + this.#held.size + 3 < CAPACITY;
  }

  #happen(what, detail = []) {
    if (this.#boot === 0) return;
    const event = { number: this.#next++, at_ns: this.#clock_ns(), what, detail };
    this.#waiting.push(event);
    this.#say(link.event(this.#boot, event));
    this.#later("repeat", REPEAT_MS, () => this.#repeat());
  }

  #repeat() {
    for (const event of this.#waiting.slice(0, WINDOW)) this.#say(link.event(this.#boot, event));
    if (this.#waiting.length) this.#later("repeat", REPEAT_MS, () => this.#repeat());
  }

  /** Shows what may be seen now, and looks again when that time is over. */
  #look() {
    const now_ms = this.#now();
    const { shine, peek, lamp } = this.#picture;
    const isLeased = now_ms < this.#lease_ms;
    const maySee = (hasDice) => isLeased && (!hasDice || (this.looks && now_ms < this.#peek_ms));
    const seen = maySee(peek) && shine.light ? { memory: this.#memory, shine, dice: peek, lamp } : null;
    this.#show(seen, isLeased && lamp, maySee(this.#words.peek) ? this.#words.text : "");
    const ends = [this.#lease_ms, this.#peek_ms].filter((end_ms) => now_ms < end_ms);
    if (ends.length) this.#later("look", Math.min(...ends) - now_ms, () => this.#look());
  }

  #later(name, after_ms, then) {
    clearTimeout(this.#timers[name]);
    this.#timers[name] = setTimeout(then, after_ms);
  }

  #clock_ns() {
    return BigInt(Math.round(1e6 * (this.#now() - this.#began_ms)));
  }

  #acknowledgePicture() {
    this.#say(link.pictureAck(this.#number, this.#crc));
  }

  #say(body) {
    this.#send(link.frame(body));
  }
}
