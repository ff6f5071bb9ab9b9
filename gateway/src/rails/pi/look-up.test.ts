import { Asset, Keypair, Operation } from '@stellar/stellar-sdk';
import { afterAll, expect, test } from 'vitest';
import { coin, openPi, openReading, standing } from '../../../test/pi/fixtures.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { silentLog } from '../../../test/support/fixtures.ts';
import { createPiLookUp, readTransaction } from './look-up.ts';

const { db } = await testDatabase();
const world = await openPi();
const { horizon, payer, pi } = world;
const reading = await openReading(db, world);
let woken = 0;
const lookUp = createPiLookUp({
  db,
  account: pi.account,
  horizons: reading.horizons,
  wake: () => {
    woken += 1;
  },
  log: silentLog,
  withinMs: 1_000,
});
const { id, memo } = await reading.open();
const other = await reading.open();
const pay = (to: string, text?: string) =>
  horizon.pay({ from: payer, to, amount: coin, ...(text === undefined ? {} : { memo: text }) });

afterAll(async () => {
  await reading.reader.disconnect();
  await horizon.stop();
});

test('what is no hash is none of this rail’s', async () => {
  expect(await lookUp(id, `0x${'a'.repeat(64)}`)).toBeNull();
  expect(await lookUp(id, 'hello')).toBeNull();
  expect(readTransaction(` ${'AB'.repeat(32)}\n`)).toBe('ab'.repeat(32));
});

test('a transfer that was not read yet is waited for, and then found', async () => {
  const hash = pay(pi.account, memo);
  expect(await lookUp(id, hash.toUpperCase())).toBe('waiting');
  expect(woken).toBe(1);
  await reading.tick();
  expect(await lookUp(id, hash)).toBe('found');
  expect(await lookUp(other.id, hash)).toBe('elsewhere');
  expect(standing(reading, id)).toEqual([`final ${coin}`]);
});

test('a deposit without a payment is unmatched', async () => {
  const hash = pay(pi.account);
  expect(await lookUp(id, hash)).toBe('waiting');
  await reading.tick();
  expect(await lookUp(id, hash)).toBe('unmatched');
});

test('a failed transaction, another account’s and an unknown one have different answers', async () => {
  const failed = horizon.transact({
    from: payer,
    operations: [
      Operation.payment({ destination: pi.account, asset: Asset.native(), amount: '1' }),
      Operation.payment({
        destination: Keypair.random().publicKey(),
        asset: Asset.native(),
        amount: '1',
      }),
    ],
  });
  expect(await lookUp(id, failed)).toBe('failed');
  expect(await lookUp(id, pay(horizon.root.publicKey()))).toBe('elsewhere');
  expect(await lookUp(id, 'f'.repeat(64))).toBe('unknown');
});

test('a Horizon that is down or slow does not delay the answer', async () => {
  const hash = pay(pi.account, memo);
  horizon.faults.add({ kind: 'error', path: /transactions/ });
  expect(await lookUp(id, hash)).toBe('unasked');
  world.clock.advance(60);
  horizon.faults.add({ kind: 'slow', ms: 60_000, path: /transactions/ });
  const started = performance.now();
  expect(await lookUp(id, hash)).toBe('unasked');
  expect(performance.now() - started).toBeLessThan(20_000);
});
