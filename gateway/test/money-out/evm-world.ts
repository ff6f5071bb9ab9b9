import type { Database } from '../../src/kit/db/db.ts';
import type { ChainConfig, Hex } from '../../src/rails/evm/config/chains.ts';
import { startChain } from '../chain/chain.ts';
import { type ChainDriver, openDriver } from '../chain/driver.ts';
import { type BrittleEndpoint, startBrittle } from '../chain/endpoint.ts';
import { gasKeyFile, type TestGasKey } from '../chain/sweep-fixtures.ts';
import { deployOddToken } from '../chain/test-tokens.ts';
import { admin, deployVault } from '../chain/vault-fixtures.ts';
import { testDatabase } from '../support/database.ts';
import { cleaner } from './clean.ts';

/** What all schedules of a test file share: one chain with a vault, three endpoints of it, one database. */
export type EvmWorld = {
  db: Database;
  driver: ChainDriver;
  config: ChainConfig;
  tokens: Readonly<Record<'usdc-bep20' | 'usdt-bep20', Hex>>;
  endpoints: readonly BrittleEndpoint[];
  vault: Hex;
  /** The keys of the vault's signer, and of who pays for sweeps. */
  signer: TestGasKey;
  sweeper: TestGasKey;
  /** Nothing is in the database, and the endpoints are well. */
  clean(): Promise<void>;
};

export async function openEvmWorld(): Promise<EvmWorld> {
  const { db } = await testDatabase(16);
  const chain = await startChain({ assets: { 'usdc-bep20': 18, 'usdt-bep20': 18 }, keptStates: 3_000 });
  // It may bar a receiver.
  await deployOddToken(chain, 'BlacklistingToken', { asset: 'usdt-bep20' });
  const vault = await deployVault(chain);
  const [signer, sweeper] = [await gasKeyFile(), await gasKeyFile()];
  const driver = await openDriver(chain);
  const endpoints: BrittleEndpoint[] = [];
  while (endpoints.length < 3) endpoints.push(await startBrittle(chain.rpcUrl));
  const empty = await cleaner(db);
  const config = chain.config({
    vault: {
      address: vault.address,
      admin,
      signer: { by: { kind: 'file', keyFile: signer.file }, address: null },
      keep: new Map(),
    },
  });
  const tokenOf = (asset: string): Hex =>
    config.tokens.find((token) => token.asset === asset)?.address ?? '0x';
  return {
    ...{ db, driver, endpoints, vault: vault.address, signer, sweeper },
    config: { ...config, sweep: { ...config.sweep, gasKeyFile: sweeper.file } },
    tokens: { 'usdc-bep20': tokenOf('usdc-bep20'), 'usdt-bep20': tokenOf('usdt-bep20') },
    async clean() {
      for (const endpoint of endpoints) endpoint.mend();
      // What the last schedule left unmined is none of the next one's.
      await driver.rpc('anvil_dropAllTransactions');
      await empty();
    },
  };
}
