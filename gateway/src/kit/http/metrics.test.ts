import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { freePorts } from '../../../test/support/free-ports.ts';
import { startApp } from '../../../test/support/running.ts';
import { createDeliveryMetrics } from '../../webhooks/deliveries/metrics.ts';
import { type Database, openDatabase } from '../db/db.ts';
import { createMetrics, serveMetrics } from './metrics.ts';

let app: FastifyInstance;

const { db } = await testDatabase();
beforeEach(() => {
  app = Fastify();
});
afterEach(() => app.close());

/** A database that cannot be reached. */
async function goneDatabase(): Promise<Database> {
  const [port] = await freePorts(1);
  return openDatabase({ host: '127.0.0.1', port: port!, user: 'florin', database: 'florin' }, 1);
}

describe('metrics', () => {
  async function serve(database: Database) {
    const metrics = createMetrics();
    createDeliveryMetrics(metrics.registry, database);
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
