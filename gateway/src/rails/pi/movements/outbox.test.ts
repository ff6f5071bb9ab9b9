import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
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
afterEach(() => reading.reader.disconnect());
afterAll(() => horizon.stop());

const pay = (units: bigint) =>
  horizon.pay({ from: payer, to: pi.account, amount: units, memo: payment.memo });
const health = () => piHealth(db, pi, clock.now());

test('a payment that cannot take its transfer holds up no other, and has it later', async () => {
  const other = await reading.open();
  reading.onReport = (what) => {
    if ('paymentId' in what && what.paymentId === payment.id) throw new Error('not now');
  };
  pay(1n);
  horizon.pay({ from: payer, to: pi.account, amount: coin, memo: other.memo });
  await reading.tick(3);
  expect(standing(reading)).toEqual([`final ${coin}`]);
  expect((await health()).faults).toMatchObject([{ code: 'not_credited' }]);
  reading.onReport = null;
  const readAt = clock.now();
  clock.advance(10);
  await reading.tick();
  expect(standing(reading, payment.id)).toEqual(['final 1']);
  expect((await health()).faults).toEqual([]);
  const { rows } = await db.query('SELECT read_at FROM pi_records WHERE owner_id = $1', [payment.id]);
  expect(rows).toEqual([{ read_at: readAt }]);
});

test('it is tried less and less often', async () => {
  let tries = 0;
  reading.onReport = () => {
    tries += 1;
    throw new Error('never');
  };
  pay(1n);
  for (let second = 0; second < 120; second++) {
    await reading.tick();
    clock.advance(1);
  }
  expect(tries).toBeGreaterThan(4);
  expect(tries).toBeLessThan(10);
});
