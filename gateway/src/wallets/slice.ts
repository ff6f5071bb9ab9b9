import type { Logger } from 'pino';
import type { Console } from '../identity/console/console.ts';
import type { Guards } from '../identity/keys/guards.ts';
import type { Clock } from '../kit/clock.ts';
import type { Database } from '../kit/db/db.ts';
import type { Slice } from '../kit/slice.ts';
import type { Assets } from '../money/assets.ts';
import { walletConsoleRoutes } from './console-routes.ts';
import { statementConsoleRoutes } from './console-statement-routes.ts';
import { createEmbeddedBackend } from './embedded-backend.ts';
import { createRemoteBackend } from './remote-backend.ts';
import type { RemoteWallets } from './remote-wallets.ts';
import { walletRoutes } from './routes.ts';

export type WalletDeps = {
  db: Database;
  guards: Guards;
  assets: Assets;
  log: Logger;
  now: Clock;
  /** Another system that holds the users' wallets; null: this installation's ledger does. Closed with the slice. */
  remote: RemoteWallets | null;
};

/** Balances of businesses, and crediting users' wallets from them. */
export function createWallets({ remote, ...deps }: WalletDeps): Slice<Console> {
  const wallets = remote
    ? createRemoteBackend({ ...deps, remote })
    : createEmbeddedBackend(deps.db, deps.now);
  return {
    routes: {
      api: (api) => walletRoutes(api, { ...deps, wallets }),
      dashboard(dashboard) {
        walletConsoleRoutes(dashboard, { ...deps, wallets });
        statementConsoleRoutes(dashboard, deps);
      },
    },
    loops: [{ name: 'wallets', everyMs: 1_000, work: () => wallets.reconcile() }],
    close: async () => await remote?.close(),
  };
}
