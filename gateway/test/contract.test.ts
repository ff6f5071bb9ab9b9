import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { errorTable } from '../../scripts/error-table.ts';

// docs/contract.md is what programs rely on: the code cites its sections, and its exact texts are the code's.

const root = join(import.meta.dirname, '../..');
const book = readFileSync(join(root, 'docs/contract.md'), 'utf8');
const anchors = new Set(
  [...book.matchAll(/^## (.+)$/gm)].map(([, title = '']) => title.toLowerCase().replaceAll(' ', '-')),
);

/** Texts with what is filled in left open: the book writes assets in capitals. */
const open = (text: string) => text.replace(/\{\w+\}/g, '{}');

test('every citation names a section of the book', () => {
  const files = globSync(
    '{gateway,cli,sdk,web,scripts,contracts,bench,receiver-check,examples}/**/*.{ts,tsx,mjs,md}',
    {
      cwd: root,
      exclude: (path) => path.includes('node_modules') || path.includes('dist'),
    },
  );
  const cited = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/contract\.md(?:#| (?=\d))([\w-]+)/g)].map(
      ([whole, name = '']) => ({
        file,
        whole,
        isKnown: whole.includes('#') && anchors.has(name),
      }),
    ),
  );
  expect(cited.length).toBeGreaterThan(100);
  expect(cited.filter(({ isKnown }) => !isKnown)).toEqual([]);
});

describe('every exact text of a table', () => {
  const texts = [...book.matchAll(/^\| \d{3}[\d, ]*\s*\| (.+?) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text),
  );

  test('is a text of the code', () => {
    const known = new Set(errorTable.map(({ message }) => open(message)));
    expect(texts.length).toBeGreaterThan(40);
    expect(texts.filter((text) => !known.has(open(text)))).toEqual([]);
  });
});
