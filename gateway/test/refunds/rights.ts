import { expect } from 'vitest';
import type { Payment } from '../../src/payments/payment/payment.ts';
import type { Refund } from '../../src/payments/settlement/refund.ts';
import { payoutsById } from '../../src/payouts/payout/read.ts';
import type { Shop } from '../support/payment-fixtures.ts';

/** What a model knows of who asks for the refunds of a payment. */
export type Rights = {
  shop: Shop;
  payment: Payment;
  /** Of the key, whose limit is `keyLimit` dollars of each day. */
  allowance: string;
  /** What each refund that the key made took of its limit, and when. */
  taken: Map<string, { share: bigint; day: string }>;
};

export const keyLimit = 6n;
const unit = 1_000_000n;

/** Who decides, what moves as one, and what a key took. */
export async function checkRights(
  { shop, payment, allowance, taken }: Rights,
  refunds: readonly Refund[],
): Promise<void> {
  const payouts = await payoutsById(
    shop.db,
    refunds.flatMap(({ payoutId }) => payoutId ?? []),
  );
  for (const { madeBy, payoutId, wallet, isOwed, status } of refunds) {
    const payout = payouts.get(payoutId ?? '');
    if (payout && madeBy !== null) expect(payout.requestedBy).toBe(madeBy);
    // Only the end of an appeal gives to a wallet without a payout.
    if (wallet !== null && status === 'completed' && !isOwed) expect(payout?.status).toBe('completed');
  }
  const { rows: approvals } = await shop.db.query<{ own: number; short: number }>(
    `SELECT (count(*) FILTER (WHERE given.own))::integer AS own,
       (count(*) FILTER (WHERE p.status <> 'awaiting_approval' AND p.approvals_needed > coalesce(given.count, 0)
         AND p.status NOT IN ('cancelled', 'rejected')))::integer AS short
     FROM payouts p LEFT JOIN LATERAL (
       SELECT count(*) AS count, bool_or(account_id = p.requested_by) AS own FROM payout_approvals WHERE payout_id = p.id
     ) given ON true WHERE p.cause_id = $1`,
    [payment.id],
  );
  expect(approvals).toEqual([{ own: 0, short: 0 }]);
  const orders = Map.groupBy(
    refunds.filter(({ together }) => together !== null),
    ({ together }) => together,
  );
  for (const parts of orders.values()) {
    const waiting = parts.filter(
      ({ status, payoutId }) =>
        status === 'awaiting_approval' && payouts.get(payoutId ?? '')?.together !== null,
    );
    expect([0, parts.length]).toContain(waiting.length);
  }
  const expected = new Map<string, bigint>();
  for (const { id, status } of refunds) {
    const use = taken.get(id);
    if (use && status !== 'cancelled') expected.set(use.day, (expected.get(use.day) ?? 0n) + use.share);
  }
  const { rows } = await shop.db.query<{ day: string; units: bigint }>(
    "SELECT to_char(day, 'YYYY-MM-DD') AS day, units FROM payout_sums WHERE scope = $1",
    [`key ${allowance}`],
  );
  for (const { day, units } of rows) {
    expect(units).toBe(expected.get(day) ?? 0n);
    expect(units <= keyLimit * unit).toBe(true);
  }
}
