import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts secrets at rest under the installation's master key. */
export type Seal = {
  seal(text: string): Buffer;
  open(sealed: Buffer): string;
  /** A key of 32 bytes for one purpose, the same in every process. From one key no other can be computed. */
  derive(purpose: string): Buffer;
};

const nonceBytes = 12;
const tagBytes = 16;

/** AES-256-GCM; a sealed value is nonce, tag and ciphertext. Opening throws when a bit was changed. */
export function createSeal(masterKey: Buffer): Seal {
  if (masterKey.length !== 32) throw new Error('The master key must be 32 bytes');
  return {
    seal(text) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', masterKey, nonce);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]);
    },
    open(sealed) {
      const nonce = sealed.subarray(0, nonceBytes);
      const decipher = createDecipheriv('aes-256-gcm', masterKey, nonce);
      decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
      const body = sealed.subarray(nonceBytes + tagBytes);
      return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
    },
    derive: (purpose) => Buffer.from(hkdfSync('sha256', masterKey, '', `florin ${purpose}`, 32)),
  };
}
