// Keccak-256 as chains of the EVM use it: Keccak before the padding of SHA-3 was changed.

const wordMask = 2n ** 64n - 1n;
const rate = 136;
const rounds = 24;

const turnLeft = (word: bigint, by: bigint): bigint => ((word << by) | (word >> (64n - by))) & wordMask;

/** The constant of each round, from a shift register of 8 bits. */
const roundConstants = Array.from({ length: rounds }, (_, round) => {
  let constant = 0n;
  for (let bit = 0; bit < 7; bit++) {
    if (registerBit(7 * round + bit)) constant |= 1n << BigInt(2 ** bit - 1);
  }
  return constant;
});

function registerBit(steps: number): boolean {
  let register = 1;
  for (let step = 0; step < steps % 255; step++) {
    register <<= 1;
    if (register & 0x100) register ^= 0x171;
  }
  return (register & 1) === 1;
}

/** Keccak-256 of bytes. */
export function keccak256(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.floor(bytes.length / rate + 1) * rate);
  padded.set(bytes);
  padded[bytes.length] = 1;
  padded[padded.length - 1] = (padded[padded.length - 1] ?? 0) | 0x80;
  const view = new DataView(padded.buffer);
  const state = new Array<bigint>(25).fill(0n);
  for (let from = 0; from < padded.length; from += rate) {
    for (let at = 0; at < rate / 8; at++) {
      state[at] = (state[at] ?? 0n) ^ view.getBigUint64(from + 8 * at, true);
    }
    for (const constant of roundConstants) permute(state, constant);
  }
  const digest = new DataView(new ArrayBuffer(32));
  for (let at = 0; at < 4; at++) digest.setBigUint64(8 * at, state[at] ?? 0n, true);
  return new Uint8Array(digest.buffer);
}

function permute(state: bigint[], constant: bigint): void {
  const at = (x: number, y: number): bigint => state[(x % 5) + 5 * (y % 5)] ?? 0n;
  const columns = [0, 1, 2, 3, 4].map((x) => at(x, 0) ^ at(x, 1) ^ at(x, 2) ^ at(x, 3) ^ at(x, 4));
  const column = (x: number): bigint => columns[(x + 5) % 5] ?? 0n;
  for (let place = 0; place < 25; place++) {
    const x = place % 5;
    state[place] = (state[place] ?? 0n) ^ column(x - 1) ^ turnLeft(column(x + 1), 1n);
  }
  let [x, y, moved] = [1, 0, at(1, 0)];
  for (let step = 0; step < 24; step++) {
    [x, y] = [y, (2 * x + 3 * y) % 5];
    const next = at(x, y);
    state[x + 5 * y] = turnLeft(moved, BigInt((((step + 1) * (step + 2)) / 2) % 64));
    moved = next;
  }
  for (let row = 0; row < 5; row++) {
    const words = [0, 1, 2, 3, 4].map((each) => at(each, row));
    const word = (each: number): bigint => words[each % 5] ?? 0n;
    for (let each = 0; each < 5; each++) {
      state[each + 5 * row] = word(each) ^ (~word(each + 1) & wordMask & word(each + 2));
    }
  }
  state[0] = at(0, 0) ^ constant;
}
