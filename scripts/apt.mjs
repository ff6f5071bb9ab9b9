// Programs that tests need and npm does not have, by apt. Plain JavaScript, like install.mjs, which calls it.
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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
