import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { artifacts } from './contracts.ts';

test('what the gateway deploys is what the contracts compile to', async () => {
  for (const [path, text] of await artifacts()) expect(await readFile(path, 'utf8'), path).toBe(text);
});
