// Addresses of accounts are base 32: a version byte, the key, and CRC-16 of both. They are read here so that an
// installation that only receives need not load the library that sends.

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const versions = { account: 6 << 3, muxed: 12 << 3 } as const;

/** Whether a text is the address of an account, `G...`, without a typing error. */
export function isAccount(text: string): boolean {
  return text.length === 56 && decode(text, versions.account) !== null;
}

/** Whether a text is an account's address, or a muxed address, `M...`. */
export function isDestination(text: string): boolean {
  return isAccount(text) || (text.length === 69 && decode(text, versions.muxed) !== null);
}

/** Which part of an account a destination `M...` is; null for another text, or a part of another account. */
export function muxedIdOf(account: string, text: string): bigint | null {
  const parts = text.length === 69 ? decode(text, versions.muxed) : null;
  const key = decode(account, versions.account);
  return parts && key?.equals(parts.subarray(0, 32)) ? parts.readBigUInt64BE(32) : null;
}

/** The bytes between version and checksum; null where either is wrong. */
function decode(text: string, version: number): Buffer | null {
  const bytes = fromBase32(text);
  if (!bytes || bytes[0] !== version) return null;
  const end = bytes.length - 2;
  return crc16(bytes.subarray(0, end)) === bytes.readUInt16LE(end) ? bytes.subarray(1, end) : null;
}

function fromBase32(text: string): Buffer | null {
  let bits = 0n;
  for (const letter of text) {
    const value = alphabet.indexOf(letter);
    if (value < 0) return null;
    bits = (bits << 5n) | BigInt(value);
  }
  const surplus = BigInt((text.length * 5) % 8);
  // The surplus bits must be zero, so that each key has only one address.
  if ((bits & ((1n << surplus) - 1n)) !== 0n) return null;
  const length = Math.floor((text.length * 5) / 8);
  return Buffer.from((bits >> surplus).toString(16).padStart(length * 2, '0'), 'hex');
}

/** CRC-16/XMODEM. */
function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
  }
  return crc;
}
