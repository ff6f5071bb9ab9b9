// Bytes and texts, without anything that only Node or only browsers have.

/** The bytes of a text in UTF-8. */
export const bytesOfText = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Bytes as hexadecimal digits, without `0x`. */
export function hexOf(bytes: Uint8Array): string {
  let hex = '';
  for (const byte of bytes) hex += byte.toString(16).padStart(2, '0');
  return hex;
}

/** The bytes of hexadecimal digits, with `0x` before them or without; null: they are none. */
export function bytesOfHex(hex: string): Uint8Array | null {
  const digits = hex.replace(/^0x/, '');
  if (!/^(?:[0-9a-fA-F]{2})*$/.test(digits)) return null;
  const bytes = new Uint8Array(digits.length / 2);
  for (let at = 0; at < bytes.length; at++) bytes[at] = Number.parseInt(digits.slice(2 * at, 2 * at + 2), 16);
  return bytes;
}

/** The bytes of a text in base64; null: it is none. */
export function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

export function joinBytes(...parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
