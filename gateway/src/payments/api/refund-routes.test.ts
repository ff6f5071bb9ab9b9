import { expect, test } from 'vitest';
import { createKey } from '../../../test/refunds/keys.ts';
import type { CreatedPayment } from '../../../test/support/api.ts';
import { openConsole } from '../../../test/support/console.ts';
import { seedIntegration, testSeal } from '../../../test/support/fixtures.ts';
import { startApp } from '../../../test/support/running.ts';
import type { RefundView } from '../refunds/view.ts';

const app = await startApp();
const key = await createKey(app, ['make refunds']);

async function paid(reference: string, outcome = 'overpaid'): Promise<void> {
  const body = { amount: 20, currency: 'USDC', payment_type: 'deposit', payment_reference: reference };
  await app.api<CreatedPayment>('PUT', '/payment/create', { body });
  await app.api('POST', `/test/payments/${reference}/simulate`, { body: { outcome } });
}

const refund = (reference: string, body: object, headers: Record<string, string> = {}, by = key) =>
  app.api<RefundView>('POST', `/payments/${reference}/refunds`, { body, key: by, headers });
const list = async (reference: string) =>
  (await app.api<{ items: RefundView[] }>('GET', `/payments/${reference}/refunds`, { key })).body.data.items;

test('a refund is made once for its key, listed, shown with its payment, and cancelled', async () => {
  await paid('R-1');
  const headers = { 'idempotency-key': 'r1' };
  const made = await refund('R-1', { amount: '2.5', reason: 'broken' }, headers);
  expect([made.status, made.body.message]).toEqual([200, 'Refund created']);
  expect(made.body.data).toMatchObject({
    ...{ payment_reference: 'R-1', status: 'awaiting_destination', amount: '2.5', fee_returned: '0' },
    ...{ to: null, memo: null, reason: 'broken', transaction: null, failure: null, completed_at: null },
    claim_url: expect.stringContaining('reference=R-1'),
  });
  expect(Object.keys(made.body.data).join()).toBe(
    'id,payment_reference,status,asset,amount,fee_returned,to,memo,reason,claim_url,transfer,transaction,failure,created_at,completed_at',
  );
  expect((await refund('R-1', { amount: '2.5', reason: 'broken' }, headers)).body.data.id).toBe(
    made.body.data.id,
  );
  expect(await list('R-1')).toEqual([made.body.data]);
  const payment = await app.api<{ refunds: RefundView[] }>('GET', '/payments/R-1');
  expect(payment.body.data.refunds).toEqual([made.body.data]);
  const path = `/payments/R-1/refunds/${made.body.data.id}/cancel`;
  expect((await app.api<RefundView>('POST', path, { key })).body.data.status).toBe('cancelled');
  expect((await app.api('POST', path, { key })).body.message).toBe('Payout can no longer be cancelled');
});

test('a dry run answers what a refund would be, or its refusal, and makes none', async () => {
  await paid('R-DRY');
  const headers = { 'idempotency-key': 'dry' };
  const judged = await refund('R-DRY', { amount: '2', to: 'test_a', dry_run: true }, headers);
  expect([judged.status, judged.body.message]).toEqual([200, 'Refund judged']);
  expect(judged.body.data).toMatchObject({ status: 'queued', amount: '2', to: 'test_a' });
  expect((await refund('R-DRY', { amount: '999', dry_run: true })).body.error).toBe('refund_too_large');
  expect((await refund('R-DRY', { dry_run: 'yes' })).body.message).toMatch(/^dry_run is invalid/);
  expect(await list('R-DRY')).toEqual([]);
  // It used no key, so that the same one makes the refund.
  const made = await refund('R-DRY', { amount: '2', to: 'test_a' }, headers);
  expect([made.body.message, made.headers.get('idempotent-replayed')]).toEqual(['Refund created', null]);
});

test('with an address it is sent, and all that is left is what is refunded without an amount', async () => {
  await paid('R-2', 'success');
  await app.api('POST', '/test/top-ups', {
    body: { asset: (await refund('R-2', { amount: 5, to: 'test_a' })).body.data.asset, amount: '100' },
    key: await createKey(app, ['make payouts']),
  });
  expect((await refund('R-2', { to: 'test_a' })).body.data).toMatchObject({ amount: '15', status: 'queued' });
  await app.api('POST', '/test/clock/advance', { body: { seconds: 10 } });
  expect((await list('R-2')).map(({ status }) => status)).toEqual(['completed', 'completed']);
  expect((await refund('R-2', {})).body.message).toBe('Nothing to refund');
});

test('an outcome is played on the payout that carries it, by the id of the refund', async () => {
  await paid('R-4');
  const { id } = (await refund('R-4', { amount: '1' })).body.data;
  const named = await createKey(app, ['make refunds', 'use test mode calls']);
  const play = (refundId: string, outcome: string, by = named) => {
    const path = `/test/payouts/${refundId}/simulate`;
    return app.api<{ id: string; status: string }>('POST', path, { body: { outcome }, key: by });
  };
  expect((await play(id, 'sent')).body.message).toBe('Not possible while the payout is awaiting_destination');
  const sent = (await refund('R-4', { amount: '1', to: 'test_a' })).body.data;
  expect((await play(sent.id, 'sent', app.secretKey)).body.message).toBe('This key may not make refunds');
  const other = await seedIntegration(app.db, testSeal);
  expect(
    (
      await play(
        sent.id,
        'sent',
        await createKey({ ...app, ...other }, ['make refunds', 'use test mode calls']),
      )
    ).status,
  ).toBe(404);
  const played = (await play(sent.id, 'no_gas')).body.data;
  expect(played).toMatchObject({ purpose: 'refund', status: 'queued', amount: '1', to: 'test_a' });
  expect(played.id).not.toBe(sent.id);
  expect((await play(played.id, 'sent')).body.data).toEqual(
    expect.objectContaining({ id: played.id, status: 'completed' }),
  );
  expect(await list('R-4')).toMatchObject([{ id }, { id: sent.id, status: 'completed' }]);
  const failing = (await refund('R-4', { amount: '1', to: 'test_a' })).body.data;
  expect((await play(failing.id, 'refused_address')).body.data.status).toBe('failed');
  expect((await list('R-4')).at(-1)).toMatchObject({ id: failing.id, status: 'awaiting_destination' });
});

test.each([
  ['R-none', {}, 404, 'Payment information not found'],
  ['R-3', { amount: '500' }, 400, /^amount is more than can be refunded \([\d.]+ usdc-\w+\)$/],
  ['R-3', { amount: '0' }, 400, 'amount must be a positive number'],
  ['R-3', { amount: -1 }, 400, 'amount must be a positive number'],
  ['R-3', { asset: 'doge' }, 400, 'Asset not supported'],
  ['R-3', { asset: 'pi' }, 409, 'Nothing to refund'],
  ['R-3', { to: 'nowhere' }, 400, /^to is invalid: /],
])('%s %j is refused', async (reference, body, status, message) => {
  if (reference === 'R-3') await paid('R-3', 'success');
  const answer = await refund(reference, body);
  expect(answer.status).toBe(status);
  expect(answer.body.message).toMatch(message);
});

test('a key that does not name the right may not, whatever else it may', async () => {
  const answer = await refund('R-3', {}, {}, app.secretKey);
  expect([answer.status, answer.body.message]).toEqual([403, 'This key may not make refunds']);
});

test('people see which payment a payout refunds', async () => {
  await paid('R-5');
  await refund('R-5', { amount: '1', to: 'test_a' });
  const people = await openConsole(app);
  const owner = await people.as('owner');
  const { body } = await owner<{ items: { purpose: string; payment_reference: string | null }[] }>(
    'GET',
    `${people.test}/payouts?limit=1`,
  );
  expect(body.data.items).toMatchObject([{ purpose: 'refund', payment_reference: 'R-5' }]);
});

test('the payout that carries a refund is seen, cancelled and played only by keys that may make refunds', async () => {
  await paid('R-6');
  const { id } = (await refund('R-6', { amount: '1', to: 'test_a' })).body.data;
  const both = await createKey(app, ['make payouts', 'make refunds', 'use test mode calls']);
  const simulate = `/test/payouts/${id}/simulate`;
  const payout = await app.api<{ id: string }>('POST', simulate, { body: { outcome: 'no_gas' }, key: both });
  const path = `/payouts/${payout.body.data.id}`;
  const payer = await createKey(app, ['make payouts', 'use test mode calls']);
  const refused = [403, 'This key may not make refunds'];
  for (const call of [
    app.api('POST', `${path}/cancel`, { key: payer }),
    app.api('GET', path, { key: payer }),
    app.api('POST', `/test${path}/simulate`, { key: payer, body: { outcome: 'sent' } }),
  ]) {
    const { status, body } = await call;
    expect([status, body.message]).toEqual(refused);
  }
  expect((await list('R-6')).map(({ status }) => status)).toEqual(['queued']);
  expect((await app.api('GET', path, { key: both })).status).toBe(200);
  expect((await app.api('POST', `${path}/cancel`, { key: both })).body.message).toBe('Payout cancelled');
});

test('where a refund is claimed, and where a payment’s page is, only those are told who make payments or refunds', async () => {
  await paid('R-7');
  await refund('R-7', { amount: '1' });
  type Shown = { PaymentURL: string | null; refunds: RefundView[] };
  const seenBy = async (keyed: string) => {
    const one = (await app.api<Shown>('GET', '/payments/R-7', { key: keyed })).body.data;
    const { items } = (await app.api<{ items: Shown[] }>('GET', '/payments?limit=1', { key: keyed })).body
      .data;
    return [one.PaymentURL, one.refunds[0]?.claim_url, items[0]?.PaymentURL];
  };
  const nothing = [null, null, null];
  expect(await seenBy(await createKey(app, ['read payments', 'make payouts', 'cancel payments']))).toEqual(
    nothing,
  );
  for (const may of ['create payments', 'make refunds'] as const) {
    const seen = await seenBy(await createKey(app, ['read payments', may]));
    for (const link of seen) expect(link).toContain('reference=R-7&app=');
  }
  // What cancels a payment, or plays an outcome, answers with it too.
  await app.api('PUT', '/payment/create', {
    body: { amount: 20, currency: 'USDC', payment_type: 'deposit', payment_reference: 'R-8' },
  });
  const actor = await createKey(app, ['cancel payments', 'use test mode calls']);
  const cancelled = await app.api<Shown>('POST', '/payments/R-8/cancel', { key: actor });
  expect([cancelled.status, cancelled.body.data.PaymentURL]).toEqual([200, null]);
  const body = { outcome: 'overpaid' };
  const played = await app.api<Shown>('POST', '/test/payments/R-8/simulate', { key: actor, body });
  expect([played.status, played.body.data.PaymentURL]).toEqual([200, null]);
});
