// The link's frames and messages (hardware/link/LINK.md), as a board needs them: it reads the host's and writes its own.

export const VERSION = 32;
const LONGEST_BODY = 1100;
const LONGEST_RUN = 254;
const LONGEST_FRAME = LONGEST_BODY + 4 + Math.floor((LONGEST_BODY + 4) / LONGEST_RUN) + 1;
const WIDTH = 128;
const PAGES = 8;
const HASH = 32;
const WORDS = 768;

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest;
});

/** The CRC-32 of Ethernet and zlib. */
export function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = CRC_TABLE[(crc ^ byte) & 255] ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

/** The bytes that carry a body: COBS over it and its CRC-32, and a zero. */
export function frame(body) {
  const checked = new Uint8Array(body.length + 4);
  checked.set(body);
  new DataView(checked.buffer).setUint32(body.length, crc32(body), true);
  const out = [];
  let block = [];
  const end = () => (out.push(block.length + 1, ...block), (block = []));
  checked.forEach((byte, at) => {
    if (byte === 0) return end();
    block.push(byte);
    if (block.length === LONGEST_RUN && at < checked.length - 1) {
      out.push(255, ...block);
      block = [];
    }
  });
  if (block.length === LONGEST_RUN) out.push(255, ...block);
  else end();
  return Uint8Array.from([...out, 0]);
}

/** The body of one frame given without its zero; null if it is damaged. */
function unframe(encoded) {
  const out = [];
  for (let at = 0; at < encoded.length; ) {
    const code = encoded[at];
    if (at + code > encoded.length) return null;
    out.push(...encoded.subarray(at + 1, at + code));
    at += code;
    if (code < 255 && at < encoded.length) out.push(0);
  }
  const checked = Uint8Array.from(out);
  if (checked.length < 4 || checked.length > LONGEST_BODY + 4) return null;
  const body = checked.subarray(0, -4);
  return new DataView(checked.buffer).getUint32(body.length, true) === crc32(body) ? body : null;
}

/** Finds the bodies in a stream that is cut anywhere. */
export class FrameParser {
  #held = [];
  #skips = false;

  /** The bodies that the stream's next bytes complete, in order. */
  feed(bytes) {
    const bodies = [];
    for (const byte of bytes) {
      if (byte !== 0) {
        if (!this.#skips) this.#held.push(byte);
        if (this.#held.length > LONGEST_FRAME) [this.#held, this.#skips] = [[], true];
        continue;
      }
      const body = this.#held.length ? unframe(Uint8Array.from(this.#held)) : null;
      if (body !== null) bodies.push(body);
      [this.#held, this.#skips] = [[], false];
    }
    return bodies;
  }
}

const READERS = {
  0x01: (view) => view.byteLength >= 1 && { kind: "ask", version: view.getUint8(0) },
  0x04: (view) => view.byteLength === 8 && { kind: "ack", boot: view.getUint32(0, true), number: view.getUint32(4, true) },
  0x05: (view) => view.byteLength === 6 && { kind: "ping", token: view.getUint32(0, true), lease_ms: view.getUint16(4, true) },
  0x07: (view) => view.byteLength >= 11 && picture(view),
  0x09: (view) => view.byteLength === HASH && { kind: "draw", deal: bytes(view, 0, HASH) },
  0x0b: (view) => view.byteLength === 2 * HASH && { kind: "open", deal: bytes(view, 0, HASH) },
  0x12: (view) => view.byteLength === 1 + WORDS && view.getUint8(0) <= 1 && words(view),
};

const words = (view) => ({
  kind: "words", peek: view.getUint8(0) === 1, text: new TextDecoder().decode(bytes(view, 1, WORDS)).trimEnd(),
});

const bytes = (view, at, length) => new Uint8Array(view.buffer.slice(view.byteOffset + at, view.byteOffset + at + length));

function picture(view) {
  const how = view.getUint8(10);
  const light = (how >> 1) & 3;
  if (light > 2 || how & 0x80) return false;
  const windows = [];
  for (let at = 11; at < view.byteLength; ) {
    const width = at + 3 < view.byteLength ? view.getUint8(at + 2) : 0;
    if (!width || at + 3 + width > view.byteLength || view.getUint8(at) >= PAGES || view.getUint8(at + 1) + width > WIDTH) return false;
    windows.push({ at: WIDTH * view.getUint8(at) + view.getUint8(at + 1), columns: bytes(view, at + 3, width) });
    at += 3 + width;
  }
  return {
    kind: "picture", number: view.getUint16(0, true), base: view.getUint32(2, true), crc: view.getUint32(6, true), windows,
    shine: { inverted: Boolean(how & 1), light, row: (how >> 3) & 3 }, peek: Boolean(how & 0x20), lamp: Boolean(how & 0x40),
  };
}

/** The host's message in a body to address 0; null for any other body. */
export function read(body) {
  if (body.length < 2 || body[0] !== 0) return null;
  return READERS[body[1]]?.(new DataView(body.buffer, body.byteOffset + 2, body.length - 2)) || null;
}

/** A board's body: its kind, then pairs of a size in bytes and a number, or bytes as they are. */
function body(kind, ...fields) {
  const parts = [0, kind];
  for (const field of fields) {
    if (field instanceof Uint8Array) parts.push(...field);
    else for (let at = 0, left = BigInt(field[1]); at < field[0]; at += 1, left >>= 8n) parts.push(Number(left & 255n));
  }
  return Uint8Array.from(parts);
}

export const hello = (boot, fitted, oldest, identity) =>
  body(0x02, [1, VERSION], [4, boot], [2, fitted], [4, oldest], new TextEncoder().encode(identity));
export const event = (boot, { number, at_ns, what, detail }) =>
  body(0x03, [4, boot], [4, number], [8, at_ns], [1, what], Uint8Array.from(detail));
export const person = (language, name) => body(0x13, new TextEncoder().encode(language + name));
export const pong = (token, boot, at_ns) => body(0x06, [4, token], [4, boot], [8, at_ns]);
export const pictureAck = (number, crc) => body(0x08, [2, number], [4, crc], [1, 1]);
export const drawn = (deal, commitment) => body(0x0a, deal, commitment);
export const opened = (deal, entropy) => body(0x0c, deal, entropy);
