import type { Console } from '../../identity/console/console.ts';
import type { Slice } from '../../kit/slice.ts';
import { forgetExpired } from '../../wallets/accounts/tokens.ts';
import { type WalletPageDeps, walletPageRoutes } from './routes.ts';

/** The pages of people's wallets; `off`: there are none. */
export function createWalletPages(deps: WalletPageDeps): Slice<Console> {
  if (deps.signUp === 'off') return {};
  const { db, now } = deps;
  return {
    routes: { pages: (server) => walletPageRoutes(server, deps) },
    loops: [{ name: 'wallet sessions', everyMs: 60_000, work: () => forgetExpired(db, now()) }],
  };
}
