import { inflateSync } from 'node:zlib';
import decodeQR from 'qr/decode.js';

const SCALE = 4;

/** What the QR codes of a page say, in their order. */
export function codesIn(page: string): string[] {
  return [...page.matchAll(/<img class="qr"[^>]* src="data:image\/png;base64,([^"]+)">/g)].map(
    ([, png = '']) => decodeQR(paint(modulesOf(png))),
  );
}

/** The modules of a PNG made by `qrImage`, row by row: true is dark. */
export function modulesOf(png: string): boolean[][] {
  const bytes = Buffer.from(png, 'base64');
  const size = bytes.readUInt32BE(16);
  // The data of the picture follows the signature of 8 bytes and the header of 25.
  const length = bytes.readUInt32BE(33);
  const rows = inflateSync(bytes.subarray(41, 41 + length));
  const width = 1 + Math.ceil(size / 8);
  return Array.from({ length: size }, (_row, y) =>
    Array.from({ length: size }, (_module, x) => !((rows[y * width + 1 + (x >> 3)]! >> (7 - (x & 7))) & 1)),
  );
}

/** Paints modules as RGBA pixels. */
function paint(modules: boolean[][]) {
  const size = SCALE * modules.length;
  const data = new Uint8Array(size * size * 4).fill(255);
  for (let pixel = 0; pixel < size * size; pixel++) {
    const [x, y] = [pixel % size, Math.floor(pixel / size)];
    if (modules[Math.floor(y / SCALE)]?.[Math.floor(x / SCALE)]) data.fill(0, pixel * 4, pixel * 4 + 3);
  }
  return { width: size, height: size, data };
}
