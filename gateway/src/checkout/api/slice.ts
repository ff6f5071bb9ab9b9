import type { Console } from '../../identity/console/console.ts';
import type { Slice } from '../../kit/slice.ts';
import { type CheckoutDeps, checkoutRoutes } from './routes.ts';

/** The page that customers pay on. */
export function createCheckout(deps: CheckoutDeps): Slice<Console> {
  return { routes: { pages: (server) => checkoutRoutes(server, deps) } };
}
