/** The type and size of a picture as read from its bytes, whatever its name or declared type. */
export type Picture = {
  contentType: 'image/png' | 'image/jpeg' | 'image/webp';
  width: number;
  height: number;
};

/** Reads type and size, in pixels, of a PNG, JPEG or WebP; null for anything else. */
export function pictureOf(bytes: Buffer): Picture | null {
  const size = pngSize(bytes);
  if (size) return { contentType: 'image/png', ...size };
  const jpeg = jpegSize(bytes);
  if (jpeg) return { contentType: 'image/jpeg', ...jpeg };
  const webp = webpSize(bytes);
  return webp ? { contentType: 'image/webp', ...webp } : null;
}

type Size = { width: number; height: number };

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');

function pngSize(bytes: Buffer): Size | null {
  const isPng = bytes.length >= 33 && bytes.subarray(0, 8).equals(pngSignature) && tag(bytes, 12) === 'IHDR';
  return isPng ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) } : null;
}

/** The first frame header holds the size; the segments before it are skipped. */
function jpegSize(bytes: Buffer): Size | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null;
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes.readUInt8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

/** The three kinds of WebP hold their size in different places. */
function webpSize(bytes: Buffer): Size | null {
  if (bytes.length < 30 || tag(bytes, 0) !== 'RIFF' || tag(bytes, 8) !== 'WEBP') return null;
  switch (tag(bytes, 12)) {
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
    }
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    default:
      return null;
  }
}

function tag(bytes: Buffer, at: number): string {
  return bytes.toString('latin1', at, at + 4);
}
