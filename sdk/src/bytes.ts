/** Bytes that Web Crypto takes. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** The bytes of a text. */
export function utf8(text: string): Bytes {
  return new TextEncoder().encode(text);
}

/** The bytes of standard base64, or undefined when the text is none. */
export function fromBase64(text: string): Bytes | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined;
  try {
    return fromLatin1(atob(text));
  } catch {
    return undefined;
  }
}

/** One byte for each character; what is above U+00FF loses its upper bits. */
export function fromLatin1(text: string): Bytes {
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}

/** The two in a row. */
export function joinBytes(first: Bytes, second: Bytes): Bytes {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}
