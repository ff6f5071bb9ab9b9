import { createHash } from 'node:crypto';

const digits = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
/** BIP-32: version, depth, parent, number, chain code, key; then four bytes of checksum. */
const keyBytes = 78;
const checksumBytes = 4;

/** Whether a text is an extended public key whose checksum is right (Base58Check). */
export function isExtendedKey(text: string): boolean {
  let number = 0n;
  for (const character of text) {
    const digit = digits.indexOf(character);
    if (digit < 0) return false;
    number = number * 58n + BigInt(digit);
  }
  const hex = number.toString(16).padStart(2 * (keyBytes + checksumBytes), '0');
  const bytes = Buffer.from(hex, 'hex');
  if (bytes.length !== keyBytes + checksumBytes) return false;
  const key = bytes.subarray(0, keyBytes);
  return sha256(sha256(key)).subarray(0, checksumBytes).equals(bytes.subarray(keyBytes));
}
