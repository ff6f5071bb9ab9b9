import { expect, onTestFinished, test } from 'vitest';
import { frameworks, serveReceiver } from '../../examples/receivers/src/serve.ts';
import { startShop } from '../../examples/shop/src/shop.ts';
import {
  cannotBeSeen,
  check,
  endpointSecret,
  signing,
  verdicts,
} from '../../receiver-check/test/fixtures.ts';

test.each(frameworks)('the example receiver for %s keeps every rule that can be seen', async (framework) => {
  process.env.FLORIN_SECRET_KEY = signing.secretKey;
  process.env.FLORIN_WEBHOOK_SECRET = endpointSecret;
  const receiver = await serveReceiver(framework);
  onTestFinished(() => receiver.close());
  const findings = await check(receiver.url);
  expect(findings.diagnosis).toBeNull();
  expect(findings.exchanges.filter(({ as_expected }) => as_expected === false)).toEqual([]);
  expect(verdicts(findings)).toEqual(cannotBeSeen);
});

test('the demo shop keeps every rule that can be seen', async () => {
  const shop = await startShop(
    {
      host: '127.0.0.1',
      port: 0,
      dataPath: ':memory:',
      florinUrl: 'http://127.0.0.1:9',
      secretKey: signing.secretKey,
      webhookSecret: endpointSecret,
    },
    () => {},
  );
  onTestFinished(() => shop.close());
  const findings = await check(`${shop.url}/webhook`);
  expect(findings.exchanges.filter(({ as_expected }) => as_expected === false)).toEqual([]);
  expect(verdicts(findings)).toEqual(cannotBeSeen);
});

test('the diagnosis of a demo shop with the secret of another endpoint names the wrong secret', async () => {
  const shop = await startShop(
    {
      host: '127.0.0.1',
      port: 0,
      dataPath: ':memory:',
      florinUrl: 'http://127.0.0.1:9',
      secretKey: signing.secretKey,
      webhookSecret: `whsec_${Buffer.alloc(32).toString('base64')}`,
    },
    () => {},
  );
  onTestFinished(() => shop.close());
  const { diagnosis } = await check(`${shop.url}/webhook`);
  expect(diagnosis?.title).toBe('It refuses genuine deliveries');
  expect(diagnosis?.fix).toContain("another endpoint's secret");
});
