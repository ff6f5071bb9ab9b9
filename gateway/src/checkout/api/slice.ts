import type { Console } from '../../identity/console/console.ts';
import type { Slice } from '../../kit/slice.ts';
import { mailReceipts } from '../receipts/mail-receipts.ts';
import { type CheckoutDeps, checkoutRoutes } from './routes.ts';

/** The page that customers pay on, and the receipts that it mails. */
export function createCheckout(deps: CheckoutDeps): Slice<Console> {
  const { db, now, mailsReceipts } = deps;
  const receipts = { name: 'receipts', everyMs: 5_000, work: () => mailReceipts(db, deps, now()) };
  return {
    routes: { pages: (server) => checkoutRoutes(server, deps) },
    loops: mailsReceipts ? [receipts] : [],
  };
}
