import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { vi } from 'vitest';
import { idsOf } from './system-ids.ts';

const run = promisify(execFile);
const path = `${process.env.PATH}:/usr/sbin`;

/** A database server of its own, which is reached by its socket alone. */
export type MariaDb = { socket: string; stop(): Promise<void> };

/** Starts a new server with an empty database `shop`; its user is root, without a password. */
export async function startMariaDb(): Promise<MariaDb> {
  const home = await mkdtemp(join(tmpdir(), 'florin-mariadb-'));
  // It refuses to run as root.
  const owner = userInfo().uid === 0 ? await idsOf('mysql') : undefined;
  const data = join(home, 'data');
  const socket = join(home, 'socket');
  await mkdir(data);
  if (owner) for (const place of [home, data]) await chown(place, owner.uid, owner.gid);
  const options = { env: { ...process.env, PATH: path }, ...owner };
  await run(
    'mariadb-install-db',
    ['--no-defaults', `--datadir=${data}`, '--auth-root-authentication-method=normal'],
    options,
  );
  const server = spawn(
    'mariadbd',
    [
      '--no-defaults',
      `--datadir=${data}`,
      `--socket=${socket}`,
      '--skip-networking',
      '--innodb-flush-log-at-trx-commit=0',
    ],
    { ...options, stdio: 'ignore' },
  );
  const ended = once(server, 'close');
  await vi.waitUntil(() => existsSync(socket), { timeout: 120_000 });
  await run('mariadb', ['--no-defaults', `--socket=${socket}`, '-uroot', '-e', 'CREATE DATABASE shop']);
  return {
    socket,
    async stop() {
      server.kill('SIGTERM');
      await ended;
      await rm(home, { recursive: true, force: true });
    },
  };
}
