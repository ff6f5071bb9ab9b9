import { afterAll, beforeEach, expect, test } from 'vitest';
import { coin, openPi, openReading, type Reading } from '../../../../test/pi/fixtures.ts';
import { emptyTables, testDatabase } from '../../../../test/support/database.ts';
import { transaction } from '../../../kit/db/db.ts';
import { addPlatformMemo, lockMemo } from '../memos/memos.ts';
import { settleHeld } from './records.ts';

const { db } = await testDatabase();
const world = await openPi();
const { horizon, payer, pi, clock } = world;
let reading: Reading;
let count = 0;

beforeEach(async () => {
  await reading?.reader.disconnect();
  await emptyTables(db, 'leases, pi_accounts, pi_records');
  reading = await openReading(db, world);
});
afterAll(async () => {
  await reading.reader.disconnect();
  await horizon.stop();
});

/** A payment that the platform is to confirm. */
async function approved(): Promise<{ id: string; identifier: string }> {
  const { id } = await reading.open();
  count += 1;
  const identifier = `platform-payment-${count}`;
  await transaction(db, (tx) => addPlatformMemo(tx, { paymentId: id, identifier: identifier }, clock.now()));
  await db.query(
    `INSERT INTO pi_platform_payments (identifier, payment_id, user_uid, units, state, expires_at, next_check_at,
       created_at) VALUES ($1, $2, 'u', $3, 'approved', now(), now(), now())`,
    [identifier, id, coin],
  );
  return { id, identifier };
}

const pay = (identifier: string) =>
  horizon.pay({ from: payer, to: pi.account, amount: coin, memo: identifier });

/** What the platform said is noted first, as its worker does. */
const settle = (identifier: string, hash: string, state: 'completed' | 'refused') =>
  transaction(db, async (tx) => {
    await lockMemo(tx, identifier);
    await tx.query(
      `UPDATE pi_platform_payments SET state = $2, txid = $3, next_check_at = NULL, settled_at = now()
       WHERE identifier = $1`,
      [identifier, state, hash],
    );
    return await settleHeld(tx, identifier, state === 'completed' ? hash : null);
  });

test('what is held is its payment’s once it is confirmed, and reported once', async () => {
  const { id, identifier } = await approved();
  const hash = pay(identifier);
  await reading.tick();
  expect(await settle(identifier, hash, 'completed')).toBe(true);
  expect(await settle(identifier, hash, 'completed')).toBe(false);
  await reading.tick();
  expect(reading.transfers.map(({ paymentId, state }) => [paymentId, state])).toEqual([
    [id, 'seen'],
    [id, 'final'],
  ]);
});

test('what is refused is gone for its payment, and unmatched from then on', async () => {
  const { id, identifier } = await approved();
  const hash = pay(identifier);
  await reading.tick();
  expect(await settle(identifier, hash, 'refused')).toBe(true);
  await reading.tick();
  expect(reading.transfers.map(({ paymentId, state }) => [paymentId, state])).toEqual([
    [id, 'seen'],
    [id, 'gone'],
  ]);
  expect(reading.unmatched).toMatchObject([
    { key: reading.transfers[0]!.key, units: coin, memo: identifier },
  ]);
});

test('what was refused before it was reported is an unmatched deposit alone', async () => {
  const { identifier } = await approved();
  const hash = pay(identifier);
  reading.onReport = () => {
    throw new Error('not now');
  };
  await reading.tick();
  reading.onReport = null;
  await settle(identifier, hash, 'refused');
  await reading.tick();
  expect(reading.transfers).toEqual([]);
  expect(reading.unmatched).toHaveLength(1);
});

test('what is confirmed while it is read is not held for ever, in either order', async () => {
  for (let round = 0; round < 20; round++) {
    const { id, identifier } = await approved();
    const hash = pay(identifier);
    await Promise.all([reading.tick(), settle(identifier, hash, 'completed')]);
    const { rows } = await db.query('SELECT state FROM pi_records WHERE owner_id = $1', [id]);
    expect(rows).toEqual([{ state: 'final' }]);
  }
  expect(reading.transfers.filter(({ state }) => state === 'final')).toHaveLength(20);
});
