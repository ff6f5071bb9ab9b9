import { describe, expect, test } from 'vitest';
import { type Answer, failure, ok, serveAnswers } from '../test/server.ts';
import type { PaymentInput } from './api-payments.ts';
import { createClient } from './client.ts';

const secretKey = 'sk_test_0123456789abcdefghijABCDEFGHIJ01';
const input: PaymentInput = {
  amount: 0.0000001,
  currency: 'PI',
  payment_type: 'deposit',
  payment_reference: 'ORDER_7',
  customer_email: '',
  item_list: { items: [{ name: 'Pen', price: 1, quantity: 2 }] },
};
const stored = {
  id: 'p1',
  payment_reference: 'ORDER_7',
  amount: '0.0000001',
  currency: 'PI',
  payment_status: 'unlinked',
  payment_type: 'deposit',
  fee_payer: 'merchant',
  customer_email: null,
  customer_reference: null,
  success_url: null,
  failure_url: null,
  meta_data: null,
  payment_note: null,
  item_list: { items: [{ quantity: 2, price: 1, name: 'Pen' }] },
  created_at: '2026-11-20T10:00:00.000Z',
  PaymentURL: 'http://pay/?reference=ORDER_7',
};
const taken = failure(409, 'payment_reference already exists');

async function createAgainst(...answers: [Answer, ...Answer[]]) {
  const { baseUrl, received } = await serveAnswers(...answers);
  const client = createClient({ secretKey, baseUrl, sleep: async () => {} });
  const outcome = await client.payments.create(input).catch((error: unknown) => error);
  return { outcome, requests: received.map(({ method, url }) => `${method} ${url}`) };
}

describe('when the answer of a create with its own reference was lost, and the next try is refused because it exists', () => {
  test('the payment is found by its reference', async () => {
    const { outcome, requests } = await createAgainst('half body', taken, ok(stored));
    const { id, payment_reference, currency, payment_status, payment_type, created_at, PaymentURL } = stored;
    const PaymentData = {
      id,
      payment_reference,
      currency,
      payment_status,
      payment_type,
      created_at,
      amount: 1e-7,
    };
    expect(outcome).toEqual({ PaymentData, PaymentURL, replayed: true });
    expect(requests.at(-1)).toBe('GET /payments/ORDER_7');
  });

  test.each([
    ['another amount', { amount: '0.0000002' }],
    ['another currency', { currency: 'USDC' }],
    ['another customer', { customer_email: 'ada@customers.example' }],
    ['other goods', { item_list: null }],
  ])('one with %s is not returned', async (_, change) => {
    const { outcome } = await createAgainst('drop', taken, ok({ ...stored, ...change }));
    expect(outcome).toMatchObject({ status: 409, message: 'payment_reference already exists' });
  });

  test('one that may not be read causes the error of the create', async () => {
    const { outcome } = await createAgainst('drop', taken, failure(403, 'This key may not read payments'));
    expect(outcome).toMatchObject({ status: 409 });
  });
});

test('a reference that exists at the first try is an error', async () => {
  const { outcome, requests } = await createAgainst(taken, ok(stored));
  expect(outcome).toMatchObject({ status: 409, tries: 1 });
  expect(requests).toHaveLength(1);
});
