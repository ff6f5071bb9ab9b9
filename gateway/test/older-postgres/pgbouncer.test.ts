import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, test, vi } from 'vitest';
import { findPgBouncer } from '../../../scripts/install-postgres.mjs';
import { makeUser } from '../../src/commands/people/users.ts';
import { assertDirect } from '../../src/kit/db/direct.ts';
import { serverEnvironment } from '../../src/kit/postgres/postgres-cluster.ts';
import { serverUser } from '../../src/kit/postgres/system-user.ts';
import { atFileEnd } from '../suite/endings.ts';
import { makeDataDir, removeDataDir } from '../support/data-dir.ts';
import { databaseEnv, databaseUrl, type TestDatabase, testDatabase } from '../support/database.ts';
import { spawnGateway } from '../support/gateway-process.ts';

const program = findPgBouncer();
const listenPort = 6432;

/** Starts PgBouncer in front of a database, and gives ways to it that pool by transaction or by session. */
async function startPooler(
  { connection }: TestDatabase,
  setting = '',
): Promise<Record<'transaction' | 'session', pg.PoolConfig>> {
  const directory = await makeDataDir();
  const owner = process.getuid?.() === 0 ? await serverUser(() => {}) : undefined;
  if (owner) await chown(directory, owner.uid, owner.gid);
  const to = `host=${connection.host} port=${connection.port} dbname=${connection.database} user=${connection.user}`;
  const settings = `[databases]
transaction = ${to} pool_mode=transaction
session = ${to} pool_mode=session
[pgbouncer]
listen_addr =
listen_port = ${listenPort}
unix_socket_dir = ${directory}
auth_type = any
${setting}
`;
  await writeFile(join(directory, 'pgbouncer.ini'), settings);
  const started = { cwd: directory, env: serverEnvironment, stdio: 'ignore' } as const;
  const child: ChildProcess = spawn(program ?? '', [join(directory, 'pgbouncer.ini')], {
    ...owner,
    ...started,
  });
  atFileEnd(async () => {
    const ended = once(child, 'exit');
    if (child.kill('SIGKILL')) await ended;
    await removeDataDir(directory);
  });
  const at = (database: string) => ({ host: directory, port: listenPort, user: 'florin', database });
  await vi.waitFor(async () => {
    const client = new pg.Client(at('session'));
    await client.connect();
    await client.end();
  }, 60_000);
  return { transaction: at('transaction'), session: at('session') };
}

const parameters = 'options,statement_timeout,lock_timeout,idle_in_transaction_session_timeout';
const fault = 'DATABASE_URL leads to a connection pooler such as PgBouncer';

// Where it is not installed these tests are shown as not run.
describe.skipIf(program === undefined)('PgBouncer in front of the database', () => {
  test('that refuses settings is refused, by the gateway and by commands, with what to do', async () => {
    const database = await testDatabase();
    const pooler = await startPooler(database);
    const directory = await makeDataDir();
    atFileEnd(() => removeDataDir(directory));
    const env = {
      ...databaseEnv(database),
      DATABASE_URL: databaseUrl(pooler.transaction),
      DATA_DIR: directory,
      MASTER_KEY_FILE: join(directory, 'master.key'),
    };
    await expect(makeUser(env, 'ada')).rejects.toThrow(fault);
    const gateway = await spawnGateway(env);
    expect(await gateway.exitCode).toBe(1);
    expect(gateway.errors()).toContain(`Florin cannot start: ${fault}`);
    expect(gateway.errors()).toContain('give DATABASE_URL the address of PostgreSQL itself.');
    expect(gateway.errors()).not.toContain('    at ');
  });

  test('that ignores settings is refused', async () => {
    const pooler = await startPooler(await testDatabase(), `ignore_startup_parameters = ${parameters}`);
    for (const way of [pooler.transaction, pooler.session])
      await expect(assertDirect(way, 'DATABASE_URL')).rejects.toThrow('statement_timeout is 0 ms');
  });

  test('that gives one connection of the server to two of ours is refused, also with the right settings', async () => {
    const database = await testDatabase();
    await database.db.query(`ALTER DATABASE ${database.connection.database} SET statement_timeout = 30000`);
    const pooler = await startPooler(database, `ignore_startup_parameters = ${parameters}`);
    await expect(assertDirect(pooler.transaction, 'DATABASE_URL')).rejects.toThrow(
      'two connections have one process of the server',
    );
    await assertDirect(pooler.session, 'DATABASE_URL');
  });

  test('is none where connections are to PostgreSQL itself', async () => {
    const { connection, serving } = await testDatabase();
    await assertDirect(connection, 'MIGRATE_DATABASE_URL');
    await assertDirect(serving.connection, 'DATABASE_URL');
  });
});
