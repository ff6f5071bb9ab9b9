import { describe, expect, test } from 'vitest';
import type { CreatedPayment } from '../../../test/support/api.ts';
import { openConsole } from '../../../test/support/console.ts';
import { startApp } from '../../../test/support/running.ts';
import { newId } from '../../kit/ids.ts';
import type { MerchantAttention, OperatorAttention } from './answers.ts';
import { mostCounted } from './counts.ts';

const app = await startApp();
const people = await openConsole(app);
const [owner, operator] = await Promise.all([people.as('owner'), people.as('operator')]);

async function play(outcome: string): Promise<void> {
  const body = { amount: 100, currency: 'USDC', payment_type: 'deposit' };
  const created = await app.api<CreatedPayment>('PUT', '/payment/create', { body });
  const reference = created.body.data.PaymentData.payment_reference;
  await app.api('POST', `/test/payments/${reference}/simulate`, { body: { outcome } });
}

const waiting = async (mode = people.test): Promise<MerchantAttention> =>
  (await owner<MerchantAttention>('GET', `${mode}/attention`)).body.data;

const nothing = { counted_up_to: mostCounted, appeals: 0, payouts: 0, refunds: 0, endpoints: 0 };

describe('what waits for a person of a business', () => {
  test('is nothing at first, then its open appeals and endpoints that fail, in its own mode alone', async () => {
    expect(await waiting()).toEqual(nothing);
    await play('dispute');
    for (const status of ['active', 'paused', 'disabled']) {
      const made = await app.api<{ id: string }>('POST', '/webhook-endpoints', {
        body: { url: 'https://shop.example/hook' },
      });
      await app.db.query(
        `UPDATE webhook_endpoints SET failing_since = now(), status = $2,
           disabled_reason = CASE $2 WHEN 'disabled' THEN 'Every attempt failed' END WHERE id = $1`,
        [made.body.data.id, status],
      );
    }
    expect(await waiting()).toEqual({ ...nothing, appeals: 1, endpoints: 2 });
    expect(await waiting(people.live)).toEqual(nothing);
  });
});

describe('what waits for an operator', () => {
  const counted = async (): Promise<OperatorAttention> =>
    (await operator<OperatorAttention>('GET', '/console/operator/attention')).body.data;

  test('is counted over the whole installation, and never beyond a hundred of one thing', async () => {
    const before = await counted();
    expect(before).toMatchObject({
      approvals: 0,
      proposals: 0,
      rates: 0,
      ...{ unmatched: 0, moves: 0, appeals: 0, payouts: 0, deliveries: 0 },
      test: { unmatched: 0, moves: 0, appeals: 1, payouts: 0 },
    });
    await app.db.query(
      `INSERT INTO integrations (id, name, approval, approval_requested_at, created_at)
       SELECT gen_random_uuid(), 'Shop ' || n, 'requested', now(), now() FROM generate_series(1, $1) n`,
      [mostCounted + 20],
    );
    expect(await counted()).toEqual({ ...before, approvals: mostCounted });
  });

  test('never counts what waits in test mode as live, nor the other way round', async () => {
    const before = await counted();
    for (const mode of ['test', 'live', 'live']) {
      await app.db.query(
        `INSERT INTO unmatched_deposits (rail, key, ledger_id, transaction, asset, units, at, booked_at, mode)
         VALUES ('pi', $1, $2, $1, 'pi', 9, now(), now(), $3)`,
        [newId(), newId(), mode],
      );
    }
    const now = await counted();
    expect(now).toEqual({ ...before, unmatched: 2, test: { ...before.test, unmatched: 1 } });
  });
});
