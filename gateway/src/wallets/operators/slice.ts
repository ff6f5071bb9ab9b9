import type { Console } from '../../identity/console/console.ts';
import type { Slice } from '../../kit/slice.ts';
import { type UserConsoleDeps, userConsoleRoutes } from './console-routes.ts';

/** What operators see of users and their wallets, and do with them. */
export function createUserDesk(deps: UserConsoleDeps): Slice<Console> {
  return { routes: { dashboard: (dashboard) => userConsoleRoutes(dashboard, deps) } };
}
