import { describe, expect, test } from 'vitest';
import type { ApiRequest } from './support/api.ts';
import { type Call, call, create, expectRefusal, invalidField, refuses } from './support/refusals.ts';
import { startApp } from './support/running.ts';

const app = await startApp();
await create({ payment_reference: 'TAKEN' })(app.api);

const notPositive = 'amount must be a positive number';

const raw = (body: string | Buffer) => call('PUT', '/payment/create', { raw: body });
/** A create with this text after its required fields. */
const rawWith = (members: string) =>
  raw(`{"amount":20,"currency":"USDC","payment_type":"deposit",${members}}`);
/** A create with exactly this text as its amount. */
const rawAmount = (text: string, currency = 'USDC') =>
  raw(`{"amount":${text},"currency":"${currency}","payment_type":"deposit"}`);
const authorized = (authorization: string): ApiRequest => ({ key: null, headers: { authorization } });

const item = { name: 'Pen', price: 42, quantity: 1 };
const nul = 'a\0b';
const loneSurrogate = 'a\ud800b';
const deep = '['.repeat(20_000) + ']'.repeat(20_000);

describe('create refuses, and writes nothing for,', () => {
  const rows = (status: number, message: string | RegExp, calls: Record<string, Call>) =>
    refuses(() => app, status, message, calls);

  rows(401, 'Unauthorized: Missing secret key', {
    'no Authorization': create({}, { key: null }),
    'another scheme': create({}, authorized('Basic YTpi')),
    'a scheme without a key': create({}, authorized('Bearer ')),
    'a key without a scheme': create({}, authorized('sk_test_a')),
    'two keys': create({}, authorized('Bearer a b')),
  });
  rows(401, 'Unauthorized: Invalid secret key', {
    'an unknown key': create({}, { key: `sk_test_${'a'.repeat(32)}` }),
    'a key of no known form': create({}, { key: 'hunter2' }),
  });
  rows(415, 'Content-Type must be application/json', {
    'another content type': create({}, { headers: { 'content-type': 'text/plain' } }),
    'a form': create({}, { headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
  });
  rows(413, 'Request body is too large', {
    'a body over 64 KiB': create({ payment_note: 'x'.repeat(70_000) }),
    '10,000 items': create({ item_list: { items: Array(10_000).fill(item) } }),
  });
  rows(400, 'Request body is not valid JSON', {
    'half a body': raw('{"amount":'),
    'an amount that is not a number': rawAmount('NaN'),
    'bytes that are no UTF-8': raw(Buffer.from('7b22ff22', 'hex')),
    'a field named __proto__': rawWith('"__proto__":{"amount":1}'),
  });
  rows(400, notPositive, {
    'an empty body': raw(''),
    'a body that is a list': raw('[1]'),
    'a body that is null': raw('null'),
    'no amount': create({ amount: undefined }),
    'an amount of null': create({ amount: null }),
    'an amount in quotes': create({ amount: '20' }),
    'an amount of true': create({ amount: true }),
    'an amount in a list': create({ amount: [20] }),
    'an amount of 0': create({ amount: 0 }),
    'an amount of -0': rawAmount('-0'),
    'a negative amount': create({ amount: -1 }),
    'an amount beyond all doubles': rawAmount('1e400'),
  });
  rows(400, 'amount is too large', {
    'an amount of 1e21': rawAmount('1e21'),
    'an amount that no double holds': rawAmount('9007199254740993'),
    '16 significant digits': rawAmount('1234567890.123456'),
  });
  rows(400, 'amount has too many decimals for USDC', {
    'an amount of 1e-9': rawAmount('1e-9'),
    'a seventh decimal of USDC': create({ amount: 10.1234567 }),
  });
  rows(400, 'amount has too many decimals for PI', { '0.00000001 PI': rawAmount('0.00000001', 'PI') });
  rows(400, 'Currency is required', {
    'no currency': create({ currency: undefined }),
    'an empty currency': create({ currency: '' }),
  });
  rows(400, 'Currency not supported', {
    'a currency in lower case': create({ currency: 'usdc' }),
    'a currency that is a number': create({ currency: 5 }),
    'a currency that every object has': create({ currency: 'constructor' }),
  });
  rows(400, 'Payment type is required', { 'no payment type': create({ payment_type: null }) });
  rows(400, 'Payment type not supported', { 'another type': create({ payment_type: 'withdrawal' }) });
  const bad: [field: string, ...values: unknown[]][] = [
    ['customer_email', 'nobody', `${'a'.repeat(250)}@b.example`, `${nul}@shop.example`],
    ['customer_reference', nul, loneSurrogate, 'x'.repeat(256), 5],
    ['success_url', 'javascript:alert(1)', 'JavaScript://shop.example/%0aalert(1)', 'data:text/html,hello'],
    ['success_url', '//shop.example', 'https://', `https://shop.example/${'x'.repeat(2048)}`],
    ['failure_url', 'ftp://shop.example', ' https://shop.example', `https://shop.example/${nul}`],
    ['item_list', [], { items: 1 }, { items: Array(10_000).fill(1) }, { items: Array(201).fill(item) }],
    ['item_list', { items: [{ ...item, name: nul }] }, { items: [{ ...item, price: '42' }] }],
    ['payment_reference', 'a/b', 'x'.repeat(101), 'PAY_MINE', 5, nul],
    ['meta_data', { order: 1 }, '{broken', '[1]', JSON.stringify({ a: 'x'.repeat(9_000) }), `{"a":${deep}`],
    ['fee_payer', 'nobody'],
    ['payment_note', 'x'.repeat(1_001), loneSurrogate],
  ];
  for (const [field, ...values] of bad) {
    const calls = values.map((value): [string, Call] => [
      `${field} ${JSON.stringify(value).slice(0, 50)}`,
      create({ [field]: value }),
    ]);
    rows(400, invalidField(field), Object.fromEntries(calls));
  }
  rows(400, invalidField('item_list'), {
    'a price beyond all doubles': rawWith(
      '"item_list":{"items":[{"name":"Pen","price":1e400,"quantity":1}]}',
    ),
  });
  rows(400, 'amount is below the minimum of 1.00 USD for USDC', {
    'too few USDC': create({ amount: 0.999999 }),
  });
  rows(400, 'amount is below the minimum of 1.00 USD for PI', {
    'too few PI': create({ amount: 0.5, currency: 'PI' }),
  });
  rows(400, 'amount is below the minimum of 5.00 USD for USDT', {
    'too few USDT': create({ amount: 4.99, currency: 'USDT' }),
  });
  rows(400, 'amount is below the minimum of 5.00 USD for CSK', {
    'too few CSK': create({ amount: 4.99, currency: 'CSK' }),
  });
  rows(409, 'payment_reference already exists', {
    'a taken reference': create({ payment_reference: 'TAKEN' }),
  });

  test('several bad fields at once, naming each in the order of the specification', async () => {
    const fields = { fee_payer: 'nobody', currency: 'BTC', amount: 0, meta_data: '[1]' };
    const { body } = await expectRefusal(app, create(fields), 400, notPositive);
    expect(body.details?.map(({ field }) => field)).toEqual(['amount', 'currency', 'meta_data', 'fee_payer']);
    expect(body.details?.[0]?.message).toBe(body.message);
  });
});

describe('create takes what only looks wrong:', () => {
  const rawItem = (members: string) =>
    rawWith(`"item_list":{"items":[{"name":"Pen","price":42,"quantity":1,${members}}]}`);
  test.each(
    Object.entries({
      'the 17 digits of a double of 10.1': rawAmount('10.10000000000000053', 'PI'),
      'an exponent': rawAmount('2e1'),
      'the smallest step above a minimum': rawAmount('1.0000001', 'PI'),
      'an optional field that is empty or null': create({ customer_email: '', success_url: null }),
      'an unknown field, however deep': rawWith(`"later":${deep}`),
      'an unknown field with NUL': create({ later: nul, [nul]: loneSurrogate }),
      'an unknown field of an item, however deep': rawItem(`"later":${deep}`),
      'an unknown field of an item with NUL': rawItem('"later":"\\u0000\\ud800"'),
      '200 items': create({ item_list: { items: Array(200).fill(item) } }),
      'every script of Unicode': create({
        customer_reference: 'Ünïcode ✓ 🪙 العربية',
        payment_note: '\u2028\u0001',
      }),
    }),
  )('%s', async (_what, taken) => {
    expect((await taken(app.api)).text).toMatch(/^{"message":"Payment created"/);
  });

  test('and nothing of all this was a fault of ours', () => {
    expect(app.log()).toBe('');
  });
});
