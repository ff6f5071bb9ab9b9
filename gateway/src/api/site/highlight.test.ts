import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { contrastOf, readColours, textContrasts } from '../../../../scripts/look-colours.ts';
import { highlighted } from './highlight.ts';
import { docGroups, root } from './pages.ts';

const textOf = (markup: string): string =>
  markup
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll(/&#(?:39|x27);/g, "'")
    .replaceAll('&amp;', '&');

const fences = docGroups()
  .flatMap(({ pages }) => pages)
  .flatMap(({ file }) => [...readFileSync(join(root, file), 'utf8').matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)])
  .map(([, language = '', code = '']) => ({ language, code }));

test('the text of every piece of code is the same with colours', () => {
  expect(fences.length).toBeGreaterThan(100);
  expect(fences.filter(({ language, code }) => textOf(highlighted(code, language)) !== code)).toEqual([]);
});

test('every language of the documents has colours, but for text and drawings', () => {
  const plain = fences.filter(({ language, code }) => !highlighted(code, language).includes('<span'));
  expect(
    [...new Set(plain.map(({ language }) => language))].filter(
      (each) => !['text', 'mermaid', 'sh'].includes(each),
    ),
  ).toEqual([]);
});

test('code that looks like markup stays text', () => {
  expect(highlighted('<script>alert("&")</script>', 'text')).toBe(
    '&lt;script&gt;alert(&quot;&amp;&quot;)&lt;/script&gt;',
  );
  expect(highlighted('echo "<b>"', 'sh')).not.toContain('<b>');
});

const css = readFileSync(join(root, 'web/docs/code.css'), 'utf8');
const colours = readColours();

test.each(['light', 'dark'] as const)(
  'text and code have at least 4.5:1 with what they stand on, %s',
  (mode) => {
    const [light = '', dark = ''] = css.split('prefers-color-scheme: dark');
    const own = new Map(
      [...(mode === 'light' ? light : dark).matchAll(/--(code-\w+): (#\w+);/g)].map(([, name, value]) => [
        name,
        value,
      ]),
    );
    const colourOf = (name: string) =>
      own.get(name) ?? colours.find((each) => each.name === name)?.[mode] ?? '';
    const used = [...css.matchAll(/(?<![\w-])color: var\(--([\w-]+)\)/g)].map(([, name = '']) => name);
    const ofCode = [...new Set(used), 'ink'].map((name) => ({
      name,
      contrast: contrastOf(colourOf(name), colourOf('sunken')),
    }));
    expect(ofCode.length).toBeGreaterThan(5);
    expect([...textContrasts(mode), ...ofCode].filter(({ contrast }) => !(contrast >= 4.5))).toEqual([]);
  },
);
