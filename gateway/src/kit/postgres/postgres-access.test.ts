import { execFile } from 'node:child_process';
import { chmod, chown, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDataDir, removeDataDir } from '../../../test/support/data-dir.ts';
import { type Embedded, servingConnection, startEmbedded } from './embedded-postgres.ts';
import { findCluster } from './postgres-cluster.ts';
import { giveTo, serverUser } from './system-user.ts';

const isRoot = process.getuid?.() === 0;
const trusting = 'local all all trust\nhost all all 127.0.0.1/32 trust\n';

let dataDir: string;
let running: Embedded | undefined;
beforeAll(async () => {
  dataDir = await makeDataDir();
  await start();
});
afterAll(async () => {
  await running?.stop();
  await removeDataDir(dataDir);
});

const lines: string[] = [];
async function start(settings: Record<string, string> = {}): Promise<Embedded> {
  const log = (line: string) => void lines.push(line);
  const mine = { shared_buffers: '16MB', fsync: 'off', ...settings };
  running = await startEmbedded({ dataDir, log, settings: mine });
  return running;
}
async function stop(): Promise<{ home: string; data: string }> {
  await running?.stop();
  running = undefined;
  return (await findCluster(dataDir))!;
}

async function ask(connection: pg.PoolConfig, statement: string): Promise<unknown> {
  const client = new pg.Client(connection);
  client.on('error', () => {});
  try {
    await client.connect();
    return Object.values((await client.query(statement)).rows[0] ?? {})[0];
  } finally {
    await client.end();
  }
}

test('its owner and the role that serves come in by their process, and no other role', async () => {
  const { connection } = running!;
  expect(await ask(connection, 'SELECT rolsuper FROM pg_roles WHERE rolname = current_user')).toBe(true);
  const serving = servingConnection(connection);
  expect(await ask(serving, 'SELECT current_user')).toBe('florin_app');
  const attributes = `SELECT to_json(r) FROM (SELECT rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls
    FROM pg_roles WHERE rolname = current_user) r`;
  expect(Object.values((await ask(serving, attributes)) as object)).toEqual(Array(5).fill(false));
  await ask(connection, 'CREATE ROLE guest LOGIN');
  await expect(ask({ ...connection, user: 'guest' }, 'SELECT')).rejects.toThrow('Peer authentication failed');
});

test.runIf(isRoot)('a process of another user is nobody to it, whatever the file modes are', async () => {
  await stop();
  const { connection } = await start({ unix_socket_permissions: '0777' });
  const home = (await findCluster(dataDir))!.home;
  const modes = [home, join(home, 'socket')];
  for (const path of modes) await chmod(path, 0o755);
  // The driver is loaded before the process becomes another user, who may not read it.
  const script = `import pg from ${JSON.stringify(import.meta.resolve('pg'))};
    process.setgid(65534); process.setuid(65534);
    const client = new pg.Client(${JSON.stringify(connection)});
    await client.connect().then(() => console.log('let in'), ({ message }) => console.log(message));
    await client.end();`;
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  expect((await run).stdout).toContain('Peer authentication failed for user "florin"');
  for (const path of modes) await chmod(path, 0o700);
});

test('a cluster that trusted its socket asks from the next start on, and serves as before', async () => {
  await ask(running!.connection, 'CREATE TABLE coins AS SELECT 42 AS found');
  await ask(running!.connection, 'DROP ROLE florin_app');
  const { data } = await stop();
  await writeFile(join(data, 'pg_hba.conf'), trusting);
  await writeFile(join(data, 'pg_ident.conf'), '');

  const { connection, isNew } = await start();
  expect(isNew).toBe(false);
  expect(await ask(connection, 'SELECT found FROM coins')).toBe(42);
  expect(await ask(servingConnection(connection), 'SELECT current_user')).toBe('florin_app');
  expect(await readFile(join(data, 'pg_hba.conf'), 'utf8')).not.toContain('trust');
  await expect(ask({ ...connection, user: 'guest' }, 'SELECT')).rejects.toThrow('Peer authentication failed');
});

test('a start after one that was killed between two files goes on, and one that finds all right writes nothing', async () => {
  const { data } = await stop();
  await writeFile(join(data, 'pg_hba.conf'), trusting);
  await writeFile(join(data, 'pg_ident.conf.cut'), 'half a');
  await start();
  await stop();
  const files = ['pg_hba.conf', 'pg_ident.conf'].map((name) => join(data, name));
  const before = await Promise.all(files.map((path) => stat(path)));
  await start();
  expect((await Promise.all(files.map((path) => stat(path)))).map(({ ino }) => ino)).toEqual(
    before.map(({ ino }) => ino),
  );
  expect(await readFile(files[0]!, 'utf8')).toContain('peer map=florin');
  expect((await readdir(data)).filter((name) => /^pg_(hba|ident)\.conf\./.test(name))).toEqual([
    'pg_ident.conf.cut',
  ]);
});

test('a role that was given more is narrowed', async () => {
  await ask(running!.connection, 'ALTER ROLE florin_app SUPERUSER CREATEROLE NOLOGIN');
  await stop();
  const { connection } = await start();
  const mayMore = 'SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user';
  expect(await ask(servingConnection(connection), mayMore)).toBe(false);
});

test.runIf(isRoot)(
  'what nobody owned belongs to the user of the server, also after a kill in between',
  async () => {
    const user = await serverUser(() => {});
    for (const isHalf of [false, true]) {
      const { home, data } = await stop();
      await giveTo(home, { uid: 65_534, gid: 65_534 });
      if (isHalf) {
        await chown(home, 0, 0);
        await chown(join(data, 'base'), user.uid, user.gid);
      }
      lines.length = 0;
      const { connection } = await start();
      expect(await ask(connection, 'SELECT found FROM coins')).toBe(42);
      for (const path of [
        home,
        data,
        join(data, 'base'),
        join(data, 'PG_VERSION'),
        join(data, 'pg_hba.conf'),
      ])
        expect((await stat(path)).uid).toBe(user.uid);
      expect(lines).toEqual([expect.stringContaining('handed over')]);
    }
  },
);
