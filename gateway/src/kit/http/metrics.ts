import { createServer, type Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

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

// Gauges with names of counters, which checkers refuse. Each is the sum of the gauge without that ending.
const misnamed = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`);

/** Node's own metrics, with the number of the process where there are several. */
export function collectNodeMetrics(registry: Registry, worker?: string): void {
  collectDefaultMetrics({ register: registry, labels: worker === undefined ? {} : { worker } });
  for (const name of misnamed) registry.removeSingleMetric(name);
}

/**
 * Prometheus metrics of this process: requests by route and status, and Node's own, with the number of the worker
 * process where there are several.
 */
export function createMetrics({ worker, refused }: MetricsOptions = {}): Metrics {
  const registry = new Registry();
  collectNodeMetrics(registry, worker);
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
  return {
    registry,
    observe(app) {
      app.addHook('onResponse', (request, reply, done) => {
        const route = request.routeOptions.url ?? 'none';
        requests.inc({ method: request.method, route, status: reply.statusCode });
        durations.observe({ route }, reply.elapsedTime / 1000);
        done();
      });
    },
  };
}

/** A document of metrics, made for each request. */
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
