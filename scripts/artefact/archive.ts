import { globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pack } from 'tar-stream';
import { debianName, debianPackage, hasDebian, maintainerOf } from '../../ops/debian/package.ts';
import { packed } from '../packed.ts';
import { launcher, makeArtefact } from './make.ts';

/** Files that are run. */
const isProgram = (path: string): boolean => path === 'cli/src/main.js' || path === launcher;

type NamedFile = [name: string, Buffer];

/** The archive of the program of a clone that is installed and built. The same commit and packages give the same bytes. */
export async function programArchive(root: string, version: string): Promise<NamedFile> {
  return await withArtefact(root, (program) => archiveOf(program, version));
}

/**
 * The archive of the program, its npm package, and on Linux its Debian package. The same commit and packages give the same
 * bytes.
 */
export async function programFiles(root: string, version: string): Promise<NamedFile[]> {
  const { platform, arch: cpu } = process;
  return await withArtefact(root, async (program) => {
    const files = [await archiveOf(program, version), await npmPackageOf(program, version)];
    if (!hasDebian(platform, cpu)) return files;
    const contents = { version, cpu, program, root, maintainer: maintainerOf(root) };
    return [...files, [debianName(version, cpu), await debianPackage(contents)]];
  });
}

async function withArtefact<T>(root: string, work: (program: string) => Promise<T>): Promise<T> {
  const program = mkdtempSync(join(tmpdir(), 'florin-program-'));
  try {
    await makeArtefact(root, program);
    return await work(program);
  } finally {
    rmSync(program, { recursive: true, force: true });
  }
}

async function archiveOf(program: string, version: string): Promise<NamedFile> {
  const name = `florin-program-${version}-${process.platform}-${process.arch}.tar.gz`;
  return [name, packed(await tarOf(program, `florin-${version}`))];
}

/** As `npm pack` names and writes it: without packages, which npm brings for the machine that it installs on. */
async function npmPackageOf(program: string, version: string): Promise<NamedFile> {
  const isOwn = (path: string) => !path.startsWith('node_modules/');
  return [`florin-${version}.tgz`, packed(await tarOf(program, 'package', isOwn))];
}

/** The files of a folder that are wanted, below a folder of this name. */
async function tarOf(directory: string, name: string, isWanted = (_: string) => true): Promise<Buffer> {
  const paths = globSync('**/*', { cwd: directory })
    .filter((path) => isWanted(path) && statSync(join(directory, path)).isFile())
    .sort();
  const archive = pack();
  const whole = buffer(archive);
  for (const path of paths)
    archive.entry(
      { name: `${name}/${path}`, mode: isProgram(path) ? 0o755 : 0o644, mtime: new Date(0) },
      readFileSync(join(directory, path)),
    );
  archive.finalize();
  return await whole;
}
