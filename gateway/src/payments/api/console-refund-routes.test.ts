import { expect, test } from 'vitest';
import { openConsole } from '../../../test/support/console.ts';
import { outbox } from '../../../test/support/mailbox.ts';
import { startApp } from '../../../test/support/running.ts';
import { transaction } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';
import { createAssets } from '../../money/assets.ts';
import { paymentErrors } from '../payment/errors.ts';
import { findOwnPayment } from '../read/read.ts';
import { mailClaimLink } from '../refunds/mails.ts';

type Refund = { id: string; claim_url: string; link_mailed_to: string | null };

const app = await startApp();
const people = await openConsole(app);
const [finance, developer] = [await people.as('finance'), await people.as('developer')];
const deps = { assets: createAssets(), payUrl: 'https://pay.example.com' };
const mails = () => outbox(app.db);

test('the link of a refund that waits for its customer is mailed, once in ten minutes', async () => {
  const body = {
    ...{ amount: 20, currency: 'USDC', payment_type: 'deposit', payment_reference: 'R-1' },
    customer_email: 'customer@example.com',
  };
  await app.api('PUT', '/payment/create', { body });
  await app.api('POST', '/test/payments/R-1/simulate', { body: { outcome: 'overpaid' } });
  const path = `${people.test}/payments/R-1/refunds`;
  const made = await finance<Refund>('POST', path, {
    body: { amount: '2.5' },
    headers: { 'idempotency-key': newId() },
  });
  const { id, claim_url } = made.body.data;
  const mail = (by = finance) => by<Refund>('POST', `${path}/${id}/mail-link`, { body: {} });

  expect((await mail(developer)).status).toBe(403);
  // Test mode mails nobody but the person who asked: anybody may make a test payment with another's address.
  expect((await mail()).body.data.link_mailed_to).toBe('finance@example.com');
  const [sent] = (await mails()).filter(({ text }) => text.includes('2.5 USDC'));
  expect(sent?.recipient).toBe('finance@example.com');
  expect(sent?.text).toContain(claim_url);
  expect((await mail()).status).toBe(429);
  const read = await finance<{ refunds: Refund[] }>('GET', path);
  expect(read.body.data.refunds).toMatchObject([{ id, link_mailed_to: 'finance@example.com' }]);

  const later = new Date(Date.now() + 601_000);
  const again = (to: string) =>
    transaction(app.db, async (tx) => {
      const payment = await findOwnPayment(tx, { integrationId: app.integrationId, mode: 'test' }, 'R-1');
      return await mailClaimLink(tx, deps, payment, { refundId: id, to, now: later });
    });
  expect((await again('customer@example.com')).linkMailedTo).toBe('customer@example.com');
  await finance('POST', `${path}/${id}/cancel`, { body: {} });
  await expect(again('customer@example.com')).rejects.toMatchObject({ row: paymentErrors.refund_closed });
});

test('owners set limits of claims in dollars and in assets, and what is no amount is refused', async () => {
  const owner = await people.as('owner');
  const path = `${people.integration}/refund-settings`;
  const good = {
    fee_on_refund: 'kept',
    claim_limit_usd: '10',
    claim_limits: { 'usdc-base': '7.5', pi: '0' },
  };
  const set = (body: object, by = owner) => by('PUT', path, { body });
  expect((await set(good)).body.data).toMatchObject({ ...good, claim_limit_usd: '10.00' });
  const read = await owner('GET', path);
  expect(read.body.data).toMatchObject({
    claim_limits: good.claim_limits,
    assets: expect.arrayContaining(['pi']),
  });
  for (const claim_limits of [
    { 'usdc-base': '-1' },
    { 'usdc-base': 'much' },
    { gold: '1' },
    { pi: '0.00000001' },
  ]) {
    expect(await set({ ...good, claim_limits })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('must be an asset with a decimal amount') },
    });
  }
  expect((await set(good, finance)).status).toBe(403);
  expect((await owner('GET', path)).body.data).toEqual(read.body.data);
});

test('people who may only read are not told where a refund is claimed, nor where the payment’s page is', async () => {
  const body = { amount: 20, currency: 'USDC', payment_type: 'deposit', payment_reference: 'R-9' };
  await app.api('PUT', '/payment/create', { body });
  await app.api('POST', '/test/payments/R-9/simulate', { body: { outcome: 'overpaid' } });
  const path = `${people.test}/payments/R-9`;
  const headers = { 'idempotency-key': newId() };
  await finance('POST', `${path}/refunds`, { body: { amount: '1' }, headers });
  const told = async (by: typeof finance) => {
    const { refunds } = (await by<{ refunds: Refund[] }>('GET', `${path}/refunds`)).body.data;
    const detail = await by('GET', path);
    return [refunds[0]?.claim_url != null, JSON.stringify([refunds, detail.body]).includes('token=')];
  };
  expect(await told(finance)).toEqual([true, true]);
  expect(await told(await people.as('read-only'))).toEqual([false, false]);
  expect(await told(await people.as('operator'))).toEqual([false, false]);
});

test('a part of the price is refunded at the rate of the quote, beside which stands that of today', async () => {
  const create = { price: { amount: '49.90', currency: 'EUR' }, currency: 'USDC', payment_type: 'deposit' };
  await app.api('PUT', '/payment/create', { body: { ...create, payment_reference: 'R-EUR' } });
  await app.api('POST', '/test/payments/R-EUR/simulate', { body: { outcome: 'success' } });
  const pair = { currency: 'USDC', price_currency: 'EUR' };
  await app.api('PUT', '/test/rates', { body: { ...pair, rate: '0.75' } });
  const path = `${people.test}/payments/R-EUR/refunds`;
  const options = async (at = path) => (await finance<{ price: object | null }>('GET', at)).body.data;
  expect(await options()).toMatchObject({
    price: { currency: 'EUR', minor_digits: 2, paid_currency: 'USDC', rate: '0.8', rate_today: '0.75' },
    items: [{ asset: 'usdc-erc20', scale: 6, amount: '62.38' }],
  });
  expect(await options(`${people.test}/payments/R-1/refunds`)).toMatchObject({ price: null });

  const refund = async (body: object) => {
    const headers = { 'idempotency-key': newId() };
    const answer = await finance<{ amount: string }>('POST', path, { body, headers });
    return answer.status === 200 ? answer.body.data.amount : answer.body.message;
  };
  expect(await refund({ asset: 'usdc-erc20', price_amount: '10.01' })).toBe('12.5125');
  expect(await refund({ amount: '1', price_amount: '1' })).toBe(
    'amount is invalid: leave it out where price_amount is given',
  );
  const { quote } = (await finance<{ quote: object }>('GET', `${people.test}/payments/R-EUR`)).body.data;
  expect(quote).toMatchObject({ sources: [{ name: 'test', rate: '0.8' }] });
});
