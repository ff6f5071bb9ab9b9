import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { expect } from 'vitest';
import { type Database, transaction } from '../../src/kit/db/db.ts';
import { newId } from '../../src/kit/ids.ts';
import { makeAddresses } from '../../src/rails/evm/addresses/addresses.ts';
import { forwarderAddress } from '../../src/rails/evm/addresses/forwarders.ts';
import type { ChainConfig, Hex } from '../../src/rails/evm/config/chains.ts';
import { createEndpoints, type Endpoints } from '../../src/rails/evm/rpc/endpoints.ts';
import type { SweepDeps } from '../../src/rails/evm/sweep/deps.ts';
import { createSweeper, type Sweeper } from '../../src/rails/evm/sweep/sweeper.ts';
import { atFileEnd } from '../suite/endings.ts';
import { emptyTables } from '../support/database.ts';
import { silentLog, type TestClock, testClock } from '../support/fixtures.ts';
import { type TestChain, type TestToken, treasury } from './chain.ts';

export type TestGasKey = { file: string; address: Hex; account: PrivateKeyAccount };

/** A file with a key of its own. */
export async function gasKeyFile(): Promise<TestGasKey> {
  const folder = await mkdtemp(join(tmpdir(), 'florin-test-'));
  atFileEnd(() => rm(folder, { recursive: true }));
  const secret: Hex = `0x${randomBytes(32).toString('hex')}`;
  const file = join(folder, 'gas.key');
  await writeFile(file, `${secret}\n`, { mode: 0o600 });
  const account = privateKeyToAccount(secret);
  return { file, address: account.address.toLowerCase() as Hex, account };
}

export type Bench = Awaited<ReturnType<typeof openBench>>;

/** A chain with a gas key that has coins, and what stands for the scanner: rows as the chain shows them. */
export async function openBench(db: Database, chain: TestChain, changes: Partial<ChainConfig> = {}) {
  const { client, tokens } = chain;
  const clock: TestClock = testClock();
  const key = await gasKeyFile();
  await client.setBalance({ address: key.address, value: 10n ** 18n });
  const config = chain.config({ nativeUsd: '1', ...changes });
  const sweep = { ...config.sweep, gasKeyFile: key.file };

  /** Payments with a deposit each, which the scanner has seen. */
  async function deposit(token: TestToken, amounts: bigint[]): Promise<string[]> {
    const payments = amounts.map(() => newId());
    await transaction(db, (tx) => makeAddresses(tx, [config], payments, clock.now()));
    for (const [at, units] of amounts.entries()) await token.mint(addressOf(payments[at]!), units);
    await scan(db, chain, clock);
    return payments;
  }

  const deps: SweepDeps = {
    db,
    chain: { ...config, sweep },
    endpoints: createEndpoints({ chain: config, nowMs: () => clock.now().getTime() }),
    usdOf: () => '1',
    now: clock.now,
    log: silentLog,
  };

  return {
    ...chain,
    db,
    clock,
    key,
    deps,
    deposit,
    scan: () => scan(db, chain, clock),
    /** What it sends is mined when it is done, unless blocks are made by hand. */
    sweeper(others: Partial<SweepDeps> = {}): Sweeper {
      const { tick, sweep } = createSweeper({ ...deps, ...others, keyFile: key.file });
      return {
        tick: async () => {
          await tick();
          await mined(chain);
        },
        sweep: async (what) => {
          const round = await sweep(what);
          await mined(chain);
          return round;
        },
      };
    },
    /** Makes what is mined final, and lets the sweeper see it. */
    settle: async (sweeper: Sweeper) => {
      await chain.mine(3);
      await scan(db, chain, clock);
      await sweeper.tick();
      // The sweeper leaves what it has just swept to the scanner for a while.
      clock.advance(15 * 60);
    },
    /** What lies at the payments' addresses. */
    left: async (token: TestToken, payments: string[]) =>
      await Promise.all(payments.map((payment) => token.balanceOf(addressOf(payment)))),
    nonce: () => client.getTransactionCount({ address: key.address }),
    tokens,
  };
}

/** A node takes a transaction a moment before it makes the block for it. */
async function mined({ client }: TestChain): Promise<void> {
  if (!(await client.getAutomine())) return;
  await expect.poll(async () => (await client.getTxpoolStatus()).pending, { interval: 10 }).toBe(0);
}

export function addressOf(payment: string): Hex {
  return forwarderAddress(treasury, payment);
}

/** Endpoints of which each call may be changed by a test. */
export function endpointsThat(
  endpoints: Pick<Endpoints, 'use'>,
  batch: (
    calls: readonly { method: string; params: unknown[] }[],
    ask: () => Promise<unknown[]>,
  ) => Promise<unknown[]>,
): Pick<Endpoints, 'use'> {
  return {
    use: (work, options) =>
      endpoints.use(
        (endpoint) => work({ ...endpoint, batch: (calls) => batch(calls, () => endpoint.batch(calls)) }),
        options,
      ),
  };
}

export type TransactionRow = {
  nonce: bigint;
  state: string;
  payments: string[];
  units: bigint;
  fault: string | null;
  hash: Hex | null;
  attempts: number;
};

export async function transactions(db: Database): Promise<TransactionRow[]> {
  const { rows } = await db.query<TransactionRow>(
    `SELECT nonce, state, payments, units, fault, hash,
       (SELECT count(*)::int FROM evm_attempts a WHERE a.transaction_id = t.id) AS attempts
     FROM evm_transactions t ORDER BY created_at, nonce, id`,
  );
  return rows;
}

/** Writes every transfer that the chain shows now as final, and those that it shows no more as gone. */
async function scan(db: Database, { client, id, tokens }: TestChain, { now }: TestClock): Promise<void> {
  const { rows } = await db.query<{ address: Hex; owner_id: string }>(
    'SELECT address, owner_id FROM evm_addresses',
  );
  const ours = new Map(rows.map(({ address, owner_id }) => [address, owner_id]));
  const listed = new Map(Object.values(tokens).map(({ address, asset }) => [address, asset]));
  const logs = await client.getLogs({ fromBlock: 0n, toBlock: 'latest', address: [...listed.keys()] });
  await db.query(`UPDATE evm_transfers SET state = 'gone'`);
  for (const { address: token, topics, data, blockHash, blockNumber, logIndex, transactionHash } of logs) {
    const [, from, to] = topics.map((topic) => `0x${topic.slice(26)}` as Hex);
    const kind = to !== undefined && ours.has(to) ? 'deposit' : 'sweep';
    const address = kind === 'deposit' ? to! : from!;
    if (!ours.has(address) || (kind === 'sweep' && to !== treasury)) continue;
    await db.query(
      `INSERT INTO evm_transfers (chain_id, block_hash, log_index, block_number, transaction, kind, asset, token,
         sender, address, owner_id, units, state, confirmations, ledger_id, seen_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 'final', 3, $13, $14)
       ON CONFLICT (chain_id, block_hash, log_index, side) DO UPDATE SET state = 'final'`,
      [
        id,
        blockHash,
        logIndex,
        blockNumber,
        transactionHash,
        kind,
        listed.get(token.toLowerCase() as Hex),
        token.toLowerCase(),
        from,
        address,
        ours.get(address),
        BigInt(data),
        newId(),
        now(),
      ],
    );
  }
}

export async function emptied(db: Database): Promise<void> {
  await emptyTables(
    db,
    'leases, evm_addresses, evm_transfers, evm_transactions, evm_attempts, evm_senders, evm_sweep_faults, evm_payouts, evm_exports, evm_export_orders, evm_vault_events, evm_payout_senders',
  );
}
