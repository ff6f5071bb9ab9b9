import { secp256k1 } from '@noble/curves/secp256k1';
import { keccak_256 } from '@noble/hashes/sha3.js';
import type { Hex } from '../config/chains.ts';
import { addressOfKey } from './key-address.ts';

/** The length of a signature's r, s and v in hexadecimal digits. */
const signaturePattern = /^(?:0x)?([0-9a-f]{130})$/i;

/** What wallets sign for a text (EIP-191, `personal_sign`). */
export function messageHash(message: string): Hex {
  const text = Buffer.from(message);
  const signed = Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${text.length}`), text]);
  return `0x${Buffer.from(keccak_256(signed)).toString('hex')}`;
}

/**
 * The address, in lower case, whose key signed a text as wallets sign messages; null: what was given is no signature.
 * The signature of another text gives some address that nobody has.
 */
export function signedBy(message: string, signature: string): Hex | null {
  const digits = signaturePattern.exec(signature)?.[1];
  if (digits === undefined) return null;
  const v = Number.parseInt(digits.slice(128), 16);
  const recovery = v < 27 ? v : v - 27;
  if (recovery !== 0 && recovery !== 1) return null;
  try {
    const point = secp256k1.Signature.fromCompact(digits.slice(0, 128).toLowerCase())
      .addRecoveryBit(recovery)
      .recoverPublicKey(messageHash(message).slice(2));
    return addressOfKey(point.toRawBytes());
  } catch {
    // There is no point of the curve for these numbers.
    return null;
  }
}
