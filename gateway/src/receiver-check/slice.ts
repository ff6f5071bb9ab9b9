import type { Logger } from 'pino';
import type { Console } from '../identity/console/console.ts';
import type { Slice } from '../kit/slice.ts';
import type { WebhookRouteDeps } from '../webhooks/api/own-write.ts';
import { createReceiverChecks } from './checks.ts';
import { receiverCheckConsoleRoutes } from './console-routes.ts';
import { receiverCheckRoutes } from './routes.ts';

/** Checks whether a merchant's receiver follows the rules. */
export function createReceiverCheck(deps: WebhookRouteDeps & { log: Logger }): Slice<Console> {
  const checks = createReceiverChecks(deps);
  return {
    routes: {
      api: (api) => receiverCheckRoutes(api, { ...deps, checks }),
      dashboard: (dashboard) => receiverCheckConsoleRoutes(dashboard, { ...deps, checks }),
    },
    close: () => checks.stop(),
  };
}
