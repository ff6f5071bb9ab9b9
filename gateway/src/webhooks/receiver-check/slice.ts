import type { Logger } from 'pino';
import type { Console } from '../../identity/console/console.ts';
import type { Slice } from '../../kit/slice.ts';
import { createKeyCalls, type WebhookRouteDeps } from '../api/key-calls.ts';
import { createReceiverChecks } from './checks.ts';
import { receiverCheckConsoleRoutes, receiverCheckRoutes } from './routes.ts';

/** Checks whether a merchant's receiver follows the rules. */
export function createReceiverCheck(deps: WebhookRouteDeps & { log: Logger }): Slice<Console> {
  const checks = createReceiverChecks(deps);
  return {
    routes: {
      api: (api) => receiverCheckRoutes(createKeyCalls(api, deps), checks),
      dashboard: (dashboard) => receiverCheckConsoleRoutes(dashboard, checks),
    },
    close: () => checks.stop(),
  };
}
