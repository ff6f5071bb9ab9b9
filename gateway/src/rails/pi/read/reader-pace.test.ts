import { afterAll, expect, test } from 'vitest';
import { coin, openPi, openReading, type PiWorld, standing } from '../../../../test/pi/fixtures.ts';
import { testDatabase } from '../../../../test/support/database.ts';

const { db } = await testDatabase();
const world: PiWorld = await openPi();
const { horizon, clock, payer, pi } = world;
const reading = await openReading(db, world);
const { memo } = await reading.open();

afterAll(async () => {
  await reading.reader.disconnect();
  await horizon.stop();
});

const streams = () => horizon.requests.filter((each) => /payments\?cursor=\d+&limit/.test(each)).length;
const polls = () => horizon.requests.length - streams();

/** Rounds as a loop does them, until something is so; the clock stands still. */
async function roundsUntil(isSo: () => boolean): Promise<void> {
  while (!isSo()) {
    await reading.reader.round();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Waits for the server's own work, without any round. */
const until = async (isSo: () => boolean) => {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
};

test('a stream makes the next round due at once, and only says that there is something', async () => {
  await until(() => streams() === 1);
  clock.advance(5);
  await reading.reader.round();
  const before = polls();
  for (let second = 0; second < 14; second++) {
    clock.advance(1);
    await reading.reader.round();
  }
  expect(polls()).toBe(before);
  horizon.pay({ from: payer, to: pi.account, amount: coin, memo });
  await roundsUntil(() => reading.transfers.length === 1);
  expect(streams()).toBe(1);
});

test('a stream that is cut off is opened again, and nothing is taken twice', async () => {
  horizon.faults.cutStreams();
  horizon.pay({ from: payer, to: pi.account, amount: 2n * coin, memo });
  for (let second = 0; second < 20 && streams() === 1; second++) {
    clock.advance(1);
    await reading.reader.round();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(streams()).toBe(2);
  expect(standing(reading)).toEqual([`final ${coin}`, `final ${2n * coin}`]);
});

test('a stream that ends within an event is no fault of what was read', async () => {
  horizon.faults.add({ kind: 'cut', path: /payments\?cursor=\d+&limit/, times: 3 });
  horizon.faults.cutStreams();
  horizon.pay({ from: payer, to: pi.account, amount: 4n * coin, memo });
  for (let second = 0; second < 60; second++) {
    clock.advance(1);
    await reading.reader.round();
  }
  expect(standing(reading)).toHaveLength(3);
  expect(reading.horizons.report()).toMatchObject([{ state: 'up', fault: null }]);
});

test('what it asks for in an hour is far below what Horizon allows', async () => {
  horizon.faults.add({ kind: 'error', path: /payments\?cursor=\d+&limit/, times: Number.POSITIVE_INFINITY });
  horizon.faults.cutStreams();
  const before = horizon.requests.length;
  for (let second = 0; second < 3600; second++) {
    clock.advance(1);
    if (second % 5 === 0) horizon.close();
    await reading.reader.round();
  }
  expect(horizon.requests.length - before).toBeLessThan(1_800);
});

test('so is what it asks for where every stream ends as soon as it has begun', async () => {
  horizon.faults.clear();
  const before = horizon.requests.length;
  for (let second = 0; second < 600; second++) {
    clock.advance(1);
    if (second % 5 === 0) horizon.close();
    await reading.reader.round();
    horizon.faults.cutStreams();
    await new Promise((resolve) => setTimeout(resolve, 3));
  }
  expect(horizon.requests.length - before).toBeLessThan(350);
});
