// Reports what a chain's scan noted, as a gateway does, in a process of its own beside a database. There is no scan: the
// rows that it would note are written to its table.
import { join } from 'node:path';
import { createKeyLookup } from '../gateway/src/identity/keys/keys.ts';
import { systemClock } from '../gateway/src/kit/clock.ts';
import { type Database, openDatabase } from '../gateway/src/kit/db/db.ts';
import { newId } from '../gateway/src/kit/ids.ts';
import { connectEmbedded } from '../gateway/src/kit/postgres/embedded-postgres.ts';
import { createAssets } from '../gateway/src/money/assets.ts';
import { createTakeReports } from '../gateway/src/networks/take-reports.ts';
import { openSeal } from '../gateway/src/operations/master-key.ts';
import { type CreatePayment, createPaymentCreator } from '../gateway/src/payments/create/create.ts';
import { readCreateBody } from '../gateway/src/payments/create/schema.ts';
import { testRates } from '../gateway/src/payments/payment/amount.ts';
import type { StateDeps } from '../gateway/src/payments/payment/state.ts';
import type { ChainConfig } from '../gateway/src/rails/evm/config/chains.ts';
import { createEvmRail } from '../gateway/src/rails/evm/rail.ts';
import { transferOutbox } from '../gateway/src/rails/evm/scan/outbox.ts';
import { createReporter } from '../gateway/src/rails/report.ts';
import {
  bookArrival,
  noHints,
  noPayouts,
  seedIntegration,
  silentLog,
} from '../gateway/test/support/fixtures.ts';
import { payoutParts } from '../gateway/test/support/payment-fixtures.ts';
import { answer } from './child.ts';

/**
 * Opens the database of a data directory; or creates live payments of one merchant; or notes a block that pays all unpaid
 * ones; or notes that it is final; or reports what is new.
 */
export type BlockRequest =
  | { dataDir: string }
  | { create: number }
  | { note: 'seen' | 'final' }
  | { report: 'seen' | 'final' };
/** How long that took, this process, and how many payments of the last block are settled. */
export type BlockReply = { tookMs: number; pid: number; settled: number };

type World = {
  db: Database;
  create: () => Promise<unknown>;
  reportDue: () => Promise<boolean>;
  /** The payments of the block, or of the next one. */
  payments: string[];
};

const now = systemClock;
const createsAtOnce = 64;
const asset = 'usdc-bep20';
const body = readCreateBody({ amount: 10, currency: 'USDC', payment_type: 'deposit' });
const units = `1${'0'.repeat(19)}`;

const chain: ChainConfig = {
  id: 31_337,
  name: 'Local',
  rpcUrls: [],
  finality: 'confirmations',
  confirmations: 3,
  blockSeconds: 1,
  startBlock: null,
  receiving: { kind: 'forwarder', treasury: `0x${'0'.repeat(38)}01` },
  tokens: [{ asset, address: `0x${'0'.repeat(38)}02`, scale: 18, symbol: 'USDC' }],
  nativeSymbol: 'ETH',
  nativeUsd: null,
  publicRpcUrl: null,
  explorer: null,
  sweep: { gasKeyFile: null, everySeconds: 3600, worth: 20, maxGasPriceGwei: 200 },
  vault: null,
  paysByHand: false,
};

let world: World | undefined;
let blocks = 0;

answer<BlockRequest, BlockReply>(async (request) => {
  if ('dataDir' in request) world = await open(request.dataDir);
  if (!world) throw new Error('No database was opened');
  const startedMs = performance.now();
  await carryOut(world, request);
  return { tookMs: performance.now() - startedMs, pid: process.pid, settled: await settledIn(world) };
});

async function open(dataDir: string): Promise<World> {
  const connection = await connectEmbedded(dataDir);
  if (!connection) throw new Error(`No gateway runs on ${dataDir}`);
  const db = openDatabase(connection);
  const assets = createAssets();
  const rail = createEvmRail({ chains: [chain], assets, now });
  const deps: StateDeps = { hints: noHints, assets, rail, now, ...payoutParts(assets, now) };
  const take = createTakeReports({ ...deps, sends: noPayouts, bookArrival, count: () => {} });
  const outbox = transferOutbox(chain);
  const { reportDue } = createReporter({ db, outbox, take, now, log: silentLog });
  const seal = await openSeal(db, join(dataDir, 'master.key'));
  const { liveSecretKey } = await seedIntegration(db, seal, { approved: true });
  const caller = await createKeyLookup(db, now)(liveSecretKey);
  if (!caller) throw new Error('The merchant has no key');
  const createPayment: CreatePayment = createPaymentCreator({
    ...{ db, now, rail },
    rates: testRates,
    payUrl: 'https://pay.example/pay',
  });
  const payments: string[] = [];
  const create = async (): Promise<void> => {
    const { body: answered } = await createPayment(caller, body, null);
    payments.push(JSON.parse(answered).data.PaymentData.id);
  };
  return { db, create, reportDue, payments };
}

async function carryOut(opened: World, request: BlockRequest): Promise<void> {
  const { db, create, reportDue } = opened;
  if ('create' in request) {
    opened.payments.length = 0;
    let left = request.create;
    const createInTurn = async (): Promise<void> => {
      while (left-- > 0) await create();
    };
    await Promise.all(Array.from({ length: createsAtOnce }, createInTurn));
  } else if ('note' in request) {
    await (request.note === 'seen' ? noteSeen(opened) : noteFinal(db));
  } else if ('report' in request) {
    while (await reportDue());
  }
}

/** A block with a transfer to each of the payments, in their order. */
async function noteSeen({ db, payments }: World): Promise<void> {
  blocks += 1;
  const { rowCount } = await db.query(
    `INSERT INTO evm_transfers (chain_id, block_hash, log_index, block_number, transaction, kind, asset, token, sender,
       address, owner_id, units, state, confirmations, ledger_id, seen_at, block_at)
     SELECT $1, '0x' || lpad(to_hex($2::bigint), 64, '0'), p.n, $2, '0x' || md5($2 || ' ' || p.n) || md5(p.n::text),
       'deposit', $3, $4, '0x' || md5(p.n::text) || '00000000', a.address, a.owner_id, $5, 'seen', 1, l.id, $7, $7
     FROM unnest($6::uuid[], $8::uuid[]) WITH ORDINALITY AS p (id, ledger_id, n)
     JOIN evm_addresses a ON a.owner_id = p.id CROSS JOIN LATERAL (SELECT p.ledger_id AS id) l`,
    [
      ...[chain.id, blocks, asset, chain.tokens[0]?.address, units, payments, now()],
      payments.map(() => newId()),
    ],
  );
  if (rowCount !== payments.length) throw new Error(`${rowCount} of ${payments.length} payments are paid`);
}

async function noteFinal(db: Database): Promise<void> {
  await db.query(
    "UPDATE evm_transfers SET state = 'final', confirmations = $2 WHERE chain_id = $1 AND state = 'seen'",
    [chain.id, chain.confirmations],
  );
}

async function settledIn({ db, payments }: World): Promise<number> {
  const { rowCount } = await db.query("SELECT FROM payments WHERE id = ANY ($1) AND status = 'completed'", [
    payments,
  ]);
  return rowCount ?? 0;
}
