import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Action } from '../../gateway/src/identity/keys/guards.ts';
import { transaction } from '../../gateway/src/kit/db/db.ts';
import { changePayoutSettings } from '../../gateway/src/payouts/rules/settings.ts';
import { restrictedKey } from '../../gateway/test/support/keys.ts';
import { startApp } from '../../gateway/test/support/running.ts';
import { openReceiver } from '../../gateway/test/webhooks/receiver.ts';
import { emptyDirectory, runFlorin } from './florin.ts';

/** Processes, on a machine that also runs other tests. */
const timeout = 900_000;
const seeing: Action[] = ['use test mode calls', 'read events', 'manage webhooks'];

const [app, shop] = await Promise.all([startApp(), openReceiver()]);
const key = await restrictedKey(app.db, app.integrationId, {
  actions: ['create payments', 'make payouts', 'make refunds', ...seeing],
});
afterAll(shop.close);

const trigger = (words: string, by = key) =>
  runFlorin(['trigger', ...words.split(' ')], { FLORIN_URL: app.baseUrl, FLORIN_SECRET_KEY: by });

type Triggered = { events: { event_type: string; body: string }[]; payout_id?: string };

async function eventsOf(words: string): Promise<Record<string, unknown>[]> {
  const { code, output, errors } = await trigger(`${words} --json`);
  expect([code, errors]).toEqual([0, '']);
  return (JSON.parse(output) as Triggered).events.map(({ body }) => JSON.parse(body));
}

test.each([
  ['payout_awaiting_approval', ['payout_awaiting_approval']],
  ['payout_completed', ['payout_completed']],
  ['payout_failed', ['payout_failed']],
  ['payout_cancelled', ['payout_cancelled']],
  ['refund_created', ['payment_completed', 'refund_created']],
  ['refund_failed', ['payment_completed', 'refund_created', 'refund_failed']],
  ['payment_refunded', ['payment_completed', 'refund_created', 'payment_refunded']],
])('florin trigger makes %s', { timeout }, async (type, types) => {
  const events = await eventsOf(type);
  expect(events.map(({ event_type }) => event_type)).toEqual(types);
  expect(events.at(-1)).toMatchObject(
    type.startsWith('payout')
      ? { amount: '25', payout_status: type.replace('payout_', ''), purpose: 'merchant_payout' }
      : { amount: 25, refund_amount: '25' },
  );
});

test('florin trigger needs no right to see endpoints, which the payout key of the demo has not', {
  timeout,
}, async () => {
  const actions: Action[] = [
    'make payouts',
    'make refunds',
    'read balances',
    'read events',
    'use test mode calls',
  ];
  const by = await restrictedKey(app.db, app.integrationId, { actions });
  const { code, output } = await trigger('payout_completed', by);
  expect([code, output]).toEqual([0, expect.stringContaining('may not see to which endpoints it was sent')]);
});

test('florin trigger takes the fields of a payout, and shows where its webhook was sent', {
  timeout,
}, async () => {
  const made = await app.api<{ id: string }>('POST', '/webhook-endpoints', {
    body: { url: shop.url, events: ['payout_completed'] },
  });
  const fields = '--with asset=csk-bep20 --with amount=3.5 --with payout_reference=RENT-1';
  const { code, output, errors } = await trigger(`payout_completed ${fields}`);
  expect([code, errors]).toEqual([0, '']);
  expect(output).toMatch(
    /^Made the test payout [\w-]{36} of 3\.5 csk-bep20\npayout_completed {2}[\w-]{36}\n/,
  );
  expect(output).toMatch(/\n {2}to http:\S+ {2}200 in \d+ ms\n$/);
  const { body } = await shop.next(({ body: { payout_reference } }) => payout_reference === 'RENT-1', 'it');
  expect(body).toMatchObject({ event_type: 'payout_completed', asset: 'csk-bep20', amount: '3.5' });
  await app.api('DELETE', `/webhook-endpoints/${made.body.data.id}`);
  expect((await trigger('payout_completed --with colour=red')).errors).toContain('a payout has no colour');
});

test('florin trigger says which rights a key lacks', { timeout }, async () => {
  const payout = await trigger('payout_completed', app.secretKey);
  expect([payout.code, payout.errors]).toEqual([
    1,
    expect.stringMatching(
      /^florin: This key may not make payouts\.\npayout_completed takes a key that names “make payouts”, “use test mode calls”,/,
    ),
  ]);
  const refund = await trigger('refund_created', app.secretKey);
  expect(refund.errors).toMatch(
    /^florin: This key may not make refunds\.\n.* names “create payments”, “make refunds”,/,
  );
});

test('florin finds the key of a demo that may make payouts', { timeout }, async () => {
  const directory = await emptyDirectory();
  await mkdir(join(directory, 'data'));
  const demo = { base_url: app.baseUrl, secret_key: app.secretKey, payout_keys: { test: key } };
  await writeFile(join(directory, 'data', 'demo.json'), JSON.stringify(demo));
  const { code, output, errors } = await runFlorin(['trigger', 'payout_cancelled'], {}, directory);
  expect([code, output]).toEqual([0, expect.stringMatching(/\npayout_cancelled {2}/)]);
  expect(errors).toMatch(/^Using the demo of /);
  const list = await runFlorin(['payouts', 'list', '--status', 'cancelled'], {}, directory);
  expect([list.code, list.output]).toEqual([0, expect.stringContaining(' test_florin_trigger ')]);
});

test('a payout that people approve waits for them, and only then is there payout_awaiting_approval', {
  timeout,
}, async () => {
  const soon = await trigger('payout_awaiting_approval --with to=test_florin_trigger');
  expect([soon.code, soon.errors]).toEqual([1, expect.stringContaining('the payout needed no approval')]);
  const owner = { integrationId: app.integrationId, mode: 'test' } as const;
  const settings = { enabled: true, approvals: 1, approveAbove: {}, knownAddressesOnly: false };
  await transaction(app.db, (tx) => changePayoutSettings(tx, owner, settings, new Date()));
  expect(await eventsOf('payout_awaiting_approval')).toMatchObject([
    { event_type: 'payout_awaiting_approval', payout_status: 'awaiting_approval' },
  ]);
  expect((await eventsOf('payout_cancelled')).map(({ event_type }) => event_type)).toEqual([
    'payout_awaiting_approval',
    'payout_cancelled',
  ]);
  for (const type of ['payout_completed', 'payment_refunded']) {
    const { code, errors } = await trigger(type);
    expect([code, errors]).toEqual([1, expect.stringContaining('has to be approved by a person')]);
  }
  const { rows } = await app.db.query<{ status: string }>(
    "SELECT status FROM payouts WHERE status NOT IN ('completed', 'failed', 'cancelled')",
  );
  // The two that were to wait.
  expect(rows).toEqual(Array.from({ length: 2 }, () => ({ status: 'awaiting_approval' })));
});
