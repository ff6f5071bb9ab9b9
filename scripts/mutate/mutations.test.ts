import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mutations } from './list/all.ts';
import { changed, readSource, root, testsOf } from './mutation.ts';
import { readVerdicts } from './verdicts.ts';

test('each change of the list still applies to the code, and to one place of it', async () => {
  const faults: string[] = [];
  for (const mutation of mutations) {
    const text = await readSource(mutation).catch(() => '');
    try {
      changed(mutation, text);
    } catch (error) {
      faults.push((error as Error).message);
    }
  }
  expect(faults).toEqual([]);
});

test('each has a name of its own, and tests that are there', () => {
  expect(new Set(mutations.map(({ name }) => name)).size).toBe(mutations.length);
  const missing = mutations.flatMap(testsOf).filter((path) => !existsSync(join(root, path)));
  expect(missing).toEqual([]);
});

test('each was killed when it was last made, or has the reason why nobody could notice it', async () => {
  const verdicts = await readVerdicts();
  const open = mutations.filter(({ name, same }) => {
    const verdict = verdicts[name]?.verdict;
    return verdict !== 'killed' && !(verdict === 'survived' && same !== undefined);
  });
  expect(open.map(({ name }) => name)).toEqual([]);
  expect(Object.keys(verdicts).filter((name) => !mutations.some((each) => each.name === name))).toEqual([]);
});
