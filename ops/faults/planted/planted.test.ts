import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changed, readSource, root } from '../../../scripts/mutate/mutation.ts';
import { planted } from './list.ts';
import { plant } from './tree.ts';

test('each fault still applies to the code, and to one place of it', async () => {
  const faults: string[] = [];
  for (const fault of planted) {
    const text = await readSource(fault).catch(() => '');
    try {
      changed(fault, text);
    } catch (error) {
      faults.push((error as Error).message);
    }
  }
  expect(faults).toEqual([]);
  expect(new Set(planted.map(({ name }) => name)).size).toBe(planted.length);
});

test('a copy of the tree has the fault, and the tree itself has not', async () => {
  const fault = planted[0]!;
  const before = await readSource(fault);
  const { tree, remove } = await plant(fault);
  try {
    expect(await readFile(join(tree, fault.file), 'utf8')).toContain(fault.replace);
    expect(await readSource(fault)).toBe(before);
    const other = 'gateway/src/main.ts';
    expect(await readFile(join(tree, other), 'utf8')).toBe(await readFile(join(root, other), 'utf8'));
  } finally {
    await remove();
  }
});
