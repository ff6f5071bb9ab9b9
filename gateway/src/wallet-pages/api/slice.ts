import type { Console } from '../../identity/console/console.ts';
import type { Slice } from '../../kit/slice.ts';
import { forgetExpired } from '../../wallets/accounts/tokens.ts';
import { mailNotices } from '../notice-letters.ts';
import { type WalletPageDeps, walletPageRoutes } from './routes.ts';

/** The pages of people's wallets; `off`: there are none. */
export function createWalletPages(deps: WalletPageDeps): Slice<Console> {
  if (deps.signUp === 'off') return {};
  const { db, now, assets } = deps;
  const url = `${deps.baseUrl}/wallet`;
  return {
    routes: { pages: (server) => walletPageRoutes(server, deps) },
    loops: [
      { name: 'wallet sessions', everyMs: 60_000, work: () => forgetExpired(db, now()) },
      { name: 'wallet notices', everyMs: 2_000, work: () => mailNotices(db, { assets, url }, now()) },
    ],
  };
}
