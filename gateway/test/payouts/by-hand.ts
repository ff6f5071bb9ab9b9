import type { Hex } from '../../src/rails/evm/config/chains.ts';
import { startChain } from '../chain/chain.ts';
import { openPayouts, type PayoutBench } from '../chain/payout-fixtures.ts';
import { deployVault } from '../chain/vault-fixtures.ts';
import { testDatabase } from '../support/database.ts';

export const dollar = 10n ** 18n;

/** What is said of a payout that waits for its file to be executed. */
export const waits = 'waiting: Waits to be paid by hand';

export function freshAddress(): Hex {
  return `0x${crypto.getRandomValues(Buffer.alloc(20)).toString('hex')}`;
}

/** A chain with a vault of two tokens, whose payouts are exported and paid by hand. */
export async function openByHand() {
  const { db } = await testDatabase();
  const chain = await startChain({ assets: { 'usdc-bep20': 18, 'usdt-bep20': 18 } });
  const { client } = chain;
  const usdc = chain.tokens['usdc-bep20']!;
  const usdt = chain.tokens['usdt-bep20']!;
  const limits = { [usdc.address]: 1_000_000n * dollar };
  const vault = await deployVault(chain, { limits });
  for (const { mint } of [usdc, usdt]) await mint(vault.address, 1_000_000n * dollar);
  let bench: PayoutBench;
  let to: Hex;
  return {
    ...{ db, chain, client, usdc, usdt, vault },
    /** New accounts and a new receiver for the next test, on the same chain. */
    async renew(): Promise<{ bench: PayoutBench; to: Hex }> {
      await client.setAutomine(true);
      bench = await openPayouts(db, chain, vault);
      to = freshAddress();
      return { bench, to };
    },
    /** Orders a dollar for the receiver of this test. Returns the order's id. */
    ordered: async (token = usdc): Promise<string> => (await bench.order(token, [{ to, units: dollar }]))[0]!,
    async exported(): Promise<string> {
      const id = await bench.export();
      if (id === null) throw new Error('Nothing was exported');
      return id;
    },
    reorg: (depth: number) => client.request({ method: 'anvil_reorg', params: [depth, []] } as never),
    /** How far the newest event that was read is below the head. */
    async depthOfNewest(): Promise<number> {
      const { rows } = await db.query<{ number: bigint }>(
        `SELECT max(block_number) AS number FROM evm_vault_events WHERE state = 'final'`,
      );
      return Number((await client.getBlockNumber()) - rows[0]!.number) + 1;
    },
    /** Ticks and final blocks until nothing changes any more. */
    async ended(sender = bench.sender()): Promise<void> {
      for (let count = 0; count < 4; count += 1) await bench.settle(sender);
    },
  };
}
