import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import type { Seal } from './seal.ts';

// A seed of Ed25519 becomes a private key of Node behind these bytes (RFC 8410).
const beforeSeed = Buffer.from('302e020100300506032b657004220420', 'hex');
/** The same for a public key. */
export const beforePublicKey = Buffer.from('302a300506032b6570032100', 'hex');

function keyOf(seal: Seal): KeyObject {
  const key = Buffer.concat([beforeSeed, seal.derive('lines of drills')]);
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
}

/** The public key of the installation, which signs what it says of itself: Ed25519, 32 bytes in base64. */
export function installationKey(seal: Seal): string {
  const der = createPublicKey(keyOf(seal)).export({ format: 'der', type: 'spki' });
  return der.subarray(beforePublicKey.length).toString('base64');
}

/** The signature of a text by that key, in base64. Texts of two purposes must not be the same. */
export function signByInstallation(seal: Seal, text: string): string {
  return sign(null, Buffer.from(text), keyOf(seal)).toString('base64');
}
