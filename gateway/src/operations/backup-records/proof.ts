import { createPublicKey, verify } from 'node:crypto';
import { beforePublicKey, installationKey, signByInstallation } from '../../kit/installation-key.ts';
import type { Seal } from '../../kit/seal.ts';

/** JSON and its signature in base64, parted by a space. */
export function signedLine(seal: Seal, content: object): string {
  const text = JSON.stringify({ ...content, key: installationKey(seal) });
  return `${text} ${signByInstallation(seal, text)}`;
}

/** Whether a line is as it was signed by the owner of the public key. */
export function isSignedBy(line: string, key: string): boolean {
  const at = line.lastIndexOf(' ');
  const der = Buffer.concat([beforePublicKey, Buffer.from(key, 'base64')]);
  const publicKey = createPublicKey({ key: der, format: 'der', type: 'spki' });
  return verify(null, Buffer.from(line.slice(0, at)), publicKey, Buffer.from(line.slice(at + 1), 'base64'));
}
