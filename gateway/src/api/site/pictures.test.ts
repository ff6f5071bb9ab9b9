import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { root } from './pages.ts';
import { pictureOf, readPicture } from './pictures.ts';

const light = globSync('docs/images/*-light.*', { cwd: root }).sort();

test.each(light)('%s has its size, and a fellow in dark', async (file) => {
  const markup = pictureOf(file, 'What is "seen"');
  expect(markup).toMatch(/ width="[1-9]\d*" height="[1-9]\d*"/);
  expect(markup).toContain('alt="What is &quot;seen&quot;"');
  const addresses = [...markup.matchAll(/(?:src|srcset)="([^"]+)"/g)].map(([, address]) => address ?? '');
  expect(addresses).toEqual([`/${file.replace('-light', '-dark')}`, `/${file}`]);
  for (const address of addresses) {
    const picture = await readPicture(address);
    expect(picture?.type).toBe(file.endsWith('.svg') ? 'image/svg+xml' : 'image/png');
    expect(picture?.text.length).toBeGreaterThan(0);
  }
});

test('nothing else is a picture', async () => {
  expect(pictureOf('docs/api.md', 'a <page>')).toBe('a &lt;page&gt;');
  expect(await readPicture('/docs/images/none-light.png')).toBeNull();
  expect(await readPicture('/docs/images/../api.md')).toBeNull();
});
