import { getIntegration } from '../../src/identity/integration.ts';
import { setOwnAddress } from '../../src/identity/own-addresses.ts';
import { transaction } from '../../src/kit/db/db.ts';
import { balancesOf } from '../../src/ledger/ledger.ts';
import { deployer } from '../../src/rails/evm/addresses/forwarders.ts';
import { splitterAddress, splitterFactoryBytecode } from '../../src/rails/evm/addresses/splitters.ts';
import type { Hex } from '../../src/rails/evm/config/chains.ts';
import { accounts, startChain } from '../chain/chain.ts';
import { gasKeyFile } from '../chain/sweep-fixtures.ts';
import { testDatabase } from '../support/database.ts';
import { testClock } from '../support/fixtures.ts';
import { openChainShop } from './chain-shop.ts';

const lower = (address: string) => address.toLowerCase() as Hex;

/**
 * A shop on a real chain whose payments in `usdc-bep20` settle to an address of its own, with the workers of the chain as
 * functions that a test calls. The gas key has one coin.
 */
export async function openDirectShop() {
  const { db } = await testDatabase();
  const chain = await startChain();
  const clock = testClock(new Date());
  const merchant = lower(accounts.stranger.address);
  const host = lower(accounts.admin.address);
  const gasKey = await gasKeyFile();
  await chain.client.setBalance({ address: gasKey.address, value: 10n ** 18n });
  const config = chain.config({
    finality: 'confirmations',
    startBlock: null,
    feeAddress: host,
    nativeUsd: '1',
  });
  config.sweep = { ...config.sweep, gasKeyFile: gasKey.file, everySeconds: 60, worth: 0 };
  const { assets, rail, shop, chains } = await openChainShop(db, config, clock);
  const { integrationId } = shop.owner;
  const basisPoints = 100;

  const data: Hex = `0x${'0'.repeat(64)}${splitterFactoryBytecode.slice(2)}`;
  await chain.mined(await chain.transact(accounts.deployer, deployer, data));
  const own = { address: merchant, mode: 'live', currency: 'USDC', by: 'owner', before: null } as const;
  const set = { integrationId, asset: 'usdc-bep20', own: { ...own, from: clock.now().toISOString() } };
  await transaction(db, (tx) => setOwnAddress(tx, set, clock.now()));
  shop.caller.integration = await getIntegration(db, shop.caller.integration.id);

  /** Reads what has happened, of which all becomes final, and sweeps. */
  async function read(rounds = 4): Promise<void> {
    for (let round = 0; round < rounds; round += 1) {
      await chain.mine(3);
      for (const { work } of chains.loops) await work();
      clock.advance(61);
    }
  }
  await read();
  return {
    ...{ db, chain, clock, assets, rail, chains, shop, read, merchant, host, basisPoints },
    splitter: splitterAddress({ merchant, host, basisPoints }),
    /** What the ledger has for the integration, in the asset's units. */
    held: async (kind: 'direct' | 'business' | 'suspense' | 'payable', asset = 'usdc-bep20') => {
      const found = await balancesOf(db, { kind, owner: integrationId, mode: 'live' });
      return found.find((each) => each.asset === asset)?.available ?? 0n;
    },
  };
}
