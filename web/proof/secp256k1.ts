import { bytesOfHex, bytesOfText, hexOf, joinBytes } from './bytes.ts';
import { keccak256 } from './keccak.ts';

// Whose key signed a text, as wallets sign messages (EIP-191). It handles no secret, so its time may follow from its input.

/** The field, the order of the group, and its generator (SEC 2, secp256k1). */
const field = 2n ** 256n - 2n ** 32n - 977n;
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const generator = {
  x: 0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n,
  y: 0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8n,
};

/** A point as (x / z^2, y / z^3); z is 0 for the neutral one. */
type Jacobian = { x: bigint; y: bigint; z: bigint };
const neutral: Jacobian = { x: 1n, y: 1n, z: 0n };

const mod = (value: bigint, by = field): bigint => ((value % by) + by) % by;

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let square = base, left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * square) % field;
    square = (square * square) % field;
  }
  return result;
}

function inverse(value: bigint, by: bigint): bigint {
  let [low, high, one, other] = [mod(value, by), by, 1n, 0n];
  while (low > 1n) {
    const ratio = high / low;
    [low, high, one, other] = [high - ratio * low, low, other - ratio * one, one];
  }
  return mod(one, by);
}

function double({ x, y, z }: Jacobian): Jacobian {
  const square = mod(y * y);
  const s = mod(4n * x * square);
  const m = mod(3n * x * x);
  const next = mod(m * m - 2n * s);
  return { x: next, y: mod(m * (s - next) - 8n * square * square), z: mod(2n * y * z) };
}

function add(one: Jacobian, other: Jacobian): Jacobian {
  if (one.z === 0n) return other;
  if (other.z === 0n) return one;
  const [z1, z2] = [mod(one.z * one.z), mod(other.z * other.z)];
  const [u1, u2] = [mod(one.x * z2), mod(other.x * z1)];
  const [s1, s2] = [mod(one.y * z2 * other.z), mod(other.y * z1 * one.z)];
  if (u1 === u2) return s1 === s2 ? double(one) : neutral;
  const [h, r] = [mod(u2 - u1), mod(s2 - s1)];
  const [h2, h3] = [mod(h * h), mod(h * h * h)];
  const x = mod(r * r - h3 - 2n * u1 * h2);
  return { x, y: mod(r * (u1 * h2 - x) - s1 * h3), z: mod(h * one.z * other.z) };
}

function times(point: Jacobian, factor: bigint): Jacobian {
  let result = neutral;
  for (let sum = point, left = factor; left > 0n; left >>= 1n) {
    if (left & 1n) result = add(result, sum);
    sum = double(sum);
  }
  return result;
}

/** What wallets hash of a text before they sign it. */
export function messageHash(text: string): Uint8Array {
  const bytes = bytesOfText(text);
  return keccak256(joinBytes(bytesOfText(`\x19Ethereum Signed Message:\n${bytes.length}`), bytes));
}

const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${hexOf(bytes)}`);

/** The address whose key signed a text, in lower case; null: what was given is no signature (r, s and v, 65 bytes). */
export function signerOf(text: string, signature: string): string | null {
  const bytes = bytesOfHex(signature);
  if (bytes?.length !== 65) return null;
  const [r, s] = [numberOf(bytes.subarray(0, 32)), numberOf(bytes.subarray(32, 64))];
  const v = bytes[64] ?? 0;
  const parity = v < 27 ? v : v - 27;
  if (r === 0n || s === 0n || r >= order || s >= order || parity > 1) return null;
  const squared = mod(r * r * r + 7n);
  const root = power(squared, (field + 1n) / 4n);
  if (mod(root * root) !== squared) return null;
  const point = { x: r, y: root % 2n === BigInt(parity) ? root : field - root, z: 1n };
  const back = inverse(r, order);
  const hash = numberOf(messageHash(text));
  const key = add(
    times({ ...generator, z: 1n }, mod(-hash * back, order)),
    times(point, mod(s * back, order)),
  );
  return key.z === 0n ? null : addressOf(key);
}

/** The end of the hash of the point, as 64 bytes. */
function addressOf({ x, y, z }: Jacobian): string {
  const back = inverse(z, field);
  const [plainX, plainY] = [mod(x * back * back), mod(y * back * back * back)];
  const digits = [plainX, plainY].map((each) => each.toString(16).padStart(64, '0')).join('');
  return `0x${hexOf(keccak256(bytesOfHex(digits) ?? new Uint8Array()).subarray(12))}`;
}
