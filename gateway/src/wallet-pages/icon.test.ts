import { crc32, inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { iconPng, iconSvg } from './icon.ts';

/** The colour of a pixel of a PNG of 8-bit RGB whose rows have no filter. */
function reader(png: Buffer) {
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const named = png.subarray(at + 4, at + 8 + length);
    expect(png.readUInt32BE(at + 8 + length)).toBe(crc32(named));
    chunks.set(named.subarray(0, 4).toString(), named.subarray(4));
    at += 12 + length;
  }
  expect([...chunks.keys()]).toEqual(['IHDR', 'IDAT', 'IEND']);
  const size = chunks.get('IHDR')?.readUInt32BE(0) ?? 0;
  const rows = inflateSync(chunks.get('IDAT') ?? Buffer.alloc(0));
  return {
    size,
    at: (x: number, y: number) => rows.subarray(y * (1 + size * 3) + 1 + x * 3).toString('hex', 0, 3),
  };
}

test('the large icon of an app has the same picture, smooth at its edges', () => {
  const { size, at } = reader(iconPng(512));
  expect(size).toBe(512);
  expect([at(0, 0), at(256, 100), at(212, 300)]).toEqual(['fbfaf7', 'c58b12', 'ffffff']);
  const edge = Array.from({ length: 60 }, (_, x) => at(90 + x, 150));
  expect(edge.some((colour) => colour !== 'fbfaf7' && colour !== 'c58b12')).toBe(true);
});

test('the icon for home screens is the picture of the other one, on a ground without holes', () => {
  const png = iconPng(180);
  expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
  const { size, at } = reader(png);
  expect(size).toBe(180);
  const [paper, gold, white] = ['fbfaf7', 'c58b12', 'ffffff'];
  expect([at(0, 0), at(179, 179), at(90, 40), at(130, 120)]).toEqual([paper, paper, gold, gold]);
  // The stem, and both arms.
  expect([at(74, 100), at(100, 59), at(100, 90)]).toEqual([white, white, white]);
  for (const colour of [paper, gold]) expect(iconSvg).toContain(`#${colour}`);
});
