import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { ChainNotInstalled, chainProgram, installChain } from './program.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'florin-chain-'));
  await mkdir(join(root, 'scripts'));
  const own = root;
  onTestFinished(() => rm(own, { recursive: true }));
});

/** In place of the real installer, which has tests of its own. */
async function installerThat(code: string): Promise<void> {
  const lines = ["import { mkdirSync, writeFileSync } from 'node:fs';", code];
  await writeFile(join(root, 'scripts/install.mjs'), lines.join('\n'));
}

const bringsIt = (program: string) => `
if (process.argv[2] !== '--with-chain') process.exit(9);
mkdirSync(${JSON.stringify(dirname(program))}, { recursive: true });
writeFileSync(${JSON.stringify(program)}, '');`;

test('the program of the local chain is where its package is', () => {
  expect(existsSync(chainProgram())).toBe(true);
});

test('a chain that is not there is installed once', async () => {
  await installerThat(bringsIt(chainProgram(root)));
  await installChain(root);
  expect(existsSync(chainProgram(root))).toBe(true);
  await installerThat('process.exit(1);');
  await installChain(root);
});

test('a chain that cannot be installed ends the start, and its reason is given without a stack', async () => {
  await installerThat('process.exit(1);');
  await expect(installChain(root)).rejects.toThrow(ChainNotInstalled);
  await expect(installChain(root)).rejects.toThrow('the local chain of --chain could not be installed');
  await installerThat('');
  await expect(installChain(root)).rejects.toThrow('does not run on');
});
