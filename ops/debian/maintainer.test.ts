import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '../../gateway/test/support/data-dir.ts';
import { maintainerOf, unnamed } from './package.ts';

test('a package names the author of its clone, or nobody', async () => {
  const folder = await testFolder();
  const of = async (more: object) => {
    await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'florin', ...more }));
    return maintainerOf(folder);
  };
  expect(await of({ author: 'Jane Doe <jane@example.com>' })).toBe('Jane Doe <jane@example.com>');
  expect(await of({})).toBe(unnamed);
  for (const author of ['Jane Doe', 'Jane <jane@example.com>\nDepends: evil', { name: 'Jane' }, ''])
    await expect(of({ author })).rejects.toThrow('not as Name <name@example.com>');
});
