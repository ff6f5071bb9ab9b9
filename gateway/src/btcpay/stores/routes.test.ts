import { describe, expect, test } from 'vitest';
import { everyAction, openShop } from '../../../test/btcpay/door.ts';
import { startApp } from '../../../test/support/running.ts';

const app = await startApp();
const shop = await openShop(app);

describe('a key behind `token`', () => {
  test('is answered with its permissions, each for its one store', async () => {
    const { body } = await shop.call<{ apiKey: string; permissions: string[] }>('GET', '/api-keys/current');
    expect(body.apiKey).toBe(shop.key);
    expect(body.permissions.toSorted()).toEqual(
      [
        'btcpay.store.cancreateinvoice',
        'btcpay.store.cancreatenonapprovedpullpayments',
        'btcpay.store.canmodifyinvoices',
        'btcpay.store.canviewinvoices',
        'btcpay.store.canviewstoresettings',
        'btcpay.store.webhooks.canmodifywebhooks',
      ].map((name) => `${name}:${shop.store}`),
    );
  });

  test.each([
    ['none', null],
    ['a signing key', `token ${app.secretKey}`],
    ['an unknown key', `token sk_test_${'a'.repeat(32)}`],
    ['the scheme of other calls', `Bearer ${shop.key}`],
  ])('is needed: %s is refused', async (_, authorization) => {
    const { status, body } = await shop.call('GET', '/server/info', { authorization });
    expect([status, body.code]).toEqual([401, 'unauthenticated']);
  });

  test('does what its permissions say, and nothing in another store', async () => {
    const reader = await openShop(app, ['read payments']);
    expect((await reader.own('GET', '/invoices')).status).toBe(200);
    const refused = await reader.own('POST', '/invoices', { body: { amount: 1, currency: 'USD' } });
    expect([refused.status, refused.body]).toEqual([
      403,
      {
        code: 'missing-permission',
        message: 'This key may not create payments',
        missingPermission: 'btcpay.store.cancreateinvoice',
      },
    ]);
    const other = await shop.call('GET', `/stores/${app.integrationId}/invoices`);
    expect([other.status, other.body.code]).toEqual([403, 'missing-permission']);
  });

  test('ends itself', async () => {
    const short = await openShop(app, everyAction);
    expect((await short.call('DELETE', '/api-keys/current')).status).toBe(200);
    expect((await short.call('GET', '/api-keys/current')).status).toBe(401);
  });
});

describe('a store', () => {
  test('is the integration in the mode of the key', async () => {
    const { body } = await shop.call<{ id: string; name: string }[]>('GET', '/stores');
    expect(body.map(({ id, name }) => [id, name])).toEqual([[shop.store, 'Corner shop']]);
    expect((await shop.own('GET', '')).body).toEqual(body[0]);
  });

  test('names its payment methods in capitals, under the names of both forms of that API', async () => {
    const { body } = await shop.own<Record<string, Record<string, unknown>>>('GET', '/payment-methods');
    expect(body['USDC-BASE']).toMatchObject({
      enabled: true,
      paymentMethod: 'USDC-BASE',
      paymentMethodId: 'USDC-BASE',
      cryptoCode: 'USDC',
    });
    expect((await shop.own('GET', '/payment-methods/usdc_base')).body).toEqual(body['USDC-BASE']);
    expect((await shop.own('GET', '/payment-methods/BTC')).status).toBe(404);
    const info = (await shop.call('GET', '/server/info')).body;
    expect(info).toMatchObject({ fullySynched: true, supportedPaymentMethods: Object.keys(body) });
  });

  test('has rates of coins in any currency', async () => {
    const { body } = await shop.own('GET', '/rates?currencyPair=USDC_EUR&currencyPair=BTC_USD');
    expect(body).toEqual([
      { currencyPair: 'USDC_EUR', errors: [], rate: '0.8' },
      { currencyPair: 'BTC_USD', errors: ['Name a coin, then a currency'], rate: null },
    ]);
  });
});

test.each([
  ['GET', '/stores/x/lightning/BTC/info', 501],
  ['GET', '/stores/x/payment-methods/onchain/BTC/wallet', 501],
  ['GET', '/stores/x/users', 501],
  ['GET', '/users/me', 501],
  ['POST', '/api-keys', 501],
  ['GET', '/nothing', 404],
])('%s %s is answered in the form of that API', async (method, path, status) => {
  const answer = await shop.call(method, path);
  expect([answer.status, Object.keys(answer.body)]).toEqual([status, ['code', 'message']]);
});

test('health is said to everybody', async () => {
  const { status, body } = await shop.call('GET', '/health', { authorization: null });
  expect([status, body]).toEqual([200, { synchronized: true }]);
});
