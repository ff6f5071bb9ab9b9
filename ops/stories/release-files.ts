import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeArtefact } from '../../scripts/artefact/make.ts';
import { root } from '../../scripts/programs.ts';
import { sha256 } from '../../scripts/release-verify.ts';
import { debianName, debianPackage } from '../debian/package.ts';

/** The sources of a version, whose packages are installed and whose dashboard is built. */
export type Sources = { tree: string; version: string };

/** The version of this checkout. */
export async function thisVersion(): Promise<Sources> {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  return { tree: root, version };
}

/** Writes what install.sh takes of a release into `folder`: the package, the script and their hashes. */
export async function writeRelease(folder: string, { tree, version }: Sources): Promise<void> {
  await mkdir(folder, { recursive: true });
  const cpu = process.arch;
  const program = await mkdtemp(join(tmpdir(), 'florin-program-'));
  try {
    await makeArtefact(tree, program);
    const name = debianName(version, cpu);
    const files: [string, Buffer][] = [
      [name, await debianPackage({ version, cpu, program, root, level: 1 })],
      ['install.sh', await readFile(join(root, 'ops/install.sh'))],
    ];
    for (const [each, bytes] of files) await writeFile(join(folder, each), bytes);
    const sums = files.map(([each, bytes]) => `${sha256(bytes)}  ${each}\n`).join('');
    await writeFile(join(folder, 'SHA256SUMS'), sums);
  } finally {
    await rm(program, { recursive: true, force: true });
  }
}
