import type { FastifyInstance } from 'fastify';
import type { Console } from '../../identity/console/console.ts';
import type { SetupCalls } from '../../identity/console/setup/setup-calls.ts';
import { hasGoodLink } from '../../identity/setup/setup-link.ts';
import type { LoopPlan, Slice } from '../../kit/slice.ts';
import { restoreRoutes } from './restore-routes.ts';
import type { Restorer } from './restorer.ts';
import { type StepRouteDeps, stepRoutes } from './step-routes.ts';
import { clearUploads } from './uploads.ts';

export type FirstRunDeps = StepRouteDeps & {
  identity: { setupCalls: (server: FastifyInstance) => SetupCalls };
  /** Left out once there is an operator. */
  restorer: Restorer | undefined;
};

/** The first run of an installation: a backup that is restored in its place, and what its operator finishes (contract.md#first-run). */
export function createFirstRun(deps: FirstRunDeps): Slice<Console> {
  const { config, identity, restorer } = deps;
  return {
    routes: {
      pages(server) {
        if (restorer) restoreRoutes(identity.setupCalls(server), { restorer, config });
      },
      dashboard: (dashboard) => stepRoutes(dashboard, deps),
    },
    ...(restorer ? { loops: [uploadsLoop(deps, restorer)] } : {}),
  };
}

/** What a browser sent is kept as long as the link is good. */
function uploadsLoop({ db, config, now }: FirstRunDeps, restorer: Restorer): LoopPlan {
  return {
    name: 'first-run-uploads',
    everyMs: 60_000,
    isOptional: true,
    async work() {
      const running = await restorer.state();
      if (running?.state === 'checking' || running?.state === 'loading') return;
      if (!(await hasGoodLink(db, now()))) await clearUploads(config.dataDir);
    },
  };
}
