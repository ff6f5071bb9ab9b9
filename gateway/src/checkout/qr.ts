import { encodeQR } from 'qr';
import { type Html, html } from '../kit/http/html.ts';
import { squarePng } from '../kit/pages/png.ts';

/** Width of the white border that scanners need around a code, in modules (ISO/IEC 18004). */
const QUIET_ZONE = 4;

/**
 * Draws a text as a QR code: a picture inside the page, black on white in every colour scheme, with an accessible name.
 * Compressed it is half as long as an SVG of the same code, since it has a bit for each module.
 * Throws when the text is longer than a QR code can hold (some 2,300 bytes).
 */
export function qrImage(text: string, label: string): Html {
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET_ZONE });
  const size = modules.length;
  const png = squarePng(size, 'bits', Buffer.concat(modules.map(rowOf)));
  return html`<img class="qr" alt="${label}" width="${size}" height="${size}" src="data:image/png;base64,${png.toString('base64')}">`;
}

/** A row of modules for the PNG: its filter, which is none, then one bit for each module, 0 where it is dark. */
function rowOf(modules: boolean[]): Buffer {
  const row = Buffer.alloc(1 + Math.ceil(modules.length / 8), 0xff).fill(0, 0, 1);
  for (const [x, isDark] of modules.entries()) {
    const at = 1 + (x >> 3);
    if (isDark) row.writeUInt8(row.readUInt8(at) & ~(0x80 >> (x & 7)), at);
  }
  return row;
}
