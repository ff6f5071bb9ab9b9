import type { Database } from '../../src/kit/db/db.ts';
import { createAssets } from '../../src/money/assets.ts';
import { createChains } from '../../src/networks/chains.ts';
import { createRails } from '../../src/networks/rails.ts';
import type { ChainConfig } from '../../src/rails/evm/config/chains.ts';
import { atFileEnd } from '../suite/endings.ts';
import { bookArrival, noHints, noPayouts, silentLog, type testClock } from '../support/fixtures.ts';
import { openShop, payoutParts } from '../support/payment-fixtures.ts';

/** A shop that takes live payments on one chain, whose workers a test calls as functions. */
export async function openChainShop(db: Database, config: ChainConfig, clock: ReturnType<typeof testClock>) {
  const assets = createAssets();
  const rail = createRails({ chains: [config], pi: null, assets, now: clock.now });
  const shop = await openShop(db, { approved: true }, { mode: 'live', clock, rail });
  const chains = createChains({
    ...payoutParts(assets, clock.now),
    ...{ db, chains: [config], hints: noHints, rail, assets, now: clock.now, log: silentLog },
    ...{ sends: noPayouts, bookArrival, count: () => {}, usdOf: () => '1' },
  });
  atFileEnd(() => chains.disconnect());
  return { assets, rail, shop, chains };
}
