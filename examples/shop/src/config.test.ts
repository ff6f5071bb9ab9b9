import { expect, test } from 'vitest';
import { readConfig } from './config.ts';

const env = {
  FLORIN_URL: 'http://127.0.0.1:4000',
  FLORIN_SECRET_KEY: 'sk_test_secret',
  FLORIN_WEBHOOK_SECRET: 'whsec_secret',
};

test('what is not set has a default', () => {
  expect(readConfig(env)).toMatchObject({ host: '127.0.0.1', port: 4100, dataPath: 'shop.sqlite' });
});

test('live payments need both of their secrets', () => {
  const live = { FLORIN_LIVE_KEY: 'sk_live_secret', FLORIN_LIVE_WEBHOOK_SECRET: 'whsec_other' };
  expect(readConfig({ ...env, ...live, FLORIN_LIVE_CURRENCIES: 'USDC CSK' }).live).toEqual({
    secretKey: 'sk_live_secret',
    webhookSecret: 'whsec_other',
    note: 'With real money.',
    currencies: ['USDC', 'CSK'],
  });
  expect(() => readConfig({ ...env, FLORIN_LIVE_KEY: 'sk_test_secret' })).toThrow(
    /FLORIN_LIVE_KEY.*FLORIN_LIVE_WEBHOOK_SECRET/s,
  );
});

test('every fault is named at once, and no secret is repeated', () => {
  const wrong = { SHOP_PORT: 'x', FLORIN_URL: 'pay.example', FLORIN_SECRET_KEY: 'whsec_oops' };
  expect(() => readConfig(wrong)).toThrow(/SHOP_PORT.*FLORIN_URL.*FLORIN_SECRET_KEY.*FLORIN_WEBHOOK_SECRET/s);
  expect(() => readConfig(wrong)).not.toThrow(/oops/);
});
