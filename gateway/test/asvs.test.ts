import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const rows = readFileSync(join(root, 'docs/asvs.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) =>
    line
      .slice(1, -1)
      .split(' | ')
      .map((cell) => cell.trim()),
  );

// The requirements of ASVS 4.0.3 for level 1 and 2 by section, from its published list; what it has deleted and what is
// for level 3 alone is left out.
const sections: Record<string, string> = {
  ...{ '1.1': '1-7', '1.2': '1-4', '1.4': '1 4 5', '1.5': '1-4', '1.6': '1-4', '1.7': '1 2', '1.8': '1 2' },
  ...{ '1.9': '1 2', '1.10': '1', '1.11': '1 2', '1.12': '2', '1.14': '1-6' },
  ...{ '2.1': '1-12', '2.2': '1-3', '2.3': '1-3', '2.4': '1-6', '2.5': '1-7', '2.6': '1-3', '2.7': '1-6' },
  ...{ '2.8': '1-7', '2.9': '1-3', '2.10': '1-4' },
  ...{ '3.1': '1', '3.2': '1-4', '3.3': '1-4', '3.4': '1-5', '3.5': '1-3', '3.7': '1' },
  ...{ '4.1': '1-3 5', '4.2': '1 2', '4.3': '1-3' },
  ...{ '5.1': '1-5', '5.2': '1-8', '5.3': '1-10', '5.4': '1-3', '5.5': '1-4' },
  ...{ '6.1': '1-3', '6.2': '1-6', '6.3': '1 2', '6.4': '1 2' },
  ...{ '7.1': '1-4', '7.2': '1 2', '7.3': '1 3 4', '7.4': '1-3' },
  ...{ '8.1': '1-4', '8.2': '1-3', '8.3': '1-8' },
  ...{ '9.1': '1-3', '9.2': '1-4' },
  ...{ '10.2': '1 2', '10.3': '1-3' },
  ...{ '11.1': '1-8' },
  ...{ '12.1': '1-3', '12.2': '1', '12.3': '1-6', '12.4': '1 2', '12.5': '1 2', '12.6': '1' },
  ...{ '13.1': '1 3-5', '13.2': '1-3 5 6', '13.3': '1 2', '13.4': '1 2' },
  ...{ '14.1': '1-4', '14.2': '1-6', '14.3': '2 3', '14.4': '1-7', '14.5': '1-4' },
};
const required = Object.entries(sections).flatMap(([section, parts]) =>
  parts.split(' ').flatMap((part) => {
    const [first = 0, last = first] = part.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => `${section}.${first + index}`);
  }),
);

test('each requirement of level 1 and 2 stands there once, and no other', () => {
  expect(rows.map(([number]) => number).sort()).toEqual([...required].sort());
});

test('each is met or does not apply, and says what shows it or why', () => {
  for (const [number, asked, verdict, shown, ...more] of rows) {
    const has = { asked: asked !== '', verdict, shown: (shown?.length ?? 0) > 10, more };
    const isKnown = verdict === 'pass' || verdict === 'not applicable';
    expect([number, has]).toEqual([
      number,
      { asked: true, verdict: isKnown ? verdict : 'pass or not applicable', shown: true, more: [] },
    ]);
  }
});

test('what is named there exists', () => {
  const paths = rows.flatMap(([number, , , shown = '']) =>
    [...shown.matchAll(/`([^`]+)`/g)]
      .map(([, path = '']) => ({ number, path }))
      .filter(({ path }) => path.includes('/') && !path.startsWith('/')),
  );
  expect(paths.length).toBeGreaterThan(150);
  expect(paths.filter(({ path }) => !existsSync(join(root, path)))).toEqual([]);
});
