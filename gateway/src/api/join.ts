import type { FastifyInstance } from 'fastify';
import type { Console, ConsoleRoute } from '../identity/console/console.ts';
import type { Identity } from '../identity/console/slice.ts';
import type { Metrics } from '../kit/http/metrics.ts';
import type { Loops } from '../kit/loop.ts';
import type { Slice } from '../kit/slice.ts';

export type Joined = {
  server: FastifyInstance;
  metrics: Metrics;
  loops: Loops;
  identity: Identity;
  /** In the order of their calls in the API's document. */
  slices: readonly Slice<Console>[];
};

/** Registers the routes and metrics of all slices; returns the calls of the dashboard. */
export async function registerSlices(joined: Joined): Promise<readonly ConsoleRoute[]> {
  const { server, metrics, identity, slices } = joined;
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
export function startSlices({ loops, slices }: Joined, share: 'all' | 'own'): void {
  for (const slice of slices) {
    slice.start?.();
    if (share === 'all') slice.startWork?.();
    loops.start((slice.loops ?? []).filter(({ isOwn }) => share === 'all' || isOwn));
  }
}

/** Takes no more requests, ends the exchanges and loops of all slices, then closes the slices. */
export async function closeSlices({ server, loops, slices }: Joined): Promise<void> {
  await server.close();
  await Promise.all(slices.map((slice) => slice.disconnect?.()));
  await loops.stop();
  for (const slice of slices) await slice.close?.();
}
