import { copyFile, link, mkdir, mkdtemp, readdir, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changed, readSource, root } from '../../../scripts/mutate/mutation.ts';
import type { Planted } from './list.ts';

/** What no gateway reads, or what it makes anew. */
const leftOut = new Set(['.git', 'data', 'node_modules', 'gateway']);

/** A copy of the tree whose gateway has a fault. All else is of this tree, by links. */
export async function plant(fault: Planted): Promise<{ tree: string; remove(): Promise<void> }> {
  const tree = await mkdtemp(join(tmpdir(), 'florin-planted-'));
  for (const entry of await readdir(root, { withFileTypes: true })) {
    if (!leftOut.has(entry.name)) await symlink(join(root, entry.name), join(tree, entry.name));
  }
  await symlink(join(root, 'node_modules'), join(tree, 'node_modules'));
  await copy('gateway', tree);
  const file = join(tree, fault.file);
  const text = changed(fault, await readSource(fault));
  // The link alone: the file itself is that of this tree.
  await unlink(file);
  await writeFile(file, text);
  return { tree, remove: () => rm(tree, { recursive: true, force: true }) };
}

async function copy(folder: string, tree: string): Promise<void> {
  await mkdir(join(tree, folder), { recursive: true });
  for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.name === 'node_modules') await symlink(join(root, path), join(tree, path));
    else if (entry.isDirectory()) await copy(path, tree);
    else await linkOrCopy(join(root, path), join(tree, path));
  }
}

/** Hard links lead to no other disk. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  await link(from, to).catch(() => copyFile(from, to));
}
