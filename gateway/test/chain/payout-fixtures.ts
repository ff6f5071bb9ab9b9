import { expect } from 'vitest';
import { afterCommit, type Database, transaction } from '../../src/kit/db/db.ts';
import { newId } from '../../src/kit/ids.ts';
import type { HandFileKind } from '../../src/rails/by-hand.ts';
import type { ChainConfig, Hex } from '../../src/rails/evm/config/chains.ts';
import type { PayoutDeps } from '../../src/rails/evm/payouts/deps.ts';
import { createPayoutSender, type PayoutSender } from '../../src/rails/evm/payouts/sender.ts';
import { createEvmSending } from '../../src/rails/evm/payouts/sending.ts';
import { createEndpoints } from '../../src/rails/evm/rpc/endpoints.ts';
import { readGasKey } from '../../src/rails/evm/send/key.ts';
import type { SendReport } from '../../src/rails/rail.ts';
import { emptyTables } from '../support/database.ts';
import { silentLog, type TestClock, testClock } from '../support/fixtures.ts';
import type { TestChain, TestToken } from './chain.ts';
import { emptied, gasKeyFile } from './sweep-fixtures.ts';
import { admin, type TestVault, type VaultOutcome, vaultAt } from './vault-fixtures.ts';

export type PayoutBench = Awaited<ReturnType<typeof openPayouts>>;

/** A vault with a signer of its own that has coins, and what stands for the scan: the chain's own final block. */
export async function openPayouts(
  db: Database,
  chain: TestChain,
  vault: TestVault,
  changes: Partial<ChainConfig> = {},
) {
  const { client } = chain;
  await emptied(db);
  await emptyTables(db, 'evm_chains, evm_blocks');
  const clock: TestClock = testClock();
  const key = await gasKeyFile();
  await client.setBalance({ address: key.address, value: 10n ** 18n });
  await vault.call('setSigner', [key.address]);
  const signer = { by: { kind: 'file' as const, keyFile: key.file }, address: null };
  const config = chain.config({
    vault: { address: vault.address, admin, signer, keep: new Map() },
    ...changes,
  });
  const reports: SendReport[] = [];
  const stop = { isStopped: false };
  const deps: PayoutDeps = {
    db,
    chain: config,
    vault: config.vault!,
    endpoints: createEndpoints({ chain: config, nowMs: () => clock.now().getTime() }),
    readKey: () => readGasKey(key.file),
    isStopped: async () => stop.isStopped,
    async take(tx, batch) {
      for (const each of batch) {
        if (each.kind === 'send') afterCommit(tx, () => reports.push(each.report));
      }
    },
    now: clock.now,
    log: silentLog,
  };
  const sending = createEvmSending(config, deps.vault, clock.now);
  const hand = sending.byHand;
  if (!hand) throw new Error('A vault is paid out of by hand too');

  /** Writes down what the scan would call final. */
  async function final(): Promise<void> {
    const { number, hash } = await client.getBlock({ blockTag: 'finalized' });
    await db.query(
      `INSERT INTO evm_chains (chain_id, start_number, seen_number, seen_hash, final_number, final_hash)
       VALUES ($1, 0, $2, $3, $2, $3)
       ON CONFLICT (chain_id) DO UPDATE SET seen_number = excluded.seen_number, seen_hash = excluded.seen_hash,
         final_number = excluded.final_number, final_hash = excluded.final_hash`,
      [config.id, number, hash],
    );
  }
  await chain.mine(3);
  await final();

  return {
    chain,
    vault,
    clock,
    key,
    deps,
    stop,
    reports,
    sending,
    hand,
    final,
    sender(others: Partial<PayoutDeps> = {}): PayoutSender {
      const { tick, report } = createPayoutSender({ ...deps, ...others });
      return {
        report,
        async tick() {
          await tick();
          // A node takes a transaction a moment before it makes the block for it.
          if (await client.getAutomine()) {
            await expect
              .poll(async () => (await client.getTxpoolStatus()).pending, { interval: 10, timeout: 120_000 })
              .toBe(0);
          }
        },
      };
    },
    /** Orders, all in one transaction; their ids. */
    async order(token: TestToken, payouts: { to: Hex; units: bigint }[]): Promise<string[]> {
      const ids = payouts.map(() => newId());
      await transaction(db, async (tx) => {
        for (const [at, { to, units }] of payouts.entries()) {
          await sending.order(tx, { id: ids[at]!, asset: token.asset, units, to, memo: null });
        }
      });
      return ids;
    },
    /** What is queued, as an operator exports it; the id of the export. */
    async export(): Promise<string | null> {
      return (await transaction(db, (tx) => hand.export(tx, 'operator')))?.id ?? null;
    },
    takeBack: (id: string) => transaction(db, (tx) => hand.takeBack(tx, id)),
    /** A file of an export, for whoever executes it. */
    async file(id: string, kind: HandFileKind = 'safe'): Promise<string> {
      const found = await hand.file(db, id, kind);
      if (!found) throw new Error(`There is no ${kind} of ${id}`);
      return found.text;
    },
    /** Does what the file for a Safe says, as the vault's admin. */
    async execute(file: string): Promise<VaultOutcome[]> {
      const { chainId, transactions } = JSON.parse(file) as SafeFile;
      expect(chainId).toBe(`${config.id}`);
      const outcomes: VaultOutcome[] = [];
      for (const { to, data } of transactions) {
        outcomes.push(await vaultAt(chain, to.toLowerCase() as Hex).send(admin, data));
      }
      return outcomes;
    },
    cancel: (id: string) => transaction(db, (tx) => sending.cancel(tx, id)),
    /** Makes what is mined final, and lets the sender see it, at a time when what waits is tried again. */
    async settle(sender: PayoutSender) {
      if (await client.getAutomine()) await chain.mine(3);
      await final();
      clock.advance(3_601);
      await sender.tick();
    },
    /** What was reported of an order, in order, with what is said of it. */
    storyOf: (id: string) =>
      reports
        .filter((each) => each.id === id)
        .map(({ state, why }) => (why === null ? state : `${state}: ${why}`)),
  };
}

export type SafeFile = { chainId: string; transactions: { to: Hex; value: string; data: Hex }[] };

export type OrderRow = { id: string; state: string; fault: string | null; vault_id: bigint };

export async function orders(db: Database): Promise<OrderRow[]> {
  const { rows } = await db.query<OrderRow>(
    'SELECT id, state, fault, vault_id FROM evm_payouts ORDER BY vault_id',
  );
  return rows;
}
