import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changed, type Mutation, readSource, root } from './mutation.ts';

/**
 * What the type checker says against the changes, all made at once in a copy: a change that it refuses would test the
 * type checker. Those that lie in one another are made in copies of their own.
 */
export async function typeFaults(mutations: readonly Mutation[]): Promise<string[]> {
  const faults: string[] = [];
  let left = mutations.filter(({ file }) => file.endsWith('.ts'));
  while (left.length > 0) {
    const { texts, others } = await made(left);
    faults.push(...(await check(texts)));
    left = others;
  }
  return faults;
}

/** The texts with as many changes as can be made together, and the changes that are left. */
async function made(
  mutations: readonly Mutation[],
): Promise<{ texts: Map<string, string>; others: Mutation[] }> {
  const texts = new Map<string, string>();
  const others: Mutation[] = [];
  for (const mutation of mutations) {
    const text = texts.get(mutation.file) ?? (await readSource(mutation));
    if (text.split(mutation.find).length === 2) texts.set(mutation.file, changed(mutation, text));
    else others.push(mutation);
  }
  return { texts, others };
}

async function check(texts: ReadonlyMap<string, string>): Promise<string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'florin-mutations-'));
  try {
    for (const part of [
      'gateway',
      'receiver-check',
      'examples',
      'web/proof',
      'package.json',
      'tsconfig.json',
    ]) {
      const isOurs = (path: string) => !/\/(?:node_modules|dist|data)(?:\/|$)/.test(path.slice(root.length));
      await cp(join(root, part), join(directory, part), { recursive: true, filter: isOurs });
    }
    for (const packages of ['node_modules', 'gateway/node_modules']) {
      const from = join(root, packages);
      if (existsSync(from)) await symlink(from, join(directory, packages), 'junction');
    }
    for (const [path, text] of texts) await writeFile(join(directory, path), text);
    const project = { extends: './tsconfig.json', include: ['gateway/src'], exclude: ['**/*.test.ts'] };
    await writeFile(join(directory, 'changed.json'), JSON.stringify(project));
    return await tsc(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function tsc(directory: string): Promise<string[]> {
  const program = join(root, 'node_modules', '.bin', 'tsc');
  const args = ['--noEmit', '--pretty', 'false', '--checkers', '1', '-p', 'changed.json'];
  const child = spawn(program, args, { cwd: directory, shell: process.platform === 'win32' });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code === 0) return [];
  return output.split('\n').filter((line) => line.trim() !== '');
}
