import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { brandColors, colorOf, contrastOf, papers } from './brand-color.ts';

const anyColor = fc
  .integer({ min: 0, max: 0xffffff })
  .map((bits) => `#${bits.toString(16).padStart(6, '0')}`);
const [onLight, onDark] = ['#ffffff', '#141310'];

describe('the colour of a brand', () => {
  test('can be read on every paper, whatever it is, and so can what stands on a button in it', () => {
    const isReadable = (color: string, on: readonly string[]) =>
      on.every((paper) => contrastOf(color, paper) >= 4.5);
    const holds = (color: string) => {
      const { light, lightStrong, dark, darkStrong } = brandColors(color);
      return (
        [light, lightStrong].every((each) => isReadable(each, [...papers.light, onLight])) &&
        [dark, darkStrong].every((each) => isReadable(each, [...papers.dark, onDark]))
      );
    };
    fc.assert(fc.property(anyColor, holds), { numRuns: 2_000 });
  });

  test('stays as it is where it can be read', () => {
    fc.assert(
      fc.property(anyColor, (color) => {
        const { light, dark } = brandColors(color);
        return brandColors(light).light === light && brandColors(dark).dark === dark;
      }),
    );
    expect(brandColors('#7a1f3d').light).toBe('#7a1f3d');
    expect(brandColors('#ffd400').dark).toBe('#ffd400');
  });

  test('is corrected towards black on light paper and towards white on dark paper, and no further than it must', () => {
    const { light, dark } = brandColors('#ffd400');
    expect([light, dark]).toEqual(['#806a00', '#ffd400']);
    expect(Math.min(...papers.light.map((paper) => contrastOf(light, paper)))).toBeLessThan(4.7);
    const blue = brandColors('#0000ff');
    expect(blue.light).toBe('#0000ff');
    expect(Math.min(...papers.dark.map((paper) => contrastOf(blue.dark, paper)))).toBeLessThan(4.7);
  });

  test('is written as #rrggbb and in no other way', () => {
    expect(colorOf('#A1B2C3')).toBe('#a1b2c3');
    for (const text of [
      '',
      'red',
      '#abc',
      '#12345678',
      'a1b2c3',
      '#a1b2cg',
      '#a1b2c3;',
      ' #a1b2c3',
      '#a1b2c3\n',
    ])
      expect(colorOf(text)).toBeNull();
  });
});

test('contrast is that of the standard', () => {
  expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  expect(contrastOf('#123456', '#123456')).toBe(1);
});

test('the papers are those of the style sheet that all pages share', () => {
  const sheet = readFileSync(join(import.meta.dirname, '../../../../web/tokens.css'), 'utf8');
  const [light = '', dark = ''] = sheet.split('@media (prefers-color-scheme: dark)');
  const isPaper = /--(?:paper|surface|sunken|\w+-soft): (#[0-9a-f]{6});/g;
  const papersOf = (part: string) => [...part.matchAll(isPaper)].map(([, color]) => color);
  expect(new Set(papersOf(light))).toEqual(new Set(papers.light));
  expect(new Set(papersOf(dark))).toEqual(new Set(papers.dark));
  expect([light, dark].map((part) => /--on-accent: (#\w+);/.exec(part)?.[1])).toEqual([onLight, onDark]);
});
