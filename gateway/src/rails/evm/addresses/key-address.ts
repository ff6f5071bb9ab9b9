import { secp256k1 } from '@noble/curves/secp256k1';
import { keccak_256 } from '@noble/hashes/sha3.js';
import type { Hex } from '../config/chains.ts';

/** The address of a public key; lower case. */
export function addressOfKey(publicKey: Uint8Array): Hex {
  // An address is the end of the hash of the uncompressed point, without its first byte.
  const point = secp256k1.ProjectivePoint.fromHex(publicKey).toRawBytes(false).subarray(1);
  return `0x${Buffer.from(keccak_256(point).subarray(12)).toString('hex')}`;
}
