import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { silentLog } from '../../test/support/fixtures.ts';
import { freePorts } from '../../test/support/gateway-process.ts';
import { startApp } from '../../test/support/running.ts';
import { type Database, openDatabase } from '../kit/db/db.ts';
import { type Migration, readMigrations } from '../kit/db/migrate.ts';
import { type Loop, startLoop } from '../kit/loop.ts';
import { createMetrics, healthRoutes, serveMetrics } from './operations.ts';

let db: Database;
let migrations: Migration[];
let app: FastifyInstance;

beforeAll(async () => {
  ({ db } = await testDatabase());
  migrations = await readMigrations(join(import.meta.dirname, '..'));
});
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
    const loop = startLoop('payments', 60_000, silentLog, () => promise);
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

describe('metrics', () => {
  async function serve(database: Database) {
    const metrics = createMetrics(database);
    const server = await serveMetrics(metrics.registry, '127.0.0.1', 0);
    app.addHook('onClose', async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return { metrics, url };
  }

  test('count requests by method, route and status, and what waits to be sent', async () => {
    const { metrics, url } = await serve(db);
    metrics.observe(app);
    app.get('/payments/:payment_reference', async () => ({}));
    for (const path of ['/payments/A', '/payments/B', '/wp-login.php']) {
      await app.inject({ method: 'GET', url: path });
    }
    const response = await fetch(`${url}/metrics`);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=/);
    const lines = (await response.text()).split('\n');
    const counted = lines.filter((line) => /^florin_http_requests_total{/.test(line));
    expect(counted.map((line) => line.replace(/^.*{/, '{'))).toEqual([
      '{method="GET",route="/payments/:payment_reference",status="200"} 2',
      '{method="GET",route="none",status="404"} 1',
    ]);
    expect(lines).toContain('florin_deliveries_pending 0');
    expect(lines.some((line) => line.startsWith('process_cpu_seconds_total'))).toBe(true);
  });

  test.each(['/', '/metrics/', '/health', '/ready', '/payments'])(
    'have a server of their own, which has nothing at %s',
    async (path) => {
      const { url } = await serve(db);
      expect((await fetch(url + path)).status).toBe(404);
    },
  );

  test('can only be read', async () => {
    const { url } = await serve(db);
    expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).toBe(404);
  });

  test('are not served where the API is', async () => {
    const { api } = await startApp();
    expect((await api('GET', '/metrics', { key: null })).status).toBe(404);
  });

  test('are served without those of the database while it cannot be reached', async () => {
    const gone = await goneDatabase();
    const { url } = await serve(gone);
    const response = await fetch(`${url}/metrics`);
    const text = await response.text();
    expect(response.status).toBe(200);
    expect(text).toContain('process_cpu_seconds_total');
    expect(text).not.toMatch(/^florin_deliveries_pending \d/m);
    await gone.end();
  });

  test('need a port that is free', async () => {
    const { metrics, url } = await serve(db);
    const port = Number.parseInt(new URL(url).port, 10);
    await expect(serveMetrics(metrics.registry, '127.0.0.1', port)).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
  });
});
