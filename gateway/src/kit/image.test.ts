import { describe, expect, test } from 'vitest';
import { pictureOf } from './image.ts';

/** The beginnings of real files, each 3 by 2 pixels. */
const files = {
  'image/png':
    'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg==',
  'image/webp': 'UklGRh4AAABXRUJQVlA4TBEAAAAvAkAAAAcQ/Y/+ByLif8AAAA==',
};

const jpeg = Buffer.concat([
  Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'),
  Buffer.from('ffc0000b080002000301011100', 'hex'),
]);

/** `VP8 ` and `VP8X` headers, which hold the size elsewhere. */
function webp(kind: string, size: string): Buffer {
  const head = Buffer.from(`RIFF\0\0\0\0WEBP${kind}`, 'latin1');
  return Buffer.concat([head, Buffer.from(size, 'hex'), Buffer.alloc(8)]);
}

describe('a picture', () => {
  test.each(Object.entries(files))('of type %s is known by its bytes', (contentType, base64) => {
    expect(pictureOf(Buffer.from(base64, 'base64'))).toEqual({ contentType, width: 3, height: 2 });
  });

  test('that is a JPEG has its size after other segments', () => {
    expect(pictureOf(jpeg)).toEqual({ contentType: 'image/jpeg', width: 3, height: 2 });
  });

  test.each([
    ['VP8X', '0a000000000000000200000100000000'],
    ['VP8 ', '000000000000009d012a03000200'],
  ])('that is a WebP of kind %s has its size read', (kind, size) => {
    expect(pictureOf(webp(kind, size))).toEqual({ contentType: 'image/webp', width: 3, height: 2 });
  });

  test.each([
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['HTML', '<!doctype html><script>alert(1)</script>'],
    ['a GIF', 'GIF89a\x03\0\x02\0'],
    ['nothing', ''],
    ['a JPEG cut short', '\xff\xd8\xff'],
    ['a RIFF file of another kind', `RIFF\0\0\0\0WAVEfmt ${'\0'.repeat(20)}`],
  ])('is not read from %s', (_, text) => {
    expect(pictureOf(Buffer.from(text, 'latin1'))).toBeNull();
  });
});
