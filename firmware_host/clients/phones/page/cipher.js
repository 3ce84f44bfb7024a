// Encryption between phone and table, below the link's frames: the counterpart of firmware_host/devices/host_io/phone_cipher.py.

import "./nacl-fast.min.js";
import { concat, fromHex, hex, sha256 } from "./hashes.js";

const { nacl } = self;
const KEY = 32;
const TO_PHONE = 1120, TO_TABLE = 104; // plain bytes of an envelope
const LENGTH = 2;
const FINGERPRINT = 24;
const NONCE = nacl.box.nonceLength;
const OWN = "phone-key", TABLE = "table-key";

/** The table has another key than the one in the QR code. */
export class StrangerError extends Error {}

/** One direction: its key, and the number of envelopes so far, which is the next one's nonce. */
class Envelopes {
  #key;
  #plain;
  #nonce = new Uint8Array(nacl.secretbox.nonceLength);
  #count = 0;

  constructor(key, plain) {
    this.#key = key;
    this.#plain = plain;
    this.size = plain + nacl.secretbox.overheadLength;
  }

  seal(data) {
    const room = this.#plain - LENGTH;
    const envelopes = [];
    for (let at = 0; at < data.length; at += room) {
      const part = data.subarray(at, at + room);
      const padded = new Uint8Array(this.#plain);
      new DataView(padded.buffer).setUint16(0, part.length, true);
      padded.set(part, LENGTH);
      envelopes.push(nacl.secretbox(padded, this.#next(), this.#key));
    }
    return concat(...envelopes);
  }

  open(envelope) {
    const padded = nacl.secretbox.open(envelope, this.#next(), this.#key);
    if (padded === null) throw new Error("a message was changed, repeated, left out or made up on its way");
    const length = new DataView(padded.buffer, padded.byteOffset).getUint16(0, true);
    return padded.subarray(LENGTH, LENGTH + length);
  }

  #next() {
    this.#count += 1;
    new DataView(this.#nonce.buffer).setUint32(0, this.#count, true);
    return this.#nonce;
  }
}

/** What `dudo-table phones` encrypted for this phone, which anybody at the table may know; null for anything else. */
export function openSealed(bytes, { secretKey }) {
  const [key, nonce] = [bytes.subarray(0, KEY), bytes.subarray(KEY, KEY + NONCE)];
  const plain = nacl.box.open(bytes.subarray(KEY + NONCE), nonce, key, secretKey);
  return plain && JSON.parse(new TextDecoder().decode(plain));
}

/** The phone's end of one connection, with the phone's lasting key pair and the fingerprint of the table's, if known. */
export class Cipher {
  #lasting;
  #fingerprint;
  #own = nacl.box.keyPair();
  #received = new Uint8Array();
  #fromTable = null;
  #toTable = null;

  constructor(lasting, fingerprint) {
    this.#lasting = lasting;
    this.#fingerprint = fingerprint;
  }

  /** Whether the table's keys have come, so that frames can be sent behind `hello`. */
  get isAgreed() {
    return this.#toTable !== null;
  }

  /** The bytes with which the phone begins; its lasting key has been with the table since it took its seat. */
  get hello() {
    return this.#own.publicKey;
  }

  /** The plain bytes that the next bytes complete. Throws for bytes that the table did not encrypt; then end it. */
  receive(bytes) {
    this.#received = concat(this.#received, bytes);
    if (!this.isAgreed && this.#received.length >= 2 * KEY) this.#agree(this.#take(2 * KEY));
    const plain = [];
    while (this.isAgreed && this.#received.length >= this.#fromTable.size) {
      plain.push(this.#fromTable.open(this.#take(this.#fromTable.size)));
    }
    return concat(...plain);
  }

  seal(frame) {
    return this.#toTable.seal(frame);
  }

  #agree(hello) {
    const [lasting, own] = [hello.subarray(0, KEY), hello.subarray(KEY)];
    if (this.#fingerprint && fingerprint(lasting) !== this.#fingerprint) throw new StrangerError();
    const pairs = [[this.#own, own], [this.#own, lasting], [this.#lasting, own]];
    const shared = pairs.map(([{ secretKey }, key]) => nacl.box.before(key, secretKey));
    const keys = nacl.hash(concat(...shared, hello, this.#lasting.publicKey, this.#own.publicKey));
    this.#fromTable = new Envelopes(keys.subarray(0, KEY), TO_PHONE);
    this.#toTable = new Envelopes(keys.subarray(KEY), TO_TABLE);
  }

  #take(size) {
    const taken = this.#received.slice(0, size);
    this.#received = this.#received.slice(size);
    return taken;
  }
}

const fingerprint = (key) => hex(sha256(key)).slice(0, FINGERPRINT).toUpperCase();

/** This browser's lasting key pair, which its seat needs beside the cookie. */
export function ownKeys() {
  const kept = stored(OWN);
  if (kept.length === 2 * KEY) return nacl.box.keyPair.fromSecretKey(fromHex(kept));
  const made = nacl.box.keyPair();
  store(OWN, hex(made.secretKey));
  return made;
}

/** The fingerprint of the table with the code scanned last; empty after a typed code. */
export const keptTable = () => stored(TABLE);
export const keepTable = (scanned) => store(TABLE, scanned);

function stored(name) {
  try {
    return localStorage.getItem(name) ?? "";
  } catch {
    return ""; // a browser that blocks storage: its phone needs a new code after a reload
  }
}

function store(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // as above
  }
}
