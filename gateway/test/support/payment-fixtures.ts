import type { Mode } from '../../src/identity/integration.ts';
import type { ApiKey } from '../../src/identity/keys/keys.ts';
import { createKeyLookup } from '../../src/identity/keys/keys.ts';
import type { Owner } from '../../src/identity/owner.ts';
import type { Clock } from '../../src/kit/clock.ts';
import { type Database, type Tx, transaction } from '../../src/kit/db/db.ts';
import { newId } from '../../src/kit/ids.ts';
import { auditLedger } from '../../src/ledger/audit.ts';
import { postAll } from '../../src/ledger/ledger.ts';
import { type Assets, createAssets } from '../../src/money/assets.ts';
import type { Rates } from '../../src/money/rates.ts';
import { createSendings } from '../../src/networks/sendings.ts';
import { createPaymentCreator } from '../../src/payments/create/create.ts';
import { readCreateBody } from '../../src/payments/create/schema.ts';
import { testRates } from '../../src/payments/payment/amount.ts';
import type { Payment } from '../../src/payments/payment/payment.ts';
import { type PaymentRow, paymentOf } from '../../src/payments/payment/payment-row.ts';
import type { StateDeps } from '../../src/payments/payment/state.ts';
import { createRefundPurpose } from '../../src/payments/refunds/purpose.ts';
import { type Changes, changePayments } from '../../src/payments/settlement/changes.ts';
import { expireDue, shiftTestPayments } from '../../src/payments/settlement/expire.ts';
import { recordTransfers } from '../../src/payments/settlement/observe.ts';
import { showDue } from '../../src/payments/simulate/simulate.ts';
import { unmatchedReturn } from '../../src/payments/unmatched/return-unmatched.ts';
import { merchantPayout } from '../../src/payouts/payout/purposes.ts';
import { joinRails } from '../../src/rails/join.ts';
import type { Observation, Rail, Sending } from '../../src/rails/rail.ts';
import { shiftSteps } from '../../src/rails/simulated/rail.ts';
import {
  type IntegrationSeed,
  noHints,
  seedIntegration,
  type TestClock,
  testClock,
  testSeal,
} from './fixtures.ts';

/** A gateway that takes no live money from outside. */
export const noRail = joinRails([]);

export const payUrl = 'https://pay.example/pay';

/** One merchant with everything that its payments need. The clock stands still until a test moves it. */
export type Shop = {
  db: Database;
  clock: TestClock;
  deps: StateDeps;
  assets: Assets;
  caller: ApiKey;
  owner: Owner;
  /** Creates a payment of 10 USDC, or of what `input` says, as a merchant's request would. */
  create(input?: Record<string, unknown>): Promise<Payment>;
};

export type ShopSetting = {
  mode?: Mode;
  clock?: TestClock;
  rates?: Rates;
  rail?: Rail;
  /** The registry of assets; without test networks when left out. */
  assets?: Assets;
  /** How live money is sent. */
  sendings?: readonly Sending[];
};

/** What carries payouts: the simulated chain for test money, and `live` for live money. */
export function payoutParts(
  assets: Assets,
  now: Clock,
  live: readonly Sending[] = [],
): Pick<StateDeps, 'sendings' | 'purposes'> {
  return {
    sendings: [...createSendings({ chains: [], pi: null, assets, now }), ...live],
    purposes: {
      merchant_payout: merchantPayout,
      refund: createRefundPurpose({ hints: noHints, assets, now }),
      unmatched_return: unmatchedReturn,
    },
  };
}

export async function openShop(
  db: Database,
  seed: IntegrationSeed = {},
  setting: ShopSetting = {},
): Promise<Shop> {
  const { mode = 'test', clock = testClock(), rates = testRates, rail = noRail, sendings = [] } = setting;
  const { assets = createAssets() } = setting;
  const deps: StateDeps = {
    hints: noHints,
    assets,
    rail,
    now: clock.now,
    ...payoutParts(assets, clock.now, sendings),
  };
  const { secretKey, liveSecretKey } = await seedIntegration(db, testSeal, seed, clock.now());
  const findKey = createKeyLookup(db, clock.now);
  const caller = (await findKey(mode === 'test' ? secretKey : liveSecretKey))!;
  const createPayment = createPaymentCreator({ db, now: clock.now, rates, payUrl, rail });
  return {
    db,
    clock,
    deps,
    assets,
    caller,
    owner: { integrationId: caller.integration.id, mode },
    async create(input) {
      const body = readCreateBody({ amount: 10, currency: 'USDC', payment_type: 'deposit', ...input });
      const { body: answer } = await createPayment(caller, body, null);
      return await paymentById(db, JSON.parse(answer).data.PaymentData.id);
    },
  };
}

export async function paymentById(db: Database, id: string): Promise<Payment> {
  const { rows } = await db.query<PaymentRow>('SELECT * FROM payments WHERE id = $1', [id]);
  return paymentOf(rows[0]!);
}

/** `status reason`, or the status alone where there is no reason. */
export async function statusOf(shop: Shop, { id }: Payment): Promise<string> {
  const { status, reason } = await paymentById(shop.db, id);
  return reason ? `${status} ${reason}` : status;
}

/** Runs one service call in a transaction of its own. */
export async function write<T>(shop: Shop, work: (tx: Tx) => Promise<T>): Promise<T> {
  return await transaction(shop.db, work);
}

/** Changes one payment in a transaction of its own; returns it as it then is. */
export async function change(
  shop: Shop,
  { id }: Pick<Payment, 'id'>,
  work: (changes: Changes) => unknown,
): Promise<Payment> {
  return await write(shop, (tx) =>
    changePayments(tx, shop.deps, [id], async (changes) => {
      await work(changes);
      return changes.payment(id);
    }),
  );
}

export type Seen = { key: string; units: bigint } & Partial<Pick<Observation, 'state' | 'asset' | 'direct'>>;

const railOf = (mode: Mode): string => (mode === 'live' ? 'evm:31337' : 'simulated');

/** The rail of the shop's mode reports a transfer to the payment: final, in usdc-erc20, unless `seen` says otherwise. */
export async function report(shop: Shop, payment: Payment, seen: Seen, at?: Date): Promise<Payment> {
  const { key, units, state = 'final', asset = 'usdc-erc20', direct } = seen;
  const confirmations = { seen: 1, final: 3, gone: 0 }[state];
  const transaction = `test_${key}`;
  const transfer = {
    key: transaction,
    transaction,
    paymentId: payment.id,
    asset,
    units,
    state,
    confirmations,
    ...(direct && { direct }),
  };
  const reported = { rail: railOf(shop.owner.mode), needed: 3, ...transfer };
  const taken = await write(shop, (tx) =>
    recordTransfers(tx, shop.deps, [{ seen: reported, at: at ?? shop.clock.now() }]),
  );
  return taken[0]!;
}

/** The business gives units of its balance to a user, so that they are gone when they are wanted back. */
export async function spend(shop: Shop, units: bigint, asset = 'usdc-erc20'): Promise<void> {
  const { integrationId: owner, mode } = shop.owner;
  const sides = { debit: { kind: 'business', owner }, credit: { kind: 'user', owner: newId() } } as const;
  const transfer = { id: newId(), mode, asset, units, ...sides, cause: 'fund_user', causeId: null };
  await write(shop, (tx) => postAll(tx, [transfer], shop.clock.now()));
}

/** Lets real time pass and does what became due. */
export async function pass(shop: Shop, seconds: number): Promise<void> {
  shop.clock.advance(seconds);
  await doWhatIsDue(shop);
}

/** Advances the integration's test clock, as `POST /test/clock/advance` does. */
export async function advanceTestClock(shop: Shop, seconds: number): Promise<void> {
  const { id } = shop.caller.integration;
  await write(shop, async (tx) => {
    const played = await shiftSteps(tx, id, seconds);
    await shiftTestPayments(tx, id, { seconds, now: shop.clock.now(), played });
  });
  await doWhatIsDue(shop);
}

async function doWhatIsDue({ db, deps }: Shop): Promise<void> {
  await showDue(db, deps);
  await expireDue(db, deps);
}

export type SentEvent = { type: string; sequence: number; body: Record<string, unknown> };

/** The payment's events in their order. */
export async function eventsOf(db: Database, { id }: Pick<Payment, 'id'>): Promise<SentEvent[]> {
  const { rows } = await db.query<{ type: string; sequence: number; body: string }>(
    'SELECT type, sequence, body FROM events WHERE payment_id = $1 ORDER BY sequence, seq',
    [id],
  );
  return rows.map((row) => ({ ...row, body: JSON.parse(row.body) }));
}

/** The payment's events by name, without the `payment_` that all begin with. */
export async function eventTypesOf(db: Database, payment: Pick<Payment, 'id'>): Promise<string[]> {
  return (await eventsOf(db, payment)).map(({ type }) => type.replace('payment_', ''));
}

/** The same without those of refunds. */
export async function statusEventsOf(db: Database, payment: Pick<Payment, 'id'>): Promise<string[]> {
  return (await eventTypesOf(db, payment)).filter((type) => !type.startsWith('refund'));
}

/** Units of each kind of account that a payment's transfers touched: `{ external, business, fees, ... }`. */
export async function ledgerOf(
  db: Database,
  { id }: Pick<Payment, 'id'>,
  asset = 'usdc-erc20',
): Promise<Record<string, bigint>> {
  const { rows } = await db.query<{ kind: string; units: bigint }>(
    `SELECT a.kind, sum(e.units) AS units
     FROM ledger_transfers t JOIN ledger_entries e ON e.transfer = t.id
     JOIN ledger_accounts a ON a.id = e.account
     WHERE t.cause_id = $1 AND a.asset = $2
     GROUP BY a.kind HAVING sum(e.units) <> 0`,
    [id, asset],
  );
  return Object.fromEntries(rows.map(({ kind, units }) => [kind, units]));
}

/** What the audit finds wrong with the whole ledger: nothing, where all is well. */
export async function auditFindings(db: Database) {
  return await transaction(db, async (tx) => {
    await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    return (await auditLedger(tx)).findings;
  });
}

/** Resolves once `call` has ended, or as soon as some statement waits for a lock. */
export async function endedOrWaiting(db: Database, call: Promise<unknown>): Promise<void> {
  let ended = false;
  void call.finally(() => {
    ended = true;
  });
  const waiting =
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  while (!ended && (await db.query(waiting)).rowCount === 0);
}
