import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { compiled } from '../shops/texts.ts';

const folder = 'shops/woocommerce';
const name = 'florin-for-woocommerce';
/** Not for those who run it. */
const left = ['phpcs.xml', 'tests'];

/**
 * The plug-in for WooCommerce as WordPress installs it: the files of a commit, and beside each .po the .mo that is made of it.
 * The same commit gives the same bytes.
 */
export function pluginZip(repository: string, commit: string): Buffer {
  const git = (args: string[], cwd = repository): Buffer => {
    // The times in a .zip are those of a place.
    const env = { ...process.env, TZ: 'UTC' };
    const { status, stdout, stderr } = spawnSync('git', args, { cwd, env, maxBuffer: 1_000_000_000 });
    if (status !== 0) throw new Error(`git failed: ${stderr.toString().trim()}`);
    return stdout;
  };
  const listed = git(['ls-tree', '--name-only', commit, `${folder}/languages/`])
    .toString()
    .trim()
    .split('\n');
  const made = mkdtempSync(join(tmpdir(), 'florin-texts-'));
  try {
    const texts = listed
      .filter((path) => path.endsWith('.po'))
      .map((path) => {
        const [file, bytes] = compiled(basename(path), git(['show', `${commit}:${path}`]));
        writeFileSync(join(made, file), bytes, { mode: 0o644 });
        return `--add-file=${join(made, file)}`;
      });
    const fixed = ['-c', 'tar.umask=0022', '-c', 'core.autocrlf=false', 'archive', '--format=zip', '-9'];
    const prefixes = [`--prefix=${name}/languages/`, ...texts, `--prefix=${name}/`];
    const without = left.map((path) => `:!${path}`);
    return git([...fixed, ...prefixes, commit, '--', '.', ...without], join(repository, folder));
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}
