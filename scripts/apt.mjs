// Programs that tests need and npm does not have, by apt. Plain JavaScript, like install.mjs, which calls it.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** The log of the commands and of all that they print. */
export const aptLog = join(tmpdir(), 'florin-apt.log');

/** Whether this process may install packages by apt. */
export const hasApt = () => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');

/** Whether installing a package was tried before, by the log. */
export const wasTried = (name) => existsSync(aptLog) && readFileSync(aptLog, 'utf8').includes(name);

/** Runs a command, and adds it and its output to the log. True when it ended with 0. */
export function logged(command, ...args) {
  const log = openSync(aptLog, 'a');
  writeSync(log, `> ${command} ${args.join(' ')}\n`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { status } = spawnSync(command, args, { stdio: ['ignore', log, log], env });
  closeSync(log);
  return status === 0;
}

/** `apt-get` with these arguments. */
export const apt = (...args) => logged('apt-get', ...args);

/** Installs packages, or with `options` in another way. */
export const aptInstall = (packages, ...options) =>
  apt('install', '-y', '--no-install-recommends', '-o', 'Acquire::http::Timeout=20', ...options, ...packages);

/**
 * Unpacks packages and what they need and this machine lacks into a directory, without installing them; `only`: of them the
 * archives whose name begins so. True when all went well.
 */
export function aptUnpack(packages, into, only = '') {
  const archives = join(into, 'archives');
  mkdirSync(join(archives, 'partial'), { recursive: true, mode: 0o755 });
  // An update that fails in part may still have loaded the lists that are needed.
  apt('update');
  if (!aptInstall(packages, '--download-only', '-o', `Dir::Cache::archives=${archives}`)) return false;
  const isUnpacked = readdirSync(archives)
    .filter((name) => name.endsWith('.deb') && name.startsWith(only))
    .every((name) => logged('dpkg-deb', '-x', join(archives, name), into));
  rmSync(archives, { recursive: true });
  return isUnpacked;
}

/**
 * Puts programs of packages that were unpacked into `root` into its folder `bin`, so that they find the libraries beside them.
 * Libraries of the system were not unpacked. True when each that is there tells its version.
 */
export function wrapPrograms(root, programs) {
  mkdirSync(join(root, 'bin'), { recursive: true });
  return programs
    .filter((program) => existsSync(join(root, program)))
    .every((program) => {
      const path = join(root, 'bin', basename(program));
      writeFileSync(
        path,
        `#!/bin/sh
root=$(dirname "$(dirname "$0")")
LD_LIBRARY_PATH=$(echo "$root"/usr/lib/*-linux-gnu*):$root/usr/lib
PYTHONPATH=$root/usr/lib/python3/dist-packages
export LD_LIBRARY_PATH PYTHONPATH
exec "$root${program}" "$@"
`,
      );
      chmodSync(path, 0o755);
      return ['--version', '-v'].some((option) => spawnSync(path, [option]).status === 0);
    });
}
