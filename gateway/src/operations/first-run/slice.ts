import type { FastifyInstance } from 'fastify';
import type { Console } from '../../identity/console/console.ts';
import type { SetupCalls } from '../../identity/console/setup/setup-calls.ts';
import type { Slice } from '../../kit/slice.ts';
import { seenRoute } from './address-check.ts';
import { restoreRoutes } from './restore-routes.ts';
import type { Restorer } from './restorer.ts';
import { type StepRouteDeps, stepRoutes } from './step-routes.ts';

export type FirstRunDeps = StepRouteDeps & {
  setupCalls: (server: FastifyInstance) => SetupCalls;
  /** Left out once there is an operator. */
  restorer: Restorer | undefined;
};

/** The first run of an installation: a backup that is restored in its place, and what its operator finishes later. */
export function createFirstRun(deps: FirstRunDeps): Slice<Console> {
  const { restorer } = deps;
  return {
    routes: {
      pages(server) {
        seenRoute(server, deps);
        if (restorer) restoreRoutes(deps.setupCalls(server), { ...deps, restorer });
      },
      dashboard: (dashboard) => stepRoutes(dashboard, deps),
    },
  };
}
