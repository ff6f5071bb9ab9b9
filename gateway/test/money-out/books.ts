import { expect } from 'vitest';
import { decimalOf, unitsOfDecimal } from '../../src/money/money.ts';
import type { Payment } from '../../src/payments/payment/payment.ts';
import type { Refund } from '../../src/payments/settlement/refund.ts';
import { refundsOf } from '../../src/payments/settlement/refund-rows.ts';
import { readReserves } from '../../src/treasury/reserves/reserves.ts';
import { auditFindings, eventsOf, paymentById } from '../support/payment-fixtures.ts';
import { receiverKey, type Stage } from './stage.ts';

// What must be true once the faults are over and all that was ordered has ended.

type PayoutRow = {
  id: string;
  purpose: string;
  status: string;
  asset: string;
  units: bigint;
  fee: bigint;
  to: string;
  memo: string | null;
  transaction: string | null;
  failure: string | null;
  ended_as: string | null;
};

/** Holds payouts, refunds, events and the ledger against the network. */
export async function checkMoneyOut<N>(stage: Stage<N>): Promise<void> {
  const { db, deeds } = stage;
  expect(deeds.faults).toEqual([]);
  const { rows: payouts } = await db.query<PayoutRow>(
    `SELECT id, purpose, status, asset, units, fee, destination AS to, memo, transaction, failure, ended_as FROM payouts ORDER BY id`,
  );
  await checkPaid(stage, payouts);
  await checkEnds(stage, payouts);
  await checkHolds(stage);
  await checkEvents(stage);
  for (const payment of stage.payments) await checkRefunds(stage, payment, payouts);
  await checkReserves(stage);
  expect(await auditFindings(db)).toEqual([]);
}

/** What is completed was paid once, with exactly its amount; nothing else was paid to anybody. */
async function checkPaid<N>(stage: Stage<N>, payouts: readonly PayoutRow[]): Promise<void> {
  const paid = await stage.paidTo();
  const completed = payouts.filter(({ status }) => status === 'completed');
  const expected = Map.groupBy(completed, receiverKey);
  const amounts = [...expected].map(([key, all]) => [key, sorted(all.map(({ units }) => units))] as const);
  expect(new Map([...paid].map(([key, all]) => [key, sorted(all)] as const).sort())).toEqual(
    new Map(amounts.sort()),
  );
}

const sorted = (units: readonly bigint[]): string[] => units.map((each) => `${each}`).sort();

/** A payout ends unpaid only where somebody, or the network, forbade it. */
async function checkEnds<N>({ db, deeds }: Stage<N>, payouts: readonly PayoutRow[]): Promise<void> {
  // A refund of a deposit that a reorg took is cancelled by nobody.
  const { rows } = await db.query<{ payment_id: string }>(
    "SELECT DISTINCT payment_id FROM payment_transfers WHERE state = 'gone' AND final_at IS NOT NULL",
  );
  const lost = new Set(rows.map(({ payment_id }) => payment_id));
  const { rows: causes } = await db.query<{ id: string; cause_id: string }>(
    'SELECT id, cause_id FROM payouts WHERE cause_id IS NOT NULL',
  );
  const ofLost = new Set(causes.filter(({ cause_id }) => lost.has(cause_id)).map(({ id }) => id));
  const unpaid = payouts.filter(
    ({ id, status, to }) =>
      status !== 'completed' &&
      !deeds.ended.has(id) &&
      !(status === 'failed' && deeds.refused.has(to)) &&
      !(status === 'cancelled' && ofLost.has(id)),
  );
  expect(unpaid).toEqual([]);
  // What somebody ended is paid by bytes of before alone, and says so.
  const paidThoughEnded = payouts.filter(
    ({ id, status, ended_as: endedAs }) => status === 'completed' && deeds.ended.has(id) && endedAs === null,
  );
  expect(paidThoughEnded).toEqual([]);
  for (const { status, transaction, failure, ended_as: endedAs } of payouts) {
    if (status !== 'completed') continue;
    const said = endedAs && `It had ended (${endedAs}) and was paid all the same`;
    expect({ transaction: transaction !== null, failure }).toEqual({ transaction: true, failure: said });
  }
}

/** Nothing is set aside for anybody. */
async function checkHolds<N>({ db }: Stage<N>): Promise<void> {
  const holds = await db.query("SELECT * FROM ledger_holds WHERE state = 'pending'");
  expect(holds.rows).toEqual([]);
  const held = await db.query('SELECT kind, owner, asset, held FROM ledger_accounts WHERE held <> 0');
  expect(held.rows).toEqual([]);
}

type Told = { purpose: string; moves: string[]; told: string[]; numbers: number[] };

const toldSql = `
SELECT p.purpose,
  ARRAY(SELECT format('%s %s', from_status, to_status) FROM payout_moves m WHERE m.payout_id = p.id
        ORDER BY version) AS moves,
  ARRAY(SELECT type FROM events e WHERE e.payout_id = p.id ORDER BY sequence) AS told,
  ARRAY(SELECT sequence FROM events e WHERE e.payout_id = p.id ORDER BY sequence) AS numbers
FROM payouts p ORDER BY p.id`;

/**
 * Each payout of the merchant is told to have ended once, and its events are numbered. One that had left, and that a reorg
 * took back, may be taken back by people after that.
 */
async function checkEvents<N>({ db }: Stage<N>): Promise<void> {
  const tells = new Map([
    ['completed', 'payout_completed'],
    ['failed', 'payout_failed'],
    ['cancelled', 'payout_cancelled'],
    ['rejected', 'payout_cancelled'],
  ]);
  const { rows } = await db.query<Told>(toldSql);
  for (const { purpose, moves, told, numbers } of rows) {
    const ends = told.filter((type) => type !== 'payout_awaiting_approval');
    // What comes back from completed was told before.
    const moved = moves.map((move) => move.split(' ')).filter(([from]) => from !== 'completed');
    const expected = [...new Set(moved.flatMap(([, to = '']) => tells.get(to) ?? []))];
    expect(ends).toEqual(purpose === 'merchant_payout' ? expected : []);
    expect(numbers).toEqual(numbers.map((_, at) => at + 1));
    expect(told.length - ends.length).toBeLessThanOrEqual(1);
  }
}

/** A refund ends as its payout did, is told once, and gives no more than came. */
async function checkRefunds<N>(
  stage: Stage<N>,
  { id }: Payment,
  payouts: readonly PayoutRow[],
): Promise<void> {
  const { db } = stage;
  const refunds = await refundsOf(db, id);
  const late = new Set(payouts.flatMap((payout) => (payout.ended_as === null ? [] : [payout.id])));
  const statusOf = new Map(payouts.map((payout) => [payout.id, payout.status]));
  for (const refund of refunds) {
    const carried = refund.payoutId === null ? null : statusOf.get(refund.payoutId);
    expect(['completed', 'cancelled']).toContain(refund.status);
    if (refund.status === 'completed') expect(carried).toBe('completed');
    // The business has paid for one that was cancelled, and left all the same.
    else if (!late.has(refund.payoutId ?? '')) expect(carried).not.toBe('completed');
  }
  const events = await eventsOf(db, { id });
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, at) => at + 1));
  const told = (type: string) =>
    events.flatMap((each) => (each.type === type ? [`${each.body.refund_id}`] : [])).sort();
  const idsOf = (of: (refund: Refund) => boolean): string[] =>
    refunds
      .filter(of)
      .map((refund) => refund.id)
      .sort();
  expect(told('refund_created')).toEqual(idsOf(() => true));
  expect(told('payment_refunded')).toEqual(idsOf(({ announcedAt }) => announcedAt !== null));
  expect(refunds.filter(({ status, announcedAt }) => status === 'completed' && announcedAt === null)).toEqual(
    [],
  );
  await checkSuspense(stage, id);
}

/** What a completed payment got is nobody's no more. */
async function checkSuspense<N>({ db }: Stage<N>, paymentId: string): Promise<void> {
  const { rows } = await db.query<{ units: bigint }>(
    `SELECT coalesce(sum(e.units), 0) AS units
     FROM ledger_transfers t JOIN ledger_entries e ON e.transfer = t.id JOIN ledger_accounts a ON a.id = e.account
     WHERE t.cause_id = $1 AND a.kind = 'suspense'`,
    [paymentId],
  );
  const suspense = rows[0]?.units ?? 0n;
  const { status } = await paymentById(db, paymentId);
  expect(suspense >= 0n, `suspense ${suspense}`).toBe(true);
  if (status === 'completed') expect(suspense).toBe(0n);
}

/** What is owed is held, by what the network itself shows; why not is known to the unit. */
async function checkReserves<N>(stage: Stage<N>): Promise<void> {
  const { items, missing } = await readReserves(stage.reserves);
  expect(missing).toEqual([]);
  expect(items.map(({ asset, difference }) => `${asset} ${difference}`)).toEqual(
    [...stage.assets].sort().map((asset) => `${asset} 0`),
  );
  const shown = await stage.held();
  const sums = items.map(({ asset, held }) => {
    const all = Object.values(held).map(
      (amount) => unitsOfDecimal(amount, stage.shop.assets.get(asset).scale) ?? 0n,
    );
    return [asset, all.reduce((sum, units) => sum + units, 0n)] as const;
  });
  expect(new Map(sums)).toEqual(new Map([...shown].sort()));
  const known = await stage.explained();
  for (const { asset, explained } of items) {
    const others = explained.filter(({ why }) => why !== 'is owed by businesses and users');
    expect(others.map(({ why, amount }) => `${why}: ${amount}`).sort(), asset).toEqual(
      [...(known.get(asset) ?? [])]
        .map(([why, amount]) => `${why}: ${decimalIn(stage, asset, amount)}`)
        .sort(),
    );
  }
}

const decimalIn = <N>({ shop }: Stage<N>, code: string, units: bigint): string =>
  decimalOf(units, shop.assets.get(code).scale);
