import { expect, test } from 'vitest';
import { llmsText } from './llms.ts';
import { docGroups } from './pages.ts';

test('every page of the documentation stands in llms.txt once, with a sentence', () => {
  const groups = docGroups();
  const lines = llmsText(groups, 'https://pay.example.com').split('\n');
  const pages = groups.flatMap((group) => group.pages);
  expect(pages.length).toBeGreaterThan(40);
  for (const { address, title } of pages) {
    const own = lines.filter((line) => line.startsWith(`- [${title}](https://pay.example.com${address}): `));
    expect(own).toEqual([expect.stringMatching(/\): \p{Lu}?[^|<]{10,400}\.$/u)]);
  }
});
