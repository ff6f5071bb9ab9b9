import { afterAll, expect, test } from 'vitest';
import { coin, openPi, openReading } from '../../../test/pi/fixtures.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { snapshotPi } from './reserves.ts';

const { db } = await testDatabase();
const world = await openPi();
const { horizon, clock, pi, payer } = world;
afterAll(() => horizon.stop());

test('what the account holds is what it had, what came, and what is not booked yet', async () => {
  expect(await snapshotPi(db, pi)).toBeNull();
  const reading = await openReading(db, world);
  const rounds = async () => {
    for (let left = 3; left > 0; left -= 1) {
      clock.advance(15);
      horizon.close();
      await reading.tick();
    }
  };
  await rounds();
  expect(await snapshotPi(db, pi)).toMatchObject({ held: 20n * coin, opening: 20n * coin, unbooked: 0n });
  const { memo } = await reading.open();
  horizon.pay({ from: payer, to: pi.account, amount: 3n * coin, memo });
  await rounds();
  expect(await snapshotPi(db, pi)).toMatchObject({ held: 23n * coin, opening: 20n * coin, unbooked: 0n });
  await db.query('UPDATE pi_records SET reported_state = NULL');
  expect(await snapshotPi(db, pi)).toMatchObject({ held: 23n * coin, unbooked: 3n * coin });
  await reading.reader.disconnect();
});
