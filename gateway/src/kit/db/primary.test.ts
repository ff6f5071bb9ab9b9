import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type SystemServer, startSystemServer } from '../../../test/older-postgres/server.ts';
import { type LossyProxy, startLossyProxy } from '../../../test/support/lossy-proxy.ts';
import { postgresBinaries } from '../postgres/postgres-binaries.ts';
import { isUnavailable } from './db.ts';
import { clientOf } from './primary.ts';

// The second follows until it is promoted, and its name is in its answers.
let servers: SystemServer[];
let standby: pg.PoolConfig;
let proxies: LossyProxy[];
let pool: pg.Pool;

beforeAll(async () => {
  const { directory } = await postgresBinaries('', false);
  servers = await Promise.all([1, 2].map(() => startSystemServer(directory, { fsync: 'off' })));
  for (const [n, { connection }] of servers.entries())
    await once(connection, `ALTER DATABASE florin SET florin.name = '${n + 1}'`);
});
afterAll(async () => {
  for (const server of servers) await server.stop();
});
beforeEach(async () => {
  standby = await servers[1]!.follow();
  proxies = [await startLossyProxy(standby), await startLossyProxy(servers[0]!.connection)];
  const hosts = proxies.map(({ connection }) => `127.0.0.1:${connection.port}`).join(',');
  const connection = { connectionString: `postgres://florin@${hosts}/florin` };
  pool = new pg.Pool({ ...clientOf(connection, { everyMs: 20, answerMs: 2_000 }), max: 3 });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
});
afterEach(async () => {
  await pool.end();
  for (const proxy of proxies) await proxy.close();
});

async function once(connection: pg.PoolConfig, statement: string): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  await client.query(statement);
  await client.end();
}

async function name(): Promise<string> {
  const { rows } = await pool.query<{ name: string }>("SELECT current_setting('florin.name') AS name");
  return rows[0]!.name;
}

test('of two servers the one that takes writes is used, also where it is the second', async () => {
  expect(await Promise.all([name(), name(), name()])).toEqual(['1', '1', '1']);
});

test('where none takes writes it says what each does, as a passing fault', async () => {
  await proxies[1]!.close();
  const fault: unknown = await name().catch((caught) => caught);
  expect(isUnavailable(fault)).toBe(true);
  expect((fault as Error).message).toMatch(
    /^No server of the database takes writes: .*127\.0\.0\.1:\d+ follows another server/,
  );
});

test('a server that ended is left for the one that was promoted', async () => {
  expect(await name()).toBe('1');
  await proxies[1]!.close();
  await once(standby, 'SELECT pg_promote()');
  await expect.poll(() => name().catch(() => null), { timeout: 60_000 }).toBe('2');
});

test('what waits on a server that stands still is broken off as soon as another takes writes', async () => {
  expect(await name()).toBe('1');
  const waiting = pool.query('SELECT pg_sleep(600)');
  waiting.catch(() => {});
  proxies[1]!.standStill();
  await once(standby, 'SELECT pg_promote()');
  await expect(waiting).rejects.toSatisfy(isUnavailable);
  await expect.poll(() => name().catch(() => null), { timeout: 60_000 }).toBe('2');
});

test('a statement that takes long is waited for', async () => {
  expect(await name()).toBe('1');
  const waiting = pool.query("SELECT pg_sleep(0.5), 'done' AS outcome");
  await expect(waiting).resolves.toMatchObject({ rows: [{ outcome: 'done' }] });
  expect(await name()).toBe('1');
});
