import { Asset, Operation } from '@stellar/stellar-sdk';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  coin,
  openPi,
  openReading,
  type PiWorld,
  type Reading,
  standing,
} from '../../../../test/pi/fixtures.ts';
import { emptyTables, testDatabase } from '../../../../test/support/database.ts';
import { piHealth } from '../health.ts';
import { HorizonFault } from '../horizon/horizon.ts';
import { PlatformFault } from '../platform/fault.ts';

const { db } = await testDatabase();
const world: PiWorld = await openPi();
const { horizon, clock, payer, pi } = world;
let reading: Reading;
let payment: { id: string; memo: string };

beforeEach(async () => {
  await emptyTables(db, 'leases, pi_accounts, pi_records');
  reading = await openReading(db, world);
  payment = await reading.open();
});
afterEach(async () => {
  horizon.faults.clear();
  horizon.lagLedgers = 0;
  await reading.reader.disconnect();
});
afterAll(() => horizon.stop());

const pay = (units: bigint) =>
  horizon.pay({ from: payer, to: pi.account, amount: units, memo: payment.memo });
const health = () => piHealth(db, pi, clock.now());
const polls = /payments\?cursor=\d+&order=asc/;

type Page = { _embedded: { records: Record<string, unknown>[] } };
const rewritten = (change: (records: Page['_embedded']['records']) => unknown) => ({
  kind: 'rewrite' as const,
  rewrite: (body: unknown) => {
    const { records } = (body as Page)._embedded;
    return { _embedded: { records: change(structuredClone(records)) } };
  },
});
const first = (change: (record: Record<string, unknown>) => void) =>
  rewritten((records) => {
    change(records[0]!);
    return records;
  });

const faults = {
  'a 504': { kind: 'timeout' },
  'too many requests': { kind: 'rate_limited', retryAfterSeconds: 120 },
  'a broken connection': { kind: 'reset', times: 2 },
  'a lost answer': { kind: 'lost', times: 2 },
  'half an answer': { kind: 'truncated' },
  'a page of HTML': { kind: 'html' },
  'a 500': { kind: 'error' },
  'a page without records': { kind: 'empty' },
  'what was ten ledgers ago': { kind: 'stale', ledgers: 10 },
  'no records at all': rewritten(() => null),
  'records that are none': rewritten(() => [1, null]),
  'records in the wrong order': rewritten((records) => records.toReversed()),
  'a record twice': rewritten((records) => [records[0], ...records]),
  'what was read before': rewritten((records) => [{ ...records[0], paging_token: '1' }, ...records]),
  'records of another account': first((record) => {
    record.to = payer.publicKey();
    record.from = payer.publicKey();
  }),
  'a record that does not say of which asset it is': first((record) => {
    delete record.asset_type;
  }),
  'a record without its transaction': first((record) => {
    delete record.transaction;
  }),
  'a record with another transaction': first((record) => {
    record.transaction_hash = '0'.repeat(64);
  }),
  'a token beyond all numbers': first((record) => {
    record.paging_token = '99999999999999999999';
  }),
  'a ledger that is nowhere': rewritten((records) =>
    records.map((record) => ({
      ...record,
      paging_token: `${999_999n << 32n}`,
      transaction: { ...(record.transaction as object), ledger: 999_999 },
    })),
  ),
  'an account that is none': first((record) => {
    record.from = 'G\u0000';
  }),
  'an amount that is none': first((record) => {
    record.amount = '1e5';
  }),
  'an amount with too many decimals': first((record) => {
    record.amount = '0.00000001';
  }),
  'a record without an amount': first((record) => {
    delete record.amount;
  }),
  'a time that is none': first((record) => {
    record.created_at = 'now';
  }),
} as const;

describe('nothing is skipped and nothing taken twice after', () => {
  test.each(Object.entries(faults))('%s', async (_, fault) => {
    for (const units of [1n, 2n, 3n]) pay(units);
    horizon.faults.add({ ...fault, path: polls } as never);
    await reading.tick();
    expect(horizon.faults.left()).toBe(0);
    clock.advance(130);
    pay(4n);
    horizon.faults.add({ ...fault, path: polls } as never);
    await reading.tick();
    clock.advance(130);
    await reading.tick();
    expect(standing(reading, payment.id)).toEqual(['final 1', 'final 2', 'final 3', 'final 4']);
    expect(reading.transfers).toHaveLength(4);
    expect((await health()).faults).toEqual([]);
  });
});

test('an account that Horizon says is not there is read on when it is there again', async () => {
  pay(1n);
  horizon.faults.add({ kind: 'stale', ledgers: 1_000, path: polls });
  await reading.tick(2);
  expect(standing(reading)).toEqual(['final 1']);
});

test('a Horizon that asks to be left alone is left alone as long as it asks, and no longer', async () => {
  horizon.faults.add({ kind: 'rate_limited', retryAfterSeconds: 90, path: polls });
  await reading.tick();
  pay(1n);
  const before = horizon.requests.length;
  clock.advance(60);
  await reading.tick(5);
  expect(horizon.requests.length).toBe(before);
  expect((await health()).faults).toMatchObject([{ code: 'no_endpoint' }]);
  clock.advance(31);
  await reading.tick();
  expect(standing(reading)).toEqual(['final 1']);
  expect((await health()).faults).toEqual([]);
});

test('while it is down nothing is lost, and operators see a fault', async () => {
  horizon.faults.add({ kind: 'reset', times: 1_000 });
  for (let minute = 0; minute < 10; minute++) {
    pay(1n);
    clock.advance(60);
    await reading.tick();
  }
  expect(await health()).toMatchObject({
    status: 'down',
    faults: [{ code: 'no_endpoint' }],
    scan: { endpoints: [{ state: 'resting' }] },
  });
  horizon.faults.clear();
  clock.advance(61);
  horizon.close();
  await reading.tick();
  expect(standing(reading)).toHaveLength(10);
  expect(await health()).toMatchObject({ status: 'up', faults: [] });
});

test('without an account on the network nothing begins, and operators see a fault', async () => {
  const bare = await openPi({ hasAccount: false });
  const none = await openReading(db, bare);
  const told = () => piHealth(db, bare.pi, clock.now());
  expect(await told()).toMatchObject({ status: 'down', faults: [{ code: 'no_account' }] });
  const { memo } = await none.open();
  bare.horizon.fund(bare.pi.account, coin);
  await none.tick();
  bare.horizon.pay({ from: bare.payer, to: bare.pi.account, amount: coin, memo });
  await none.tick();
  expect(standing(none)).toEqual([`final ${coin}`]);
  await none.reader.disconnect();
  await bare.horizon.stop();
});

test('pages that are too long are asked for in smaller pieces', async () => {
  const small = await openReading(db, world, { maxBytes: 100_000, isBegun: false });
  await small.restart();
  for (let count = 0; count < 3; count++) {
    const operations = Array.from({ length: 80 }, () =>
      Operation.payment({ destination: pi.account, asset: Asset.native(), amount: '0.0000001' }),
    );
    horizon.transact({ from: payer, memo: payment.memo, operations });
  }
  await small.tick();
  expect(standing(small, payment.id)).toHaveLength(240);
  expect(small.transfers).toHaveLength(240);
  expect((await health()).faults).toEqual([]);
  await small.reader.disconnect();
});

test('reading does not begin at a place that is nowhere: everything real would be skipped', async () => {
  const fresh = await openPi();
  fresh.horizon.pay({ from: fresh.payer, to: fresh.pi.account, amount: coin });
  fresh.horizon.faults.add({
    kind: 'rewrite',
    path: /^\/accounts\/\w+$/,
    rewrite: (body) => ({ ...(body as object), last_modified_ledger: 999_999 }),
  });
  const begun = await openReading(db, fresh);
  expect((await piHealth(db, fresh.pi, fresh.clock.now())).faults).toMatchObject([{ code: 'stalled' }]);
  fresh.clock.advance(60);
  fresh.horizon.close();
  await begun.tick();
  const { memo } = await begun.open();
  fresh.horizon.pay({ from: fresh.payer, to: fresh.pi.account, amount: coin, memo });
  await begun.tick();
  expect(standing(begun)).toEqual([`final ${coin}`]);
  await begun.reader.disconnect();
  await fresh.horizon.stop();
});

test('what a Horizon says of its fault is kept short, and can be kept', async () => {
  const said = `no\u0000${'x'.repeat(100_000)}`;
  horizon.faults.add({ kind: 'rewrite', path: polls, rewrite: () => ({ status: 200, [said]: said }) });
  horizon.faults.add({ kind: 'rewrite', path: /^\/$/, rewrite: () => ({ network_passphrase: said }) });
  await reading.tick();
  const [fault] = (await health()).faults;
  expect(fault!.message.length).toBeLessThan(700);
  expect(new HorizonFault('refused', said).message).toHaveLength(500);
  expect(new PlatformFault('refused', said).message).not.toContain('\u0000');
});
