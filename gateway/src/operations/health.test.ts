import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { silentLog } from '../../test/support/fixtures.ts';
import { freePorts } from '../../test/support/free-ports.ts';
import { startApp } from '../../test/support/running.ts';
import { type Database, openDatabase } from '../kit/db/db.ts';
import { readMigrations } from '../kit/db/migrate.ts';
import { type Loop, startLoop } from '../kit/loop.ts';
import { healthRoutes } from './health.ts';

let app: FastifyInstance;

const { db } = await testDatabase();
const migrations = await readMigrations(join(import.meta.dirname, '..'));
beforeEach(() => {
  app = Fastify();
});
afterEach(() => app.close());

/** A database that cannot be reached. */
async function goneDatabase(): Promise<Database> {
  const [port] = await freePorts(1);
  return openDatabase({ host: '127.0.0.1', port: port!, user: 'florin', database: 'florin' }, 1);
}

const doneAgo = (ms: number | null, everyMs = 1_000): Pick<Loop, 'lastDoneMs' | 'everyMs'> => ({
  lastDoneMs: () => (ms === null ? null : performance.now() - ms),
  everyMs,
});

type Readiness = Partial<Parameters<typeof healthRoutes>[1]>;

async function readiness(given: Readiness): Promise<[number, unknown]> {
  healthRoutes(app, { db, migrations, loops: new Map([['rates', doneAgo(0)]]), ...given });
  const response = await app.inject({ method: 'GET', url: '/ready' });
  return [response.statusCode, response.json()];
}

const waiting = (...missing: string[]) => [503, { status: 'waiting', for: missing }];

describe('a gateway is ready', () => {
  test('when the database is migrated and every worker has run', async () => {
    expect(await readiness({})).toEqual([200, { status: 'ready' }]);
  });

  test('not before the workers were started', async () => {
    expect(await readiness({ loops: new Map() })).toEqual(waiting('workers'));
  });

  test('not before each of them has run', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const loop = startLoop({ name: 'payments', everyMs: 60_000, work: () => promise }, silentLog);
    const loops = new Map([
      ['payments', loop],
      ['rates', doneAgo(0)],
    ]);
    expect(await readiness({ loops })).toEqual(waiting('worker payments'));
    resolve();
    await loop.stop();
  });

  test('and no longer when one of them has done nothing for three minutes after it was due', async () => {
    const loops = new Map([
      ['payments', doneAgo(182_000)],
      ['unclaimed refunds', doneAgo(779_000, 600_000)],
      ['rates', doneAgo(179_000)],
    ]);
    expect(await readiness({ loops })).toEqual(waiting('worker payments'));
  });

  test('not while a migration of this build is missing', async () => {
    const next = { number: 9999, name: '9999_next.sql', sql: '', checksum: '' };
    expect(await readiness({ migrations: [...migrations, next] })).toEqual(waiting('migrations'));
  });

  test('not while the database cannot be reached, though the process lives', async () => {
    const gone = await goneDatabase();
    expect(await readiness({ db: gone })).toEqual(waiting('database'));
    const health = await app.inject({ method: 'GET', url: '/health' });
    expect([health.statusCode, health.json()]).toEqual([200, { status: 'ok' }]);
    await gone.end();
  });
});

test('a gateway with all its workers becomes ready by itself', async () => {
  const { api } = await startApp();
  const ready = async () => (await api('GET', '/ready', { key: null })).status;
  await expect.poll(ready, { interval: 10 }).toBe(200);
});
