import { beforeAll, expect, test } from 'vitest';
import type { Action } from '../../gateway/src/identity/keys/guards.ts';
import { restrictedKey } from '../../gateway/test/support/keys.ts';
import { type RunningApp, startApp } from '../../gateway/test/support/running.ts';
import { runFlorin } from './florin.ts';

let app: RunningApp;
beforeAll(async () => {
  app = await startApp();
});

const florin = (words: string) =>
  runFlorin(words.split(' '), { FLORIN_URL: app.baseUrl, FLORIN_SECRET_KEY: app.secretKey });

async function json(words: string): Promise<Record<string, unknown>> {
  const { code, output, errors } = await florin(`${words} --json`);
  expect([code, errors]).toEqual([0, '']);
  return JSON.parse(output);
}

test('florin payouts orders one, shows it, and says what becomes of it', async () => {
  await app.api('POST', '/test/top-ups', { body: { asset: 'usdc-base', amount: '20' } });
  const actions: Action[] = ['make payouts', 'use test mode calls'];
  const key = await restrictedKey(app.db, app.integrationId, { actions });
  const by = `--key ${key}`;
  const to = `0x${'ab'.repeat(20)}`;
  const words = `payouts create --asset usdc-base --amount 12.5 --to ${to} --payout-reference CLI-OUT`;
  expect(await json(`${words} ${by}`)).toMatchObject({ status: 'queued', amount: '12.5', to });
  expect((await florin(`payouts simulate CLI-OUT no_gas ${by}`)).output).toMatch(/ is queued\n$/);
  expect((await florin(`payouts show CLI-OUT ${by}`)).output).toMatch(/\nheld up +The sender has no coins/);
  expect((await florin(`payouts cancel CLI-OUT ${by}`)).output).toMatch(/ is cancelled\n$/);
  expect((await florin(`payouts list ${by}`)).output).toMatch(
    / CLI-OUT +12\.5 +usdc-base +0x\w+ +cancelled\n$/,
  );
  expect((await florin(`payouts fees ${by}`)).output).toMatch(/\nusdc-base +0 +0 +yes\n/);
  const { code, errors } = await florin('payouts list');
  expect([code, errors]).toEqual([1, expect.stringContaining('This key may not make payouts')]);
}, 240_000);
