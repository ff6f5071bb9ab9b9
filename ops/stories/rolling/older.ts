import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../../scripts/programs.ts';

/** The sources of an older commit, in a folder of their own. */
export type Older = { tree: string; remove(): Promise<void> };

const git = (...args: string[]) => promisify(execFile)('git', ['-C', root, ...args]);

/** Checks out `commit` in a temporary folder, where it runs with the packages of this checkout. */
export async function checkOut(commit: string): Promise<Older> {
  const tree = await mkdtemp(join(tmpdir(), 'florin-older-'));
  const remove = async () => {
    await git('worktree', 'remove', '--force', tree).catch(() => {});
    await rm(tree, { recursive: true, force: true });
  };
  try {
    await git('worktree', 'add', '--detach', tree, commit);
    for (const packages of ['node_modules', 'gateway/node_modules', 'cli/node_modules'])
      await link(join(root, packages), join(tree, packages));
    await linkOwn(tree);
    return { tree, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Links to each package that does not belong to the repository. */
async function link(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from, { withFileTypes: true }).catch(() => [])) {
    const { name } = entry;
    const [source, target] = [join(from, name), join(to, name)];
    if (name.startsWith('@')) await link(source, target);
    else if (name !== '.cache' && !entry.isSymbolicLink()) await symlink(source, target);
  }
}

/** Links to the repository's own packages, by the names that they had. */
async function linkOwn(tree: string): Promise<void> {
  const manifestOf = async (folder: string) =>
    JSON.parse(await readFile(join(tree, folder, 'package.json'), 'utf8')) as {
      name: string;
      workspaces?: string[];
    };
  for (const folder of (await manifestOf('.')).workspaces ?? []) {
    const place = join(tree, 'node_modules', (await manifestOf(folder)).name);
    await mkdir(dirname(place), { recursive: true });
    await symlink(join(tree, folder), place);
  }
}
