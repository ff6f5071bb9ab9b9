import type { Console } from '../../identity/console/console.ts';
import type { Guards } from '../../identity/keys/guards.ts';
import type { Slice } from '../../kit/slice.ts';
import { bookTopUp } from '../../payouts/arrivals/top-ups.ts';
import type { PayoutDeps } from '../../payouts/lifecycle/state.ts';
import type { Purposes } from '../../payouts/payout/purposes.ts';
import { bookRoutes } from '../books/console-routes.ts';
import { bookDeposit } from '../deposits/deposits.ts';
import { createEmbeddedBackend } from '../embedded-backend.ts';
import { walletErrors } from '../errors.ts';
import { userFunding } from '../fundings/purpose.ts';
import { type UserConsoleDeps, userConsoleRoutes } from '../operators/console-routes.ts';
import { createRemoteBackend } from '../remote-backend.ts';
import { carryOn } from '../remote-payments/carry-on.ts';
import { payRemotely, type RemotePaymentDeps, type RemotePayments } from '../remote-payments/pay.ts';
import { createRemoteWallets } from '../remote-wallets.ts';
import { withdrawalPurpose } from '../withdrawals/purpose.ts';
import { fundingConsoleRoutes } from './console-funding-routes.ts';
import { walletConsoleRoutes } from './console-routes.ts';
import { walletRoutes } from './routes.ts';

export type WalletDeps = UserConsoleDeps &
  PayoutDeps &
  Omit<RemotePaymentDeps, 'remote'> & {
    guards: Guards;
    /** Another system that holds the users' wallets; null: this installation's ledger does. */
    backend: { url: string; token: string; name: string } | null;
  };

export type Wallets = Slice<Console> & {
  /** Paying out of wallets in the other system; null where there is none. */
  remote: { name: string; payments: RemotePayments } | null;
};

/** What users order as payouts, and fundings of users that are approved; `backend`: another system has the wallets. */
export const walletPurposes = (backend: object | null): Purposes => ({
  withdrawal: withdrawalPurpose,
  user_funding: userFunding(backend !== null),
});

/** Books what arrived at a reusable address, by the kind of its owner. */
export const bookArrival = { user: bookDeposit, 'top-up': bookTopUp };

/** Balances of businesses, users' wallets and crediting them, and what operators do with them. */
export function createWallets(deps: WalletDeps): Wallets {
  const { db, now, backend } = deps;
  const other = backend && createRemoteWallets(backend);
  const wallets = other ? createRemoteBackend({ ...deps, remote: other }) : createEmbeddedBackend(db, now);
  const payments = other && { ...deps, remote: other };
  return {
    remote: backend &&
      payments && {
        name: backend.name,
        payments: { pay: (paymentId, payer) => payRemotely(payments, paymentId, payer) },
      },
    errors: walletErrors,
    routes: {
      api: (api) => walletRoutes(api, { ...deps, wallets }),
      dashboard(dashboard) {
        walletConsoleRoutes(dashboard, deps);
        fundingConsoleRoutes(dashboard, { ...deps, wallets });
        bookRoutes(dashboard, deps);
        userConsoleRoutes(dashboard, deps);
      },
    },
    loops: [
      { name: 'wallets', everyMs: 1_000, work: () => wallets.reconcile() },
      ...(payments ? [{ name: 'wallet payments', everyMs: 1_000, work: () => carryOn(payments) }] : []),
    ],
    close: async () => await other?.close(),
  };
}
