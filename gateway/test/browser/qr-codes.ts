import decodeQR from 'qr/decode.js';

const SCALE = 4;

/** What the QR codes of a page say, in their order. */
export function codesIn(page: string): string[] {
  return [...page.matchAll(/<svg class="qr".*?<\/svg>/gs)].map(([svg]) => decodeQR(paint(svg)));
}

/** Paints the dark runs of an SVG made by `qrSvg` as RGBA pixels. */
function paint(svg: string) {
  const size = SCALE * +(svg.match(/viewBox="0 0 (\d+)/)?.[1] ?? 0);
  const data = new Uint8Array(size * size * 4).fill(255);
  const [, path = ''] = svg.match(/stroke="#000" d="([^"]*)"/) ?? [];
  let [x, y] = [0, 0];
  for (const [, command, first = '', second = ''] of path.matchAll(/([Mmh])(\d+)(?: ([\d.]+))?/g)) {
    if (command === 'M') [x, y] = [+first, Math.floor(+second)];
    if (command === 'm') x += +first;
    if (command !== 'h') continue;
    for (let row = y * SCALE; row < (y + 1) * SCALE; row++) {
      const start = (row * size + x * SCALE) * 4;
      for (let pixel = start; pixel < start + +first * SCALE * 4; pixel += 4) data.fill(0, pixel, pixel + 3);
    }
    x += +first;
  }
  return { width: size, height: size, data };
}
