import { expect, test } from 'vitest';
import type { Action } from '../../gateway/src/identity/keys/guards.ts';
import { restrictedKey } from '../../gateway/test/support/keys.ts';
import { startApp } from '../../gateway/test/support/running.ts';
import { runFlorin } from './florin.ts';

const app = await startApp();

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
});

test('florin refunds makes one, lists it, plays its outcome, and cancels it', async () => {
  const actions: Action[] = ['make refunds', 'use test mode calls'];
  const by = `--key ${await restrictedKey(app.db, app.integrationId, { actions })}`;
  await app.api('PUT', '/payment/create', {
    body: { amount: 20, currency: 'USDC', payment_type: 'deposit', payment_reference: 'CLI-PAID' },
  });
  const none = await florin(`refunds list CLI-PAID ${by}`);
  expect([none.code, none.output + none.errors]).toEqual([0, 'It has no refunds.\n']);
  const early = await florin(`refunds create CLI-PAID ${by}`);
  expect([early.code, early.errors]).toEqual([1, expect.stringContaining('Nothing to refund')]);
  await app.api('POST', '/test/payments/CLI-PAID/simulate', { body: { outcome: 'success' } });

  const asked = await florin(`refunds create CLI-PAID --amount 2.5 --reason broken ${by}`);
  expect(asked.output).toMatch(/^refund +[\w-]{36}\npayment +CLI-PAID\nstatus +awaiting_destination\n/);
  expect(asked.output).toMatch(/\namount +2\.5 usdc-\w+\n(.*\n)*claim page +http:\S+reference=CLI-PAID/);
  const sent = await json(`refunds create CLI-PAID --amount 4 --to test_customer ${by}`);
  expect(sent).toMatchObject({ status: 'queued', amount: '4', to: 'test_customer' });
  expect(await json(`payouts simulate ${sent.id} sent ${by}`)).toMatchObject({ status: 'completed' });

  const list = await florin(`refunds list CLI-PAID ${by}`);
  expect(list.output).toMatch(/ 2\.5 +usdc-\w+ +awaiting_destination\n/);
  expect(list.output).toMatch(/ 4 +usdc-\w+ +test_customer +completed\n$/);
  const waiting = /([\w-]{36}) +2\.5 /.exec(list.output)?.[1];
  expect((await florin(`refunds cancel CLI-PAID ${waiting} ${by}`)).output).toBe(`${waiting} is cancelled\n`);
  const again = await florin(`refunds cancel CLI-PAID ${waiting} ${by}`);
  expect([again.code, again.errors]).toEqual([1, expect.stringContaining('can no longer be cancelled')]);
  const { code, errors } = await florin('refunds list CLI-PAID');
  expect([code, errors]).toEqual([1, expect.stringContaining('This key may not make refunds')]);
});
