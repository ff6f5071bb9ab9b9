// SHA-256 (FIPS 180-4) in plain JavaScript: browsers offer only one that must be waited for, and nothing outside https.

/** The first 32 bits of the fractions of roots of the first primes: cube roots of 64, square roots of 8. */
const cubeRoots = new Uint32Array(64);
const squareRoots = new Uint32Array(8);
fillRoots();

function fillRoots(): void {
  const primes: number[] = [];
  for (let number = 2; primes.length < 64; number++) {
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  }
  for (const [at, prime] of primes.entries()) {
    cubeRoots[at] = (Math.cbrt(prime) % 1) * 2 ** 32;
    if (at < 8) squareRoots[at] = (Math.sqrt(prime) % 1) * 2 ** 32;
  }
}

const turnRight = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** SHA-256 of bytes, which are fewer than 2^32. */
export function sha256(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array((((bytes.length + 8) >> 6) + 1) << 6);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, bytes.length << 3);
  const state = Uint32Array.from(squareRoots);
  const words = new Uint32Array(64);
  for (let from = 0; from < padded.length; from += 64) mixBlock(state, words, view, from);
  const digest = new DataView(new ArrayBuffer(32));
  for (const [at, word] of state.entries()) digest.setUint32(4 * at, word);
  return new Uint8Array(digest.buffer);
}

function mixBlock(state: Uint32Array, words: Uint32Array, view: DataView, from: number): void {
  for (let at = 0; at < 16; at++) words[at] = view.getUint32(from + 4 * at);
  for (let at = 16; at < 64; at++) {
    const early = words[at - 15] ?? 0;
    const late = words[at - 2] ?? 0;
    const low = turnRight(early, 7) ^ turnRight(early, 18) ^ (early >>> 3);
    const high = turnRight(late, 17) ^ turnRight(late, 19) ^ (late >>> 10);
    words[at] = (words[at - 16] ?? 0) + low + (words[at - 7] ?? 0) + high;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let at = 0; at < 64; at++) {
    const high = turnRight(e, 6) ^ turnRight(e, 11) ^ turnRight(e, 25);
    const first = (h + high + ((e & f) ^ (~e & g)) + (cubeRoots[at] ?? 0) + (words[at] ?? 0)) | 0;
    const low = turnRight(a, 2) ^ turnRight(a, 13) ^ turnRight(a, 22);
    const second = (low + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  for (const [at, value] of [a, b, c, d, e, f, g, h].entries()) state[at] = (state[at] ?? 0) + value;
}
