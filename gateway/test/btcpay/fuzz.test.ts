import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startApp } from '../support/running.ts';
import { makeInvoice, openShop } from './door.ts';

// Bodies and addresses that nobody expects, against every call of the door that takes one: whatever comes, the answer has
// the form of that API, and no fault is ours.

const app = await startApp();
const shop = await openShop(app);
const invoice = await makeInvoice(shop);
const hook = await shop.own<{ id: string }>('POST', '/webhooks', {
  body: { url: 'http://127.0.0.1:9999/a' },
});

const odd = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(null, '', '0', -1, 1e308, '1e5', '0x1', ' ', '\u0000', '\ud800', '../..', [], {}, true),
);
const names = [
  ...[
    'amount',
    'currency',
    'metadata',
    'checkout',
    'receipt',
    'additionalSearchTerms',
    'status',
    'url',
    'secret',
  ],
  ...[
    'enabled',
    'automaticRedelivery',
    'authorizedEvents',
    'refundVariant',
    'customAmount',
    'customCurrency',
  ],
  ...[
    'paymentMethod',
    'subtractPercentage',
    'name',
    'description',
    'orderId',
    'redirectURL',
    'expirationMinutes',
  ],
  ...['paymentTolerance', 'paymentMethods', 'everything', 'specificEvents', '__proto__', 'constructor'],
];
const good = fc.constantFrom<Record<string, unknown>>(
  {},
  { amount: '10', currency: 'USDC' },
  { url: 'http://127.0.0.1:9999/a' },
  { refundVariant: 'Custom', customAmount: '1', customCurrency: 'USDC' },
);
const inside = fc.dictionary(fc.constantFrom(...names), odd, { maxKeys: 3 });
const body = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.tuple(
      good,
      fc.dictionary(fc.constantFrom(...names), fc.oneof(odd, inside), { maxKeys: 4 }),
    ),
  },
  { weight: 1, arbitrary: odd.map((value) => [value, null] as const) },
);
const text = fc.oneof(
  body.map(([base, more]) =>
    more === null ? JSON.stringify(base) : JSON.stringify({ ...(base as object), ...more }),
  ),
  fc.constantFrom('{', '[]', '"', '{"amount":1', ''),
);

const calls = fc.constantFrom<[string, string]>(
  ['POST', '/invoices'],
  ['PUT', `/invoices/${invoice.id}`],
  ['POST', `/invoices/${invoice.id}/status`],
  ['POST', `/invoices/${invoice.id}/refund`],
  ['POST', `/invoices/${invoice.id}/unarchive`],
  ['POST', '/webhooks'],
  ['PUT', `/webhooks/${hook.body.id}`],
  ['POST', '/pull-payments'],
);
const queries = fc
  .dictionary(
    fc.constantFrom(
      'orderId',
      'status',
      'textSearch',
      'startDate',
      'endDate',
      'skip',
      'take',
      'count',
      'currencyPair',
    ),
    fc.string({ unit: 'binary', maxLength: 20 }),
  )
  .map((query) => new URLSearchParams(query).toString());
const reads = fc.constantFrom(
  '/invoices',
  '/rates',
  `/webhooks/${hook.body.id}/deliveries`,
  '/pull-payments',
);

function assertForm({ status, body: answer }: { status: number; body: unknown }): void {
  expect(status).toBeLessThan(500);
  if (status === 422)
    for (const fault of answer as object[]) expect(Object.keys(fault)).toEqual(['path', 'message']);
  else if (status >= 400)
    expect(answer).toMatchObject({ code: expect.any(String), message: expect.any(String) });
}

test('whatever is written, the answer has the form of that API', { timeout: 300_000 }, async () => {
  const play = fc.asyncProperty(calls, text, async ([method, path], raw) =>
    assertForm(await shop.own(method, path, { raw })),
  );
  await fc.assert(play, { numRuns: 150, seed: 7 });
});

test('whatever is asked, the answer has the form of that API', { timeout: 300_000 }, async () => {
  const play = fc.asyncProperty(reads, queries, async (path, query) =>
    assertForm(await shop.own('GET', `${path}?${query}`)),
  );
  await fc.assert(play, { numRuns: 80, seed: 7 });
});
