import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import type { Seal } from '../../kit/seal.ts';

// A seed of Ed25519 becomes a private key of Node behind these bytes (RFC 8410).
const beforeSeed = Buffer.from('302e020100300506032b657004220420', 'hex');
const beforePublic = Buffer.from('302a300506032b6570032100', 'hex');

function keyOf(seal: Seal): KeyObject {
  const key = Buffer.concat([beforeSeed, seal.derive('lines of drills')]);
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
}

/** The public key that the lines of drills are signed with: Ed25519, 32 bytes in base64. */
export function drillKey(seal: Seal): string {
  const der = createPublicKey(keyOf(seal)).export({ format: 'der', type: 'spki' });
  return der.subarray(beforePublic.length).toString('base64');
}

/** JSON and its signature in base64, parted by a space. */
export function signedLine(seal: Seal, content: object): string {
  const text = JSON.stringify({ ...content, key: drillKey(seal) });
  return `${text} ${sign(null, Buffer.from(text), keyOf(seal)).toString('base64')}`;
}

/** Whether a line is as it was signed by the owner of the public key. */
export function isSignedBy(line: string, key: string): boolean {
  const at = line.lastIndexOf(' ');
  const der = Buffer.concat([beforePublic, Buffer.from(key, 'base64')]);
  const publicKey = createPublicKey({ key: der, format: 'der', type: 'spki' });
  return verify(null, Buffer.from(line.slice(0, at)), publicKey, Buffer.from(line.slice(at + 1), 'base64'));
}
