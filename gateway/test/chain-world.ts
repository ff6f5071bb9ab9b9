import type { Database } from '../src/kit/db.ts';
import type { ChainConfig, Hex } from '../src/rails/evm/chains.ts';
import { startChain } from './chain.ts';
import { type ChainDriver, openDriver } from './chain-driver.ts';
import { journalTableSql } from './chain-journal.ts';
import { assetCodes, type EndpointFault, type TokenName } from './chain-schedules.ts';
import { testDatabase } from './database.ts';
import { inventedLog, type RpcProxy, startRpcProxy } from './rpc-proxy.ts';

// What all schedules of a test file share: one chain, two endpoints of it, one database.

export type World = {
  db: Database;
  driver: ChainDriver;
  /** The configuration of every schedule, but for its beginning, its finality and its endpoints. */
  config: ChainConfig;
  tokens: Readonly<Record<TokenName, Hex>>;
  endpoints: readonly [RpcProxy, RpcProxy];
};

export async function openWorld(): Promise<World> {
  const { db } = await testDatabase(16);
  await db.query(journalTableSql);
  const scales = Object.fromEntries(assetCodes.map((code) => [code, code === 'usdc-erc20' ? 6 : 18]));
  const chain = await startChain({ assets: { ...scales, unlisted: 18 }, keptStates: 2_000 });
  const driver = await openDriver(chain);
  const config = chain.config();
  const [first, second] = [await startRpcProxy(chain.rpcUrl), await startRpcProxy(chain.rpcUrl)];
  const tokens = Object.fromEntries(
    Object.values(chain.tokens).map(({ asset, address }) => [asset, address]),
  );
  return {
    db,
    driver,
    config: {
      ...config,
      tokens: config.tokens.filter(({ asset }) => asset !== 'unlisted'),
    },
    tokens: tokens as Record<TokenName, Hex>,
    endpoints: [first, second],
  };
}

/** A new beginning of the chain, endpoints that are well, and no scanner's memory of what was before. */
export async function resetWorld({ db, driver, endpoints }: World): Promise<void> {
  for (const endpoint of endpoints) endpoint.mend();
  await driver.begin();
  await db.query(
    'TRUNCATE evm_chains, evm_blocks, evm_rechecks, evm_transfers, evm_addresses, schedule_journal',
  );
}

/** What a lie is about: a transfer to this address in the chain's last block. */
export type Lie = { token: Hex; to: Hex; units: bigint; block: { number: bigint; hash: Hex } };

export function breakEndpoint(proxy: RpcProxy, fault: EndpointFault, lie: Lie): void {
  const { faults } = proxy;
  switch (fault) {
    case 'dead':
      faults.dead = true;
      break;
    case 'garbage':
      faults.garbage = 'truncated';
      break;
    case 'rate limited':
      faults.rateLimited = true;
      break;
    case 'lagging':
      faults.lagBlocks = 2;
      break;
    case 'empty logs':
      faults.hides = true;
      break;
    case 'invented log':
      faults.invents = [inventedLog({ from: lie.token, ...lie })];
      break;
    case 'one block at once':
      faults.maxBlocks = 1;
      break;
    case 'no batches':
      faults.refusesBatches = true;
      break;
    case 'drops replies':
      faults.dropEvery = 3;
  }
}
