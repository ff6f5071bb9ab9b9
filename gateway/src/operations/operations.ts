import { createServer, type Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Database } from '../kit/db/db.ts';
import { isMigrated, type Migration } from '../kit/db/migrate.ts';
import { oneRow } from '../kit/db/one-row.ts';
import type { Loop } from '../kit/loop.ts';

export type Readiness = {
  db: Database;
  migrations: Migration[];
  /** The background loops by name; filled when they start. */
  loops: ReadonlyMap<string, Pick<Loop, 'lastDoneMs' | 'everyMs'>>;
};

/** A loop that has done nothing for this long after it was due again is not working. */
const silentLoopMs = 180_000;

/** Liveness and readiness, outside the envelope (contract.md 7). */
export function healthRoutes(app: FastifyInstance, readiness: Readiness): void {
  app.get('/health', { schema: { hide: true } }, async () => ({ status: 'ok' }));
  app.get('/ready', { schema: { hide: true } }, async (_request, reply) => {
    const waiting = await whatIsMissing(readiness);
    if (waiting.length === 0) return { status: 'ready' };
    return reply.code(503).send({ status: 'waiting', for: waiting });
  });
}

async function whatIsMissing({ db, migrations, loops }: Readiness): Promise<string[]> {
  const missing: string[] = [];
  try {
    if (!(await isMigrated(db, migrations))) missing.push('migrations');
  } catch {
    missing.push('database');
  }
  if (loops.size === 0) missing.push('workers');
  for (const [name, loop] of loops) {
    const last = loop.lastDoneMs();
    if (last === null || performance.now() - last > loop.everyMs + silentLoopMs)
      missing.push(`worker ${name}`);
  }
  return missing;
}

export type Metrics = {
  registry: Registry;
  observe(app: FastifyInstance): void;
};

export type MetricsOptions = {
  /** The number of this process, if it is one of several. */
  worker?: string | undefined;
  /** How many requests were refused because too many waited. */
  refused?: () => number;
};

/**
 * Prometheus metrics of this process: requests by route and status, and Node's own, which bear the number of the
 * worker process where there are several.
 */
export function createMetrics(db: Database, { worker, refused }: MetricsOptions = {}): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, labels: worker === undefined ? {} : { worker } });
  const requests = new Counter({
    name: 'florin_http_requests_total',
    help: 'Requests by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'florin_http_request_seconds',
    help: 'Seconds to answer, by route.',
    labelNames: ['route'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registers: [registry],
  });
  new Counter({
    name: 'florin_http_overload_refusals_total',
    help: 'Requests that were answered 503 because too many waited already.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(refused?.() ?? 0);
    },
  });
  new Gauge({
    name: 'florin_deliveries_pending',
    help: 'Webhook deliveries that wait to be sent or tried again.',
    aggregator: 'max',
    registers: [registry],
    async collect() {
      // Without the database this one is left out, and the others are still served.
      this.remove();
      const count = db.query<{ n: number }>(
        "SELECT count(*)::int AS n FROM deliveries WHERE status = 'pending'",
      );
      const result = await count.catch(() => null);
      if (result) this.set(oneRow(result, 'count of pending deliveries').n);
    },
  });
  return {
    registry,
    observe(app) {
      app.addHook('onResponse', async (request, reply) => {
        const route = request.routeOptions.url ?? 'none';
        requests.inc({ method: request.method, route, status: reply.statusCode });
        durations.observe({ route }, reply.elapsedTime / 1000);
      });
    },
  };
}

/** A document of metrics, made anew each time. */
export type ServedMetrics = Pick<Registry, 'contentType' | 'metrics'>;

/** Serves `GET /metrics` on a port of its own, so that the public one never shows it. */
export async function serveMetrics(metrics: ServedMetrics, host: string, port: number): Promise<Server> {
  const server = createServer(async (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    try {
      const body = await metrics.metrics();
      response.writeHead(200, { 'content-type': metrics.contentType }).end(body);
    } catch {
      response.writeHead(503).end();
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return server;
}
