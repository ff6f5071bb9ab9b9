import { afterAll, expect, test } from 'vitest';
import { openPi } from '../../../../test/pi/fixtures.ts';
import { testDatabase } from '../../../../test/support/database.ts';
import { bookArrival, noHints, noPayouts, silentLog } from '../../../../test/support/fixtures.ts';
import { noRail, payoutParts } from '../../../../test/support/payment-fixtures.ts';
import { newId } from '../../../kit/ids.ts';
import { createAssets } from '../../../money/assets.ts';
import { createPi } from '../../../networks/pi.ts';

const { db } = await testDatabase();
const { horizon, clock, pi } = await openPi();
const nowMs = () => clock.now().getTime();
const gateway = createPi({
  ...{ db, pi, nowMs, log: silentLog, now: clock.now },
  ...payoutParts(createAssets(), clock.now),
  ...{ hints: noHints, assets: createAssets(), rail: noRail, sends: noPayouts, bookArrival, count: () => {} },
});

afterAll(async () => {
  await gateway.disconnect();
  await horizon.stop();
});

test('whatever customers ask, from however many places, the reader has its share of Horizon', async () => {
  const before = horizon.requests.length;
  const answers = new Set<string>();
  for (let second = 0; second < 3_600; second += 10) {
    clock.advance(10);
    for (let each = 0; each < 5; each++) {
      const hash = newId().replaceAll('-', '').repeat(2);
      answers.add((await gateway.lookUp(newId(), hash)) as string);
    }
  }
  expect(horizon.requests.length - before).toBeLessThan(1_000);
  // Beyond the share of customers nothing is asked, and nothing is said of the transaction.
  expect([...answers]).toEqual(['unknown', 'unasked']);
});
