import type { Console } from '../../identity/console/console.ts';
import { sameOriginPath } from '../../kit/net/same-origin-path.ts';
import type { Slice } from '../../kit/slice.ts';
import { mailReceipts } from '../receipts/mail-receipts.ts';
import { type CheckoutDeps, checkoutRoutes } from './routes.ts';

export type CheckoutSliceDeps = Omit<CheckoutDeps, 'walletUrl'> & { hasWalletPages: boolean };

/** The page that customers pay on, and the receipts that it mails. */
export function createCheckout(given: CheckoutSliceDeps): Slice<Console> {
  const { db, now, mailsReceipts } = given;
  const walletUrl = given.hasWalletPages ? sameOriginPath(given.payUrl, `${given.baseUrl}/wallet`) : null;
  const deps = { ...given, walletUrl };
  const receipts = { name: 'receipts', everyMs: 5_000, work: () => mailReceipts(db, deps, now()) };
  return {
    routes: { pages: (server) => checkoutRoutes(server, deps) },
    loops: mailsReceipts ? [receipts] : [],
  };
}
