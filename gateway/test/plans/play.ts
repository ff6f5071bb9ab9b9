import { expect } from 'vitest';
import { newId } from '../../src/kit/ids.ts';
import { walletPerson } from '../browser/wallet-person.ts';
import { type Api, type CreatedPayment, createApi } from '../support/api.ts';
import type { OpenConsole } from '../support/console.ts';
import { seedIntegration } from '../support/fixtures.ts';
import type { RunningApp } from '../support/running.ts';

const userPassword = 'correct horse battery staple';
const payoutTo = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F';
const outcomes = [
  'success',
  'failure',
  'expire',
  'underpaid',
  'overpaid',
  'late',
  'slow',
  'reorg',
  'dispute',
];

/** What an installation does in a day: payments of every outcome, wallets, refunds, payouts, and webhooks of all. */
export async function playDay(app: RunningApp, people: OpenConsole): Promise<void> {
  const { api } = app;
  const done = async <Data>(client: Api, method: string, path: string, body: object): Promise<Data> => {
    const answer = await client<Data>(method, path, { body, headers: { 'idempotency-key': newId() } });
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.body.data;
  };
  const create = async (client = api, more: object = {}): Promise<string> => {
    const body = {
      amount: 12.5,
      currency: 'USDC',
      payment_type: 'deposit',
      customer_email: 'ada@example.com',
      ...more,
    };
    const { PaymentData } = await done<CreatedPayment>(client, 'PUT', '/payment/create', body);
    return PaymentData.payment_reference;
  };
  const references = new Map<string, string>();
  for (const outcome of outcomes) {
    const reference = await create();
    references.set(outcome, reference);
    await done(api, 'POST', `/test/payments/${reference}/simulate`, { outcome });
    for (const key of [null, app.secretKey]) await api('GET', `/payment/info/${reference}`, { key });
  }
  const priced = { amount: null, currency: null, price: { amount: '10', currency: 'EUR' } };
  await create(api, { ...priced, currency: 'PI' });
  const open = await create(api, priced);
  await done(api, 'POST', `/test/payments/${open}/simulate`, { outcome: 'success' });
  await api('GET', `/payments/${open}`);
  const { secretKey } = await seedIntegration(app.db);
  const shared = { payment_reference: `order-${newId()}` };
  for (const client of [api, createApi(app.baseUrl, secretKey)]) await create(client, shared);
  expect((await api('GET', `/payment/info/${shared.payment_reference}`, { key: null })).status).toBe(404);
  await done(api, 'POST', '/payment/fund-user', { username: 'ada', amount: 0.001, currency: 'usdc' });
  await api('POST', `/payments/${references.get('overpaid')}/refunds`, { body: { amount: '1' } });
  await done(api, 'POST', '/test/top-ups', { asset: 'usdc-base', amount: '1000' });
  const payout = { asset: 'usdc-base', amount: '20', to: payoutTo, description: 'Rent of the shop' };
  await done(await people.as('owner'), 'POST', `${people.test}/payouts`, payout);
  await done(api, 'POST', '/test/clock/advance', { seconds: 3_600 });
  await done(api, 'PUT', '/test/rates', { currency: 'USDC', price_currency: 'EUR', rate: '0.92' });
  const sent = async (): Promise<number> =>
    (await app.db.query("SELECT FROM deliveries WHERE status = 'pending' AND attempts = 0 LIMIT 1"))
      .rowCount ?? 0;
  await expect.poll(sent).toBe(0);
  const user = walletPerson(app.baseUrl);
  await user.send('sign-in', { username: 'ada', password: userPassword });
  for (const page of ['', '?mode=test', 'history', 'account', 'receive', 'state']) await user.get(page);
  const owner = await people.as('owner');
  const operator = await people.as('operator');
  for (const { method, url, scope } of app.consoleRoutes) {
    if (method !== 'GET') continue;
    const path = url
      .replace(':integration', app.integrationId)
      .replace(':merchant', people.merchantId)
      .replace(':mode', 'test')
      .replace(':reference', references.get('success') ?? '')
      .replace(/:\w+/g, newId());
    await (scope === 'operator' ? operator : owner)('GET', path);
  }
}
