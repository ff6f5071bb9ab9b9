import { afterAll, beforeEach, expect, test } from 'vitest';
import { type Database, openDatabase, transaction } from '../src/kit/db/db.ts';
import { auditLedger } from '../src/ledger/audit.ts';
import { createAssets } from '../src/money/assets.ts';
import { createTakeReports } from '../src/networks/take-reports.ts';
import type { Payment } from '../src/payments/payment/payment.ts';
import { expireDue } from '../src/payments/settlement/expire.ts';
import type { ChainConfig } from '../src/rails/evm/config/chains.ts';
import { createEvmRail } from '../src/rails/evm/rail.ts';
import { transferOutbox } from '../src/rails/evm/scan/outbox.ts';
import { createReporter } from '../src/rails/report.ts';
import { createEmbeddedBackend } from '../src/wallets/embedded-backend.ts';
import { payFromWallet } from '../src/wallets/pay.ts';
import { testDatabase } from './support/database.ts';
import { bookArrival, noPayouts, seedBalance, seedUser, silentLog } from './support/fixtures.ts';
import { openShop, pass, paymentById, report, type Shop } from './support/payment-fixtures.ts';

// Whatever books at the same time locks payments and accounts in one order: nobody waits in a circle. The clock
// stands still, so a payment whose report was put off would never be credited. The chain was read past every deadline:
// a payment whose report comes before its deadline is judged awaits that.

const { db, connection } = await testDatabase();
await db.query("INSERT INTO evm_chains (chain_id, read_through) VALUES (31337, '2027-01-01')");
afterAll(async () => {
  expect((await auditLedger(db)).findings).toEqual([]);
});

const chain: ChainConfig = {
  ...{ id: 31337, name: 'Local', rpcUrls: [], finality: 'confirmations', confirmations: 3, blockSeconds: 1 },
  ...{ startBlock: null, receiving: { kind: 'forwarder', treasury: `0x${'0'.repeat(38)}01` } },
  tokens: ['usdc-bep20', 'usdt-bep20'].map((asset, index) => ({
    ...{ asset, address: `0x${'0'.repeat(39)}${index + 1}` as const, scale: 18, symbol: null },
  })),
  ...{ nativeSymbol: 'ETH', nativeUsd: null, publicRpcUrl: null, explorer: null },
  sweep: { gasKeyFile: null, everySeconds: 3600, worth: 20, maxGasPriceGwei: 200 },
  vault: null,
  paysByHand: false,
};
const [usdc, usdt] = ['usdc-bep20', 'usdt-bep20'];
const unit = 10n ** 18n;

let shop: Shop;
beforeEach(async () => {
  shop = await openLiveShop();
});

async function openLiveShop(): Promise<Shop> {
  const now = () => shop.clock.now();
  const rail = createEvmRail({ chains: [chain], assets: createAssets(), now });
  const opened = await openShop(db, { approved: true }, { mode: 'live', rail });
  shop = opened;
  return opened;
}

/** As one gateway after the other would find them: all final, and none told yet. */
let blocks = 0;
async function transfersOf(payment: Payment, assets: string[], units: bigint): Promise<void> {
  blocks += 1;
  await db.query(
    `INSERT INTO evm_transfers (chain_id, block_hash, log_index, block_number, transaction, kind, asset, token,
       sender, address, owner_id, units, state, confirmations, ledger_id, seen_at)
     SELECT $1, '0x' || $2::bigint, n, $2, '0x' || $2 || n, 'deposit', asset, '', '', a.address, a.owner_id, $4, 'final', 3,
       gen_random_uuid(), $5
     FROM unnest($3::text[]) WITH ORDINALITY AS t (asset, n), evm_addresses a WHERE a.owner_id = $6`,
    [chain.id, blocks, assets, units, shop.clock.now(), payment.id],
  );
}

/** Runs work on connections of its own and answers how many deadlocks there were meanwhile. */
async function deadlocksWhile(work: (gateways: [Database, Database]) => Promise<unknown>): Promise<number> {
  const count = async () => {
    const { rows } = await db.query<{ deadlocks: bigint }>(
      'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
    );
    return Number(rows[0]!.deadlocks);
  };
  const before = await count();
  const gateways = [openDatabase(connection, 12), openDatabase(connection, 12)] as [Database, Database];
  try {
    await work(gateways);
  } finally {
    // A connection reports what it counted at its end, at the latest.
    await Promise.all(gateways.map((each) => each.end()));
  }
  const connected = 'SELECT FROM pg_stat_activity WHERE datname = current_database()';
  const others = async () => ((await db.query(connected)).rowCount ?? 0) - db.totalCount;
  await expect.poll(others).toBe(0);
  return (await count()) - before;
}

async function reportAll(gateway: Database): Promise<void> {
  const { deps } = shop;
  const take = createTakeReports({ ...deps, sends: noPayouts, bookArrival, count: () => {} });
  const outbox = transferOutbox(chain);
  const { reportDue } = createReporter({ db: gateway, outbox, take, now: shop.clock.now, log: silentLog });
  while (await reportDue());
}

const statusesOf = async (payments: Payment[]) =>
  new Set((await Promise.all(payments.map(({ id }) => paymentById(db, id)))).map(({ status }) => status));

const byTurns = (first: number) =>
  Array.from({ length: 6 }, (_, n) => ((n + first) % 2 === 0 ? usdc! : usdt!));

test('sixty payments that get two tokens by turns are all credited, and none waits for another in a circle', async () => {
  const payments = await Promise.all(Array.from({ length: 60 }, () => shop.create()));
  for (const [n, payment] of payments.entries()) await transfersOf(payment, byTurns(n), 4n * unit);
  const deadlocks = await deadlocksWhile(([one]) => reportAll(one));
  expect([deadlocks, await statusesOf(payments)]).toEqual([0, new Set(['completed'])]);
});

test('nor do two gateways that report, expire, fund users and take money from their wallets at once', async () => {
  const names = ['wallet_one', 'wallet_two', 'wallet_three'];
  const users = await Promise.all(names.map((name) => seedUser(db, name)));
  const { integrationId } = shop.owner;
  for (const asset of [usdc!, usdt!]) {
    // The accounts of the wallets are older, and so locked before that of the business.
    const holders = [...users.map((user) => ['user', user] as const), ['business', integrationId] as const];
    for (const [kind, owner] of holders) {
      await seedBalance(db, { kind, owner, mode: 'live', asset, units: 500n * unit });
    }
  }
  const onChain = await Promise.all(Array.from({ length: 24 }, () => shop.create()));
  for (const [n, payment] of onChain.entries()) await transfersOf(payment, byTurns(n), 4n * unit);
  const fromWallets = await Promise.all(Array.from({ length: 12 }, () => shop.create()));
  // Some of these came, and their deadline passes.
  const late = await Promise.all(Array.from({ length: 12 }, () => shop.create()));
  for (const [n, payment] of late.entries()) {
    for (const [index, asset] of [usdt, usdc].entries()) {
      await report(shop, payment, { key: `${payment.id} ${index}`, units: 4n * unit, asset: asset! });
    }
    await transfersOf(payment, byTurns(n), unit);
  }
  await db.query('UPDATE payments SET deadline = $2, due_at = $2 WHERE id = ANY ($1)', [
    late.map(({ id }) => id),
    shop.clock.now(),
  ]);
  let isReported = false;
  const fund = async (gateway: Database) => {
    const wallets = createEmbeddedBackend(gateway, shop.clock.now);
    const payer = { integrationId, integrationName: 'Nib & Folio', mode: 'live' } as const;
    const fundings = { ...payer, units: 1n, uses: [], key: null, response: 'funded' };
    while (!isReported) {
      await Promise.all(
        names.flatMap((username) =>
          [usdc!, usdt!].map((asset) => wallets.fund({ ...fundings, username, asset })),
        ),
      );
    }
  };
  const deadlocks = await deadlocksWhile(async (gateways) => {
    const funding = gateways.map(fund);
    await Promise.all([
      ...gateways.map(reportAll),
      ...gateways.map((gateway) => expireDue(gateway, shop.deps)),
      ...gateways.map(async (gateway, index) => {
        for (const [n, { id }] of fromWallets.entries()) {
          if (n % 2 !== index) continue;
          await transaction(gateway, (tx) => payFromWallet(tx, shop.deps, id, users[n % 3]!));
        }
      }),
    ]);
    isReported = true;
    await Promise.all(funding);
  });
  // A round leaves out what others have locked just then, and what waits; a later one takes it.
  await expect
    .poll(async () => {
      await pass(shop, 60);
      return await statusesOf(late);
    })
    .toEqual(new Set(['in-appeal']));
  expect([deadlocks, await statusesOf([...onChain, ...fromWallets])]).toEqual([0, new Set(['completed'])]);
});
