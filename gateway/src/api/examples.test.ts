import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Compile } from 'typebox/compile';
import { expect, test } from 'vitest';
import { createKey } from '../../test/refunds/keys.ts';
import type { CreatedPayment } from '../../test/support/api.ts';
import { seedUser } from '../../test/support/fixtures.ts';
import { startApp } from '../../test/support/running.ts';
import { openReceiver } from '../../test/webhooks/receiver.ts';
import type { OpenApi } from './document/document.ts';
import { type Example, examplesFile, shownExample } from './document/examples.ts';
import { inlined } from './document/inline.ts';

// Makes every call of the document once. With EXAMPLES=1 the reference gets its examples from here.

const app = await startApp();
const { text } = await app.api('GET', '/openapi.json', { key: null });
const document = inlined(JSON.parse(text) as OpenApi);

type Input = Pick<Example, 'query' | 'body'> & { path?: Record<string, string> };

test('what the gateway answers to every call is what the document says', async () => {
  const receiver = await openReceiver();
  const [refunds, payouts] = [await createKey(app, ['make refunds']), await createKey(app, ['make payouts'])];
  const wrong: string[] = [];
  const made = new Map<string, Example>();

  /** Makes a call. One that writes is made twice under one key, and has to answer the second time what it did before. */
  async function ask<Data>(name: string, { path = {}, query, body }: Input = {}): Promise<Data> {
    const [method = '', template = ''] = name.split(' ');
    const { responses } = document.paths[template]![method.toLowerCase()]!;
    const url = template.replace(/\{(\w+)\}/g, (_, key: string) => path[key]!);
    const search = query ? `?${new URLSearchParams(query)}` : '';
    const headers = method === 'GET' ? {} : { 'idempotency-key': `example ${made.size}` };
    const key = /^\/(?:payout|top-up)/.test(template)
      ? payouts
      : template.includes('/refunds')
        ? refunds
        : app.secretKey;
    const call = () => app.api<Data>(method, url + search, { key, headers, ...(body && { body }) });
    const answer = await call();
    const check = Compile(responses[200].content['application/json'].schema as object);
    const faults = check.Errors(answer.body).map(({ instancePath, message }) => `${instancePath} ${message}`);
    if (answer.status !== 200 || faults.length > 0) wrong.push(`${name}: ${answer.text} ${faults}`);
    if (method !== 'GET') {
      const again = await call();
      const isSame = again.headers.get('idempotent-replayed') === 'true' && again.text === answer.text;
      if (!isSame) wrong.push(`${name} again: ${again.text}`);
    }
    made.set(name, { path, ...(query && { query }), ...(body && { body }), answer: { ...answer.body } });
    return answer.body.data ?? ({ items: [{}] } as Data);
  }

  const input = { amount: 25.5, currency: 'USDC', payment_type: 'deposit' };
  const asset = 'usdc-base';
  await ask('POST /test/top-ups', { body: { asset, amount: '100' } });
  const endpoint = await ask<{ id: string }>('POST /webhook-endpoints', {
    body: { url: receiver.url, events: ['payment_completed', 'payment_failed', 'payment_abandoned'] },
  });
  const at = { path: { id: endpoint.id } };
  const { PaymentData } = await ask<CreatedPayment>('PUT /payment/create', {
    body: { ...input, item_list: { items: [{ name: 'Letter paper', price: 12.75, quantity: 2 }] } },
  });
  const { payment_reference } = PaymentData;
  const ofPayment = { path: { payment_reference } };
  await ask('GET /test/scenarios');
  await ask('GET /test/payments/{payment_reference}/script', { ...ofPayment, query: { outcome: 'success' } });
  await ask('POST /test/payments/{payment_reference}/simulate', {
    ...ofPayment,
    body: { outcome: 'success' },
  });
  await receiver.next(({ body }) => body.payment_reference === payment_reference, 'The webhook');
  await ask('GET /payment/info/{payment_reference}', ofPayment);
  await ask('GET /payments', { query: { status: 'completed', limit: '2' } });
  const refund = await ask<{ id: string }>('POST /payments/{payment_reference}/refunds', {
    ...ofPayment,
    body: { amount: '5' },
  });
  await ask('GET /payments/{payment_reference}/refunds', ofPayment);
  await ask('GET /payments/{payment_reference}', ofPayment);
  await ask('GET /payments/{payment_reference}/destinations', ofPayment);
  await ask('POST /payments/{payment_reference}/refunds/{id}/cancel', {
    path: { payment_reference, id: refund.id },
  });
  const { body: unpaid } = await app.api<CreatedPayment>('PUT', '/payment/create', { body: input });
  await ask('POST /payments/{payment_reference}/cancel', {
    path: { payment_reference: unpaid.data.PaymentData.payment_reference },
  });

  const link = await ask<{ id: string }>('POST /payment-links', {
    body: { title: 'Letter paper', currency: 'USDC', amount: '25.5' },
  });
  const ofLink = { path: { id: link.id } };
  await ask('GET /payment-links', { query: { limit: '2' } });
  await ask('GET /payment-links/{id}', ofLink);
  await ask('PATCH /payment-links/{id}', { ...ofLink, body: { active: false } });

  await seedUser(app.db, 'ada');
  await ask('GET /users/{username}', { path: { username: 'ada' } });
  await ask('POST /payment/fund-user', { body: { username: 'ada', amount: 5, currency: asset } });
  const order = { asset, amount: '10', to: '0x52908400098527886E0F7030069857D2E4169EE7' };
  await ask('GET /payout-fees');
  await ask('GET /key');
  const payout = await ask<{ id: string }>('POST /payouts', {
    body: { ...order, payout_reference: 'payout-2001' },
  });
  await ask('POST /test/payouts/{payout}/simulate', {
    path: { payout: payout.id },
    body: { outcome: 'sent' },
  });
  await ask('GET /payouts/{payout}', { path: { payout: payout.id } });
  const batch = await ask<{ items: { id: string }[] }>('POST /payouts/batch', {
    body: { payouts: [order, { ...order, amount: '12' }] },
  });
  await ask('POST /payouts/{payout}/cancel', { path: { payout: batch.items[0]!.id } });
  await ask('GET /payouts', { query: { limit: '2' } });
  await ask('POST /top-up-addresses', { body: { asset } });
  await ask('GET /top-up-addresses');
  await ask('GET /balances');
  await ask('GET /balance-entries', { query: { asset, limit: '2' } });

  const { items } = await ask<{ items: { event_id: string }[] }>('GET /events', {
    query: { type: 'payment_completed' },
  });
  await ask('GET /events/{id}', { path: { id: items[0]!.event_id } });
  await ask('POST /events/{id}/resend', { path: { id: items[0]!.event_id } });
  await ask('GET /webhook-endpoints');
  await ask('GET /webhook-endpoints/{id}', at);
  await ask('POST /webhook-endpoints/{id}/test', { ...at, body: { event_type: 'payment_completed' } });
  await ask('PATCH /webhook-endpoints/{id}', {
    ...at,
    body: { events: ['payment_completed', 'payment_failed'] },
  });
  await ask('GET /webhook-endpoints/{id}/deliveries', { ...at, query: { limit: '1' } });
  await ask('POST /webhook-endpoints/{id}/replay', { ...at, body: { since: '2026-11-01T00:00:00Z' } });
  await ask('GET /webhook-endpoints/{id}/replay', at);
  await ask('PUT /test/webhook-endpoints/{id}/chaos', { ...at, body: { duplicate: 10 } });
  await ask('GET /test/webhook-endpoints/{id}/chaos', at);
  // A check sends bodies that are cut off.
  const quiet = createServer((_request, response) => void response.end()).listen(0, '127.0.0.1');
  await once(quiet, 'listening');
  const url = `http://127.0.0.1:${(quiet.address() as AddressInfo).port}`;
  const other = await app.api<{ id: string }>('POST', '/webhook-endpoints', { body: { url } });
  const checked = { path: { id: other.body.data.id } };
  const check = await ask<{ id: string }>('POST /test/webhook-endpoints/{id}/checks', checked);
  await ask('GET /test/webhook-endpoints/{id}/checks', checked);
  await ask('GET /test/webhook-endpoints/{id}/checks/{check}', {
    path: { ...checked.path, check: check.id },
  });
  await ask('POST /webhook-endpoints/{id}/roll-secret', { ...at, body: { overlap_seconds: 3600 } });
  await ask('POST /webhook-endpoints/{id}/end-overlap', at);
  await ask('DELETE /webhook-endpoints/{id}', at);
  await ask('GET /test/clock');
  await ask('POST /test/clock/advance', { body: { seconds: 3600 } });
  await ask('POST /test/clock/reset');
  await ask('PUT /test/rates', { body: { currency: 'USDC', price_currency: 'EUR', rate: '0.92' } });
  await ask('GET /rates', { query: { price_currency: 'EUR' } });
  await receiver.close();
  quiet.close();

  expect(wrong).toEqual([]);
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect([...made.keys()].sort()).toEqual(calls.toSorted());
  if (!process.env.EXAMPLES) return;
  const places = {
    [app.baseUrl]: 'https://pay.example.com',
    [receiver.url]: 'https://shop.example/webhooks',
    [url]: 'https://shop.example/webhooks',
  };
  const shown = calls.map((name) => [name, shownExample(made.get(name)!, places)]);
  writeFileSync(examplesFile, `${JSON.stringify(Object.fromEntries(shown), null, 2)}\n`);
});
