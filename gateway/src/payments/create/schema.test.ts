import { describe, expect, test } from 'vitest';
import { Refusal } from '../../kit/errors.ts';
import { readCreateBody, readListQuery } from './schema.ts';

const good = { amount: 10, currency: 'USDC', payment_type: 'deposit' };
const read = {
  payment_type: 'deposit',
  asks: { sent: 10, amount: 10_000_000n, price: null, currency: 'USDC' },
};

/** The refusal of a body, or undefined when it is read. */
function refusalOf(body: unknown): Refusal | undefined {
  try {
    readCreateBody(body);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  return undefined;
}

const messageOf = (fields: Record<string, unknown>) => refusalOf({ ...good, ...fields })?.message;

describe('amount', () => {
  test.each([
    undefined,
    null,
    '',
    '10',
    'ten',
    0,
    -0,
    -1,
    -0.000001,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    true,
    [],
    {},
  ])('%s is no positive number', (amount) => {
    expect(messageOf({ amount })).toBe('amount must be a positive number');
  });

  test.each([
    ['USDC', 0.0000001],
    ['USDT', 5.1234567],
    ['CSK', 1e-7],
    ['PI', 1.12345678],
  ])('of %s with more decimals than the currency has is refused', (currency, amount) => {
    expect(messageOf({ currency, amount })).toBe(`amount has too many decimals for ${currency}`);
  });

  test.each([
    ['USDC', 0.000001],
    ['PI', 1e-7],
    ['PI', 1.1234567],
    ['CSK', 5.1],
    ['USDC', 0.10000000000000001],
  ])('of %s with all the decimals that the currency has is read: %d', (currency, amount) => {
    expect(messageOf({ currency, amount })).toBeUndefined();
  });

  test.each([1e15, 1e21, 1234567890123456, 1e300])('%d has more than 15 digits', (amount) => {
    expect(messageOf({ amount })).toBe('amount is too large');
  });

  test('of 15 digits is read', () => {
    expect(messageOf({ amount: 999_999_999_999_999 })).toBeUndefined();
    expect(messageOf({ amount: 123_456_789.123456 })).toBeUndefined();
  });
});

describe('currency and payment type', () => {
  test.each([undefined, null, ''])('%s counts as absent', (absent) => {
    expect(messageOf({ currency: absent })).toBe('Currency is required');
    expect(messageOf({ payment_type: absent })).toBe('Payment type is required');
  });

  test.each(['usdc', 'USD', 'usdt-bep20', 'toString', 7, {}])('currency %s is not supported', (currency) => {
    expect(messageOf({ currency })).toBe('Currency not supported');
  });

  test.each(['withdrawal', 'Deposit', 1])('payment type %s is not supported', (payment_type) => {
    expect(messageOf({ payment_type })).toBe('Payment type not supported');
  });
});

const long = (length: number) => 'x'.repeat(length);
const urlOf = (length: number) => `https://shop.example/${long(length - 'https://shop.example/'.length)}`;
const metaOf = (length: number) => `{"a":"${long(length - '{"a":""}'.length)}"}`;
const item = { name: 'Tea', price: 5, quantity: 2 };
const itemsOf = (count: number) => ({ items: Array.from({ length: count }, () => item) });

describe('an optional field', () => {
  test.each<[field: string, value: unknown]>([
    ['customer_email', 'jane@shop.example'],
    ['customer_email', `${long(241)}@shop.example`],
    ['customer_reference', long(255)],
    ['customer_reference', 'Jürgen 🍵'],
    ['payment_note', long(1000)],
    ['item_list', { items: [] }],
    ['item_list', itemsOf(200)],
    ['meta_data', '{"order":7}'],
    ['meta_data', metaOf(8192)],
    ['fee_payer', 'customer'],
    ['payment_reference', 'a'],
    ['payment_reference', `A-z.0_9:@~${long(90)}`],
  ])('%s is read as it is', (field, value) => {
    expect(readCreateBody({ ...good, [field]: value })).toEqual({ ...read, [field]: value });
  });

  test.each([
    ['success_url', 'http://localhost:3000/paid?order=7'],
    ['success_url', urlOf(2048)],
    ['failure_url', 'https://shop.example/failed'],
  ])('%s is read as it is, and parsed', (field, uri) => {
    expect(readCreateBody({ ...good, [field]: uri })).toEqual({
      ...read,
      [field]: { uri, url: new URL(uri) },
    });
  });

  test.each<[field: string, value: unknown, why: string]>([
    ['customer_email', 'jane', 'must be an e-mail address'],
    ['customer_email', 'jane@shop .example', 'must be an e-mail address'],
    ['customer_email', `${long(242)}@shop.example`, 'must not have more than 254 characters'],
    ['customer_reference', long(256), 'must not have more than 255 characters'],
    ['customer_reference', 'a\0b', 'must be valid Unicode without NUL'],
    ['customer_reference', '\ud800', 'must be valid Unicode without NUL'],
    ['payment_note', long(1001), 'must not have more than 1000 characters'],
    ['success_url', urlOf(2049), 'must not have more than 2048 characters'],
    ['success_url', 'shop.example/paid', 'must be an absolute http or https URL'],
    ['success_url', 'javascript:alert(1)', 'must be an absolute http or https URL'],
    ['failure_url', 'ftp://shop.example', 'must be an absolute http or https URL'],
    ['failure_url', 'https://shop.example/a b', 'must not contain a blank (in a path it is written %20)'],
    ['meta_data', { order: 7 }, 'must be a string that holds a JSON object'],
    ['meta_data', '[1]', 'must be a string that holds a JSON object'],
    ['meta_data', 'order 7', 'must be a string that holds a JSON object'],
    ['meta_data', metaOf(8193), 'must have at most 8192 bytes'],
    ['meta_data', `{"a":"${'ü'.repeat(4096)}"}`, 'must have at most 8192 bytes'],
    ['fee_payer', 'shop', 'must be one of merchant, customer'],
    ['payment_reference', 10023, 'must be text'],
    ['payment_reference', long(101), 'must be 1 to 100 characters of A-Z a-z 0-9 . _ : @ ~ -'],
    ['payment_reference', 'order 7', 'must be 1 to 100 characters of A-Z a-z 0-9 . _ : @ ~ -'],
    ['payment_reference', 'order/7', 'must be 1 to 100 characters of A-Z a-z 0-9 . _ : @ ~ -'],
    ['payment_reference', 'PAY_7', 'PAY_ is reserved for generated references'],
  ])('%s is refused with the reason (%#)', (field, value, why) => {
    expect(messageOf({ [field]: value })).toBe(`${field} is invalid: ${why}`);
  });

  test.each<[where: string, value: unknown]>([
    ['item_list', [item]],
    ['item_list', 'Tea'],
    ['item_list', {}],
    ['item_list.items', itemsOf(201)],
    ['item_list.items.0', { items: [{ name: 'Tea', price: 5 }] }],
    ['item_list.items.0.price', { items: [{ ...item, price: '5' }] }],
    ['item_list.items.1.quantity', { items: [item, { ...item, quantity: Number.POSITIVE_INFINITY }] }],
    ['item_list.items.0.name', { items: [{ ...item, name: 'a\0b' }] }],
  ])('%s is named when it is wrong (%#)', (where, item_list) => {
    expect(messageOf({ item_list })).toMatch(new RegExp(`^${where} is invalid: .`));
  });

  test.each([null, ''])('counts as absent when it is %j', (absent) => {
    const optional = [
      'customer_email',
      'success_url',
      'item_list',
      'payment_reference',
      'meta_data',
      'fee_payer',
    ];
    const body = Object.fromEntries(optional.map((field) => [field, absent]));
    expect(readCreateBody({ ...good, ...body })).toEqual(read);
  });
});

describe('a body', () => {
  test.each([undefined, null, 'text', 7, []])('that is %j lacks every required field', (body) => {
    expect(refusalOf(body)?.message).toBe('amount must be a positive number');
    expect(refusalOf(body)?.details?.map(({ field }) => field)).toEqual([
      'amount',
      'currency',
      'payment_type',
    ]);
  });

  test('with several wrong fields names each, and first the first of the specification', () => {
    const refusal = refusalOf({
      payment_reference: 'order 7',
      currency: 'USD',
      amount: 10,
      fee_payer: 'shop',
    });
    expect(refusal?.message).toBe('Currency not supported');
    expect(refusal?.details).toEqual([
      { field: 'currency', message: 'Currency not supported' },
      { field: 'payment_type', message: 'Payment type is required' },
      {
        field: 'payment_reference',
        message: 'payment_reference is invalid: must be 1 to 100 characters of A-Z a-z 0-9 . _ : @ ~ -',
      },
      { field: 'fee_payer', message: 'fee_payer is invalid: must be one of merchant, customer' },
    ]);
  });

  test('with one wrong field has no list of them', () => {
    expect(refusalOf({ ...good, amount: 0 })?.details).toBeUndefined();
  });

  test('may carry fields of a later version, which are left out', () => {
    expect(readCreateBody({ ...good, colour: 'red', id: 7 })).toEqual(read);
  });
});

test('a list query reads its limit as a number between 1 and 100', () => {
  expect(readListQuery({ limit: '100' })).toEqual({ limit: 100 });
  for (const limit of ['0', '101', 'ten', '1.5', ['1', '2']]) {
    expect(() => readListQuery({ limit })).toThrow('limit is invalid');
  }
});

test('a list query knows the seven statuses and the four currencies', () => {
  expect(readListQuery({ status: 'in-appeal', currency: 'PI' })).toEqual({
    status: 'in-appeal',
    currency: 'PI',
  });
  expect(() => readListQuery({ status: 'paid' })).toThrow('status is invalid');
  expect(() => readListQuery({ currency: 'usdc' })).toThrow('currency is invalid');
});
