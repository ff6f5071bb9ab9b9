import { beforeAll, describe, expect, test } from 'vitest';
import type { Action } from '../src/identity/keys/guards.ts';
import { createKey } from './refunds/keys.ts';
import { seedBalance } from './support/fixtures.ts';
import { type RunningApp, startApp } from './support/running.ts';

// Calls that move money out, or promise it: what is empty or unknown in them is a mistake, and never means all of it.

let app: RunningApp;
let key: string;
beforeAll(async () => {
  app = await startApp();
  const rights: Action[] = ['make payouts', 'make refunds', 'create payments', 'use test mode calls'];
  key = await createKey(app, rights);
  const business = { owner: app.integrationId, kind: 'business', mode: 'test' } as const;
  for (const asset of ['usdc-base', 'usdc-erc20', 'usdc-bep20'])
    await seedBalance(app.db, { ...business, asset, units: 10n ** 21n });
  const body = { amount: 100, currency: 'USDC', payment_type: 'deposit', payment_reference: 'S-1' };
  await app.api('PUT', '/payment/create', { body });
  await app.api('POST', '/test/payments/S-1/simulate', { body: { outcome: 'success' } });
});

const refunds = '/payments/S-1/refunds';
const payout = { asset: 'usdc-base', amount: '1', to: 'test_a' };
const link = { title: 'A chair', currency: 'USDC' };

async function messageOf(path: string, body: object): Promise<string> {
  const answer = await app.api('POST', path, { body, key });
  return `${answer.status} ${answer.body.message}`;
}

describe('a field of money that is there and empty is refused by its own text', () => {
  const positive = '400 amount must be a positive number';
  test.each([
    [refunds, {}, 'amount', positive],
    [refunds, {}, 'asset', '400 Asset not supported'],
    [refunds, {}, 'to', '400 to is required'],
    ['/payouts', payout, 'amount', positive],
    ['/payouts', payout, 'asset', '400 Asset not supported'],
    ['/payouts', payout, 'to', '400 to is required'],
    ['/payment-links', link, 'amount', positive],
    ['/payment-links', link, 'min_amount', '400 min_amount is invalid: must be a positive number'],
    ['/payment-links', link, 'max_amount', '400 max_amount is invalid: must be a positive number'],
    ['/top-up-addresses', {}, 'asset', '400 Asset not supported'],
  ])('POST %s %j: %s', async (path, good, field, message) => {
    for (const empty of ['', null]) expect(await messageOf(path, { ...good, [field]: empty })).toBe(message);
  });

  test('in each payout of a batch too, with its place', async () => {
    const body = { payouts: [payout, { ...payout, amount: '' }, { ...payout, to: null, Memo: 'x' }] };
    const answer = await app.api('POST', '/payouts/batch', { body, key });
    expect([answer.status, answer.body.message]).toEqual([400, 'amount must be a positive number']);
    expect(answer.body.details).toEqual([
      { index: 1, field: 'amount', message: 'amount must be a positive number' },
      { index: 2, field: 'to', message: 'to is required' },
      { index: 2, field: 'Memo', message: 'Memo is invalid: unknown field' },
    ]);
  });
});

describe('an unknown field is refused', () => {
  test.each([
    [refunds, { refund_amount: '5' }, 'refund_amount'],
    [refunds, { Amount: '5' }, 'Amount'],
    [refunds, { priceAmount: '5' }, 'priceAmount'],
    ['/payouts', { ...payout, reference: 'mine' }, 'reference'],
    ['/payouts/batch', { payouts: [payout], dryRun: true }, 'dryRun'],
    ['/payouts/batch', { payouts: [{ ...payout, note: 'x' }] }, 'note'],
    ['/payment-links', { ...link, cost: 5 }, 'cost'],
    ['/top-up-addresses', { asset: 'usdc-base', network: 'base' }, 'network'],
  ])('POST %s %j', async (path, body, field) => {
    expect(await messageOf(path, body)).toBe(`400 ${field} is invalid: unknown field`);
  });

  test('after the faults of the known ones', async () => {
    const answer = await app.api('POST', refunds, { body: { total: 5, amount: '', __proto__x: 1 }, key });
    expect(answer.body).toMatchObject({
      message: 'amount must be a positive number',
      details: [
        { field: 'amount', message: 'amount must be a positive number' },
        { field: 'total', message: 'total is invalid: unknown field' },
        { field: '__proto__x', message: '__proto__x is invalid: unknown field' },
      ],
    });
    const batch = { dryRun: true, payouts: [{ ...payout, to: '' }] };
    expect(await messageOf('/payouts/batch', batch)).toBe('400 to is required');
  });

  test('also where its name is no line of text, or very long; not all of very many are named', async () => {
    for (const name of ['a\0b', 'a\nb', '', 'x'.repeat(101)])
      expect(await messageOf(refunds, { [name]: 1 })).toBe('400 body is invalid: unknown field');
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, nth) => [`field_${nth}`, nth]));
    const answer = await app.api('POST', refunds, { body: many, key });
    expect(answer.body.details).toHaveLength(20);
  });

  test('and writes nothing', async () => {
    const { rows } = await app.db.query('SELECT id FROM payouts UNION ALL SELECT id FROM payment_refunds');
    expect(rows).toEqual([]);
  });
});

test('what is empty in another field is absent, and a refund without an amount is a full one', async () => {
  const words = { memo: '', reason: null };
  const made = await app.api('POST', refunds, { body: words, key });
  expect([made.status, made.body.message]).toEqual([200, 'Refund created']);
  expect(made.body.data).toMatchObject({ amount: '100', memo: null, reason: null });
  const texts = { memo: null, payout_reference: '', description: '' };
  expect(await messageOf('/payouts', { ...payout, ...texts })).toBe('200 Payout created');
  const none = { description: '', expires_at: null, success_url: '', one_use: null };
  expect(await messageOf('/payment-links', { ...link, ...none })).toBe('200 Payment link created');
  expect(await messageOf('/payouts/batch', { payouts: [payout], dry_run: null })).toBe('200 Payouts created');
});
