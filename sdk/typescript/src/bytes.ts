/** Bytes that Web Crypto takes. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** The bytes of a text. */
export function utf8(text: string): Bytes {
  return new TextEncoder().encode(text);
}

/** The bytes of standard base64; undefined for another text. */
export function fromBase64(text: string): Bytes | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined;
  try {
    return fromLatin1(atob(text));
  } catch {
    return undefined;
  }
}

/** One byte for each character; characters above U+00FF lose their upper bits. */
export function fromLatin1(text: string): Bytes {
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}

/** Both, one after the other. */
export function joinBytes(first: Bytes, second: Bytes): Bytes {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}

/** The bytes of hexadecimal digits. */
export function fromHex(digits: string): Bytes {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
