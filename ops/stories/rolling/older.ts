import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readlink, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
    return { tree, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Links to each package. Those of the repository are links already, which then lead into the older sources. */
async function link(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from, { withFileTypes: true }).catch(() => [])) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.name.startsWith('@')) await link(source, target);
    else if (entry.name !== '.cache')
      await symlink(entry.isSymbolicLink() ? await readlink(source) : source, target);
  }
}
