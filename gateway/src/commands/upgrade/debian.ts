import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { chown, copyFile, cp, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { assertFile } from '../../operations/backup/path.ts';
import { upgradePlaces } from '../../operations/upgrading/state.ts';
import type { Machine } from './machine.ts';
import type { RunProgram } from './run-program.ts';

const name = 'florin';
const unit = 'florin.service';
/** Where the package has its program. */
export const installedProgram = '/usr/lib/florin';

export type DebianMachine = {
  dataDir: string;
  run: RunProgram;
  say: (line: string) => void;
  /** The root of the system that packages are installed in. */
  root?: string;
};

/** A machine with the Debian package and its unit of systemd. */
export function debianMachine({ dataDir, run, say, root = '/' }: DebianMachine): Machine {
  const places = upgradePlaces(dataDir);
  const at = `--root=${root}`;
  return {
    program: join(root, installedProgram),
    run,
    async take(file) {
      await assertFile(resolve(file));
      await copyFile(resolve(file), places.next);
      say(await compareDigest(resolve(file), places.next));
      const from = await output('dpkg-query', at, '--show', `--showformat=\${Version}`, name);
      return { from, to: await versionOf(places.next, from) };
    },
    async unpack() {
      const program = await unpackDebian(places.next, places.unpacked);
      // Runs where the installed program does not, such as after a kill while its files are replaced.
      const settings = '--env-file-if-exists=/etc/florin/florin.env';
      const line = `exec ${program}/node/bin/node --env-file=${program}/package.env ${settings} ${program}/cli/src/main.js "$@"`;
      await writeFile(join(places.folder, 'florin'), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
      return program;
    },
    keep: () => repack(root, join(places.folder, 'kept'), places.before),
    async forgetBackup() {
      await rm(places.backups, { recursive: true, force: true });
      await mkdir(places.backups, { recursive: true, mode: 0o700 });
      const { uid, gid } = await stat(dataDir);
      await chown(places.backups, uid, gid);
    },
    async install(which) {
      await output('dpkg', at, '--force-confold', '--force-downgrade', '--install', places[which]);
    },
    async start() {
      await output('systemctl', 'start', unit);
    },
    async stop() {
      await output('systemctl', 'stop', unit);
    },
    async isRunning() {
      const shown = await output('systemctl', 'show', '--property=ActiveState,NRestarts', unit);
      return shown.includes('ActiveState=active') && /NRestarts=0$/m.test(shown);
    },
  };
}

/** Unpacks a Debian package into a folder in place of what is there; returns the folder of the program in it. */
export async function unpackDebian(file: string, folder: string): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o755 });
  await output('dpkg-deb', '--extract', file, folder);
  return join(folder, installedProgram);
}

/** Compares a copy with the list of digests that lies beside the file; says what was compared. Throws where it differs. */
async function compareDigest(file: string, copy: string): Promise<string> {
  const list = join(dirname(file), 'SHA256SUMS');
  if (!existsSync(list)) return `There is no SHA256SUMS beside ${file}: it was compared with nothing.`;
  const lines = (await readFile(list, 'utf8'))
    .split('\n')
    .map((line) => /^([0-9a-f]{64}) [ *](.+)$/.exec(line));
  const expected = lines.find((found) => found?.[2] === basename(file))?.[1];
  if (expected === undefined) throw new Error(`${list} does not name ${basename(file)}`);
  const digest = createHash('sha256');
  await pipeline(createReadStream(copy), digest);
  if (digest.digest('hex') !== expected) throw new Error(`${file} is not the file that ${list} names`);
  return `${basename(file)} is as SHA256SUMS says.`;
}

/** The version of a package of Florin for this machine. Throws for any other, and for one that is older than `installed`. */
async function versionOf(file: string, installed: string): Promise<string> {
  const [found, version = '', architecture] = await Promise.all(
    ['Package', 'Version', 'Architecture'].map((field) => output('dpkg-deb', '--field', file, field)),
  );
  const own = await output('dpkg', '--print-architecture');
  if (found !== name || architecture !== own) throw new Error(`This is no package of Florin for ${own}`);
  const isOlder = await output('dpkg', '--compare-versions', version, 'lt', installed).then(
    () => true,
    () => false,
  );
  if (isOlder) throw new Error(`${version} is older than ${installed}, which is installed`);
  return version;
}

/** Makes a package of the files of the one that is installed: the file that it came from may be gone. */
async function repack(root: string, folder: string, file: string): Promise<void> {
  const at = `--root=${root}`;
  await rm(folder, { recursive: true, force: true });
  for (const path of (await output('dpkg-query', at, '--listfiles', name)).split('\n')) {
    const from = join(root, path);
    // A link to a folder, such as /lib, is one of the system's own.
    if (!existsSync(from) || (await stat(from)).isDirectory()) continue;
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await cp(from, join(folder, path), { verbatimSymlinks: true });
  }
  const control = join(folder, 'DEBIAN');
  await mkdir(control, { recursive: true });
  const fields = await output('dpkg-query', at, '--status', name);
  await writeFile(join(control, 'control'), `${fields.replace(/^Status:.*\n/m, '')}\n`);
  for (const script of ['preinst', 'postinst', 'prerm', 'postrm']) {
    const path = join(root, 'var/lib/dpkg/info', `${name}.${script}`);
    if (existsSync(path)) await copyFile(path, join(control, script));
  }
  await output('chmod', '-R', 'u=rwX,go=rX', folder);
  await output('dpkg-deb', '--root-owner-group', '-Znone', '--build', folder, `${file}.part.deb`);
  await rename(`${file}.part.deb`, file);
  await rm(folder, { recursive: true });
}

/** Runs a program of the system to its end; returns what it printed. Throws with that where it fails. */
async function output(program: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, LC_ALL: 'C.UTF-8', DEBIAN_FRONTEND: 'noninteractive' };
  try {
    const { stdout } = await promisify(execFile)(program, args, { env, maxBuffer: 64 * 1024 ** 2 });
    return stdout.trimEnd();
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${program} ${args.join(' ')} failed: ${stderr}${stdout}`.trimEnd());
  }
}
