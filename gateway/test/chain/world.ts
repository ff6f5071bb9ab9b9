import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../src/kit/db/db.ts';
import type { ChainConfig, Hex } from '../../src/rails/evm/config/chains.ts';
import { journalMovesSql, journalTableSql } from '../schedules/journal.ts';
import { atFileEnd } from '../suite/endings.ts';
import { emptyTables, testDatabase } from '../support/database.ts';
import { accounts, startChain } from './chain.ts';
import { type ChainDriver, openDriver } from './driver.ts';
import { type BrittleEndpoint, startBrittle } from './endpoint.ts';
import { assetCodes, type TokenName } from './steps.ts';

// What all schedules of a test file share: one chain, three endpoints of it, one database.

export type World = {
  db: Database;
  driver: ChainDriver;
  /** The configuration of every schedule, but for its beginning, its finality and its endpoints. */
  config: ChainConfig;
  tokens: Readonly<Record<TokenName, Hex>>;
  endpoints: readonly BrittleEndpoint[];
  /** The key that pays for sweeps: one of the chain's own accounts. */
  gasKeyFile: string;
};

export async function openWorld(): Promise<World> {
  const { db } = await testDatabase(16);
  await db.query(journalTableSql);
  await db.query(journalMovesSql);
  const scales = Object.fromEntries(assetCodes.map((code) => [code, code === 'usdc-erc20' ? 6 : 18]));
  const chain = await startChain({ assets: { ...scales, unlisted: 18 }, keptStates: 2_000 });
  const driver = await openDriver(chain);
  const config = chain.config();
  const endpoints: BrittleEndpoint[] = [];
  while (endpoints.length < 3) endpoints.push(await startBrittle(chain.rpcUrl));
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
    endpoints,
    gasKeyFile: await writeGasKey(),
  };
}

/** A new beginning of the chain, endpoints that are well, and no scanner's memory of what was before. */
export async function resetWorld({ db, driver, endpoints }: World): Promise<void> {
  for (const endpoint of endpoints) endpoint.mend();
  await driver.begin();
  await emptyTables(
    db,
    'leases, evm_chains, evm_blocks, evm_rechecks, evm_second_readings, evm_transfers, evm_addresses, evm_transactions, evm_attempts, evm_senders, evm_sweep_faults, evm_payouts, evm_exports, evm_export_orders, evm_vault_events, evm_payout_senders, schedule_journal',
  );
}

async function writeGasKey(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'florin-test-'));
  atFileEnd(() => rm(folder, { recursive: true }));
  const file = join(folder, 'gas.key');
  const secret = Buffer.from(accounts.gas.getHdKey().privateKey!).toString('hex');
  await writeFile(file, `0x${secret}\n`, { mode: 0o600 });
  return file;
}
