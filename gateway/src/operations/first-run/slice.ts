import type { FastifyInstance } from 'fastify';
import type { Console } from '../../identity/console/console.ts';
import type { SetupCalls } from '../../identity/console/setup/setup-calls.ts';
import type { Secret } from '../../kit/secret.ts';
import type { Slice } from '../../kit/slice.ts';
import { restoreRoutes } from './restore-routes.ts';
import type { Restorer } from './restorer.ts';

export type FirstRunDeps = {
  config: { dataDir: string; masterKey: Secret };
  setupCalls: (server: FastifyInstance) => SetupCalls;
  /** Left out once there is an operator. */
  restorer: Restorer | undefined;
};

/** The first run of an installation: a backup that is restored in its place (contract.md#first-run). */
export function createFirstRun({ config, setupCalls, restorer }: FirstRunDeps): Slice<Console> {
  return {
    routes: {
      pages(server) {
        if (restorer) restoreRoutes(setupCalls(server), { restorer, config });
      },
    },
  };
}
