import { crc32, deflateSync } from 'node:zlib';

/** Bit depth and colour type of a pixel (PNG 1.2, 11.2.2): red, green and blue of a byte each, or one bit, which is 1 for white. */
const formats = { colour: [8, 2], bits: [1, 0] } as const;

/**
 * A square picture as PNG.
 * @param size its width and height in pixels
 * @param rows its pixels: each row begins with a byte for its filter, which is 0, and ends at a whole byte
 */
export function squarePng(size: number, format: keyof typeof formats, rows: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set(formats[format], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
