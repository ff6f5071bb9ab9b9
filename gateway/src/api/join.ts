import type { FastifyInstance } from 'fastify';
import type { Console, ConsoleRoute } from '../identity/console/console.ts';
import type { Identity } from '../identity/console/slice.ts';
import type { Clock } from '../kit/clock.ts';
import { kitErrors } from '../kit/errors.ts';
import { createAdmission, noAdmission } from '../kit/http/admission.ts';
import { mostConnections } from '../kit/http/connections.ts';
import { createServer, type KnownRoute, noteRoutes, type ServerOptions } from '../kit/http/http.ts';
import { createMetrics, type Metrics, type MetricsOptions } from '../kit/http/metrics.ts';
import type { ServerTls } from '../kit/http/tls.ts';
import { traceRequests } from '../kit/http/trace-requests.ts';
import type { Loops } from '../kit/loop.ts';
import type { Slice } from '../kit/slice.ts';
import type { Traces } from '../kit/trace.ts';
import { type DashboardOptions, dashboardRoutes } from './dashboard.ts';
import type { ApiDescription } from './document/document.ts';
import { apiDocument, describeApi } from './openapi.ts';
import { documentationSite } from './site/site.ts';

export type JoinDeps = Pick<ServerOptions, 'log' | 'trustProxy'> &
  Pick<DashboardOptions, 'shopUrl'> &
  Pick<MetricsOptions, 'worker'> & {
    baseUrl: string;
    /** false: nothing is limited. */
    rateLimit: boolean;
    /** It answers whether it is ready, and takes no other request. */
    isClosed?: boolean | undefined;
    tls?: ServerTls | undefined;
    /** Undefined: nothing is traced. */
    traces?: Traces | undefined;
    now: Clock;
    loops: Loops;
    identity: Identity;
    /** In the order of their calls in the API's document; `identity` is one of them. */
    slices: readonly Slice<Console>[];
    /** What slices share, closed after them in this order. */
    shared: readonly { close(): Promise<void> }[];
  };

export type App = {
  server: FastifyInstance;
  metrics: Metrics;
  /** Every call of the dashboard's API, for the test that tries them all as the wrong person. */
  consoleRoutes: readonly ConsoleRoute[];
  /** Every route, for the test that looks at the headers of each. */
  routes: readonly KnownRoute[];
  /** What the calls of the API say of themselves, for the scripts that read it without a request. */
  describe(): Promise<ApiDescription>;
  /**
   * Starts every loop, or only those that this process needs for itself; `GET /ready` answers 200 once each has run.
   */
  startWorkers(share?: 'all' | 'own'): void;
  /** Takes nothing more, finishes what is under way, and leaves the database to its owner. */
  close(): Promise<void>;
};

/** Puts the slices on one server, with what all of them are documented by. */
export async function joinSlices(deps: JoinDeps): Promise<App> {
  const { log, trustProxy, baseUrl, now, slices } = deps;
  const { guards } = deps.identity;
  const admission = deps.isClosed ? noAdmission : createAdmission(() => now().getTime());
  const metrics = createMetrics({ worker: deps.worker, refused: admission.refused });
  const server = createServer({
    ...{ log, trustProxy, admission },
    overHttps: baseUrl.startsWith('https:'),
    mostConnections: deps.rateLimit ? mostConnections : undefined,
    ...(deps.tls ? { https: deps.tls } : {}),
  });
  const errors = [kitErrors, ...slices.map((slice) => slice.errors ?? {})]
    .flatMap((table) => Object.values(table))
    .sort((a, b) => a.code - b.code);
  const routes = noteRoutes(server);
  if (deps.traces) traceRequests(server, deps.traces);
  const describe = describeApi(server, baseUrl, errors);
  const consoleRoutes = await registerSlices(deps, server, metrics);
  await dashboardRoutes(server, deps);
  apiDocument(server, guards, describe);
  documentationSite(server, { guards, describe, errors });
  return {
    server,
    metrics,
    consoleRoutes,
    routes,
    describe,
    startWorkers: (share = 'all') => startSlices(deps, share),
    close: () => closeSlices(deps, server),
  };
}

/** Registers the routes and metrics of all slices; returns the calls of the dashboard. */
async function registerSlices(
  { identity, slices }: JoinDeps,
  server: FastifyInstance,
  metrics: Metrics,
): Promise<readonly ConsoleRoute[]> {
  metrics.observe(server);
  identity.watch(server);
  await server.register(async (api) => {
    identity.requestLog.observe(api);
    for (const slice of slices) slice.routes?.api?.(api);
  });
  const dashboard = identity.openDashboard(server);
  for (const slice of slices) {
    await slice.routes?.pages?.(server);
    slice.routes?.dashboard?.(dashboard, server);
    slice.metrics?.(metrics.registry);
  }
  return dashboard.routes;
}

/** Starts the work of all slices, or only what this process needs for itself. */
function startSlices({ loops, slices }: JoinDeps, share: 'all' | 'own'): void {
  for (const slice of slices) {
    slice.start?.();
    if (share === 'all') slice.startWork?.();
    loops.start((slice.loops ?? []).filter(({ isOwn }) => share === 'all' || isOwn));
  }
}

/** Takes no more requests, ends the exchanges and loops of all slices, then closes the slices and what they share. */
async function closeSlices({ loops, slices, shared }: JoinDeps, server: FastifyInstance): Promise<void> {
  await server.close();
  await Promise.all(slices.map((slice) => slice.disconnect?.()));
  await loops.stop();
  for (const slice of slices) await slice.close?.();
  for (const each of shared) await each.close();
}
