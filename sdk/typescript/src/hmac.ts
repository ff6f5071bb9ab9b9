import type { Bytes } from './bytes.ts';
import { webCrypto } from './web-crypto.ts';

/** Standard base64 of HMAC-SHA256. */
export async function hmacSha256(key: Bytes, message: Bytes): Promise<string> {
  const { subtle } = await webCrypto();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await subtle.importKey('raw', key, algorithm, false, ['sign']);
  const signature = await subtle.sign('HMAC', imported, message);
  return btoa(String.fromCharCode(...new Uint8Array(signature)));
}

/** Compares two texts in constant time, so that the time does not show where they differ. */
export function equalInConstantTime(expected: string, given: string): boolean {
  let difference = expected.length ^ given.length;
  for (let index = 0; index < expected.length; index++) {
    difference |= expected.charCodeAt(index) ^ given.charCodeAt(index % (given.length || 1));
  }
  return difference === 0;
}
