// SHA-256 and SHAKE-256. A page over plain HTTP has no WebCrypto, and no browser has SHAKE (FIPS 180-4 and 202).

export const utf8 = (text) => new TextEncoder().encode(text);
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
export const fromHex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
export const equal = (one, other) => one.length === other.length && one.every((byte, at) => byte === other[at]);
/** A number as four bytes, the highest first. */
export const fourBytes = (number) => Uint8Array.of(number >>> 24, number >>> 16, number >>> 8, number);

export function concat(...parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  parts.reduce((at, part) => (whole.set(part, at), at + part.length), 0);
  return whole;
}

// SHA-256: its constants are the first 32 bits of the fractions of the roots of the first primes.

const PRIMES = [];
for (let number = 2; PRIMES.length < 64; number += 1) if (PRIMES.every((prime) => number % prime)) PRIMES.push(number);
const fraction = (root) => Math.floor((root % 1) * 2 ** 32);
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ROUNDS = PRIMES.map((prime) => cubeRootFraction(BigInt(prime)));
const rotated = (word, by) => (word >>> by) | (word << (32 - by));

/** Math.cbrt may be wrong in its last bit, so the root is found in whole numbers. */
function cubeRootFraction(prime) {
  let root = 0n;
  for (let bit = 1n << 36n; bit; bit >>= 1n) if ((root + bit) ** 3n <= prime << 96n) root += bit;
  return Number(root & 0xffffffffn);
}

export function sha256(message) {
  const padded = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(message.length / 2 ** 29));
  view.setUint32(padded.length - 4, message.length << 3);
  const sum = Int32Array.from(START, (word) => word | 0);
  const words = new Int32Array(64);
  for (let block = 0; block < padded.length; block += 64) {
    for (let at = 0; at < 16; at += 1) words[at] = view.getInt32(block + 4 * at);
    for (let at = 16; at < 64; at += 1) {
      const [early, late] = [words[at - 15], words[at - 2]];
      const small0 = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3);
      const small1 = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10);
      words[at] = (words[at - 16] + small0 + words[at - 7] + small1) | 0;
    }
    let [a, b, c, d, e, f, g, h] = sum;
    for (let at = 0; at < 64; at += 1) {
      const large1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
      const first = (h + large1 + ((e & f) ^ (~e & g)) + ROUNDS[at] + words[at]) | 0;
      const large0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
      const second = (large0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, at) => (sum[at] += word));
  }
  const digest = new Uint8Array(32);
  sum.forEach((word, at) => new DataView(digest.buffer).setInt32(4 * at, word));
  return digest;
}

// SHAKE-256. A lane of 64 bits is two words of a state, its lower half first.

const RATE = 136;
const OFFSETS = []; // of the lanes on the way of pi: [lane, rotation]
for (let t = 0, x = 1, y = 0; t < 24; t += 1) {
  OFFSETS.push([x + 5 * y, (((t + 1) * (t + 2)) / 2) % 64]);
  [x, y] = [y, (2 * x + 3 * y) % 5];
}
const IOTA = []; // two words for each round
for (let round = 0, register = 1; round < 24; round += 1) {
  const constant = [0, 0];
  for (let j = 0; j < 7; j += 1) {
    register = ((register << 1) ^ ((register >> 7) * 0x71)) & 255;
    const bit = (1 << j) - 1;
    if (register & 2) constant[bit >> 5] ^= 1 << (bit & 31);
  }
  IOTA.push(constant);
}

function permute(state) {
  const columns = new Int32Array(10);
  const row = new Int32Array(10);
  for (const [low, high] of IOTA) {
    for (let at = 0; at < 10; at += 1) columns[at] = state[at] ^ state[at + 10] ^ state[at + 20] ^ state[at + 30] ^ state[at + 40];
    for (let x = 0; x < 5; x += 1) {
      const [before, after] = [2 * ((x + 4) % 5), 2 * ((x + 1) % 5)];
      const lower = columns[before] ^ ((columns[after] << 1) | (columns[after + 1] >>> 31));
      const upper = columns[before + 1] ^ ((columns[after + 1] << 1) | (columns[after] >>> 31));
      for (let at = 2 * x; at < 50; at += 10) (state[at] ^= lower), (state[at + 1] ^= upper);
    }
    let [lower, upper] = [state[2], state[3]];
    for (let t = 0; t < 24; t += 1) {
      const by = OFFSETS[t][1];
      const to = 2 * OFFSETS[(t + 1) % 24][0];
      const [one, other] = by < 32 ? [lower, upper] : [upper, lower];
      const n = by % 32;
      const [newLower, newUpper] = n ? [(one << n) | (other >>> (32 - n)), (other << n) | (one >>> (32 - n))] : [one, other];
      [lower, upper] = [state[to], state[to + 1]];
      [state[to], state[to + 1]] = [newLower, newUpper];
    }
    for (let y = 0; y < 50; y += 10) {
      row.set(state.subarray(y, y + 10));
      for (let at = 0; at < 10; at += 1) state[y + at] = row[at] ^ (~row[(at + 2) % 10] & row[(at + 4) % 10]);
    }
    state[0] ^= low;
    state[1] ^= high;
  }
}

/** Yields the bytes of SHAKE-256 over a message, without end. */
export function* shake256(message) {
  const state = new Int32Array(50);
  const padded = new Uint8Array((Math.floor(message.length / RATE) + 1) * RATE);
  padded.set(message);
  padded[message.length] ^= 0x1f;
  padded[padded.length - 1] ^= 0x80;
  const view = new DataView(padded.buffer);
  for (let block = 0; block < padded.length; block += RATE) {
    for (let at = 0; at < RATE / 4; at += 1) state[at] ^= view.getInt32(block + 4 * at, true);
    permute(state);
  }
  for (;;) {
    const out = new Uint8Array(RATE);
    for (let at = 0; at < RATE / 4; at += 1) new DataView(out.buffer).setInt32(4 * at, state[at], true);
    yield* out;
    permute(state);
  }
}
