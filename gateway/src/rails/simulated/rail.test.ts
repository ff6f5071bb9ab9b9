import { afterAll, beforeEach, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { testClock } from '../../../test/support/fixtures.ts';
import { endedOrWaiting } from '../../../test/support/payment-fixtures.ts';
import { openDatabase, transaction } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';
import type { Observation } from '../rail.ts';
import {
  keepSteps,
  newTransfer,
  paymentOfAddress,
  type Report,
  runDue,
  type Step,
  shiftSteps,
  simulatedDestination,
} from './rail.ts';
import { atOnce, type Pace, reorged, slowly } from './scenarios.ts';

const { db, connection } = await testDatabase();
const otherProcess = openDatabase(connection, 4);
afterAll(() => otherProcess.end());

type Shown = Observation & { at: Date };

let clock = testClock();
let shown: Shown[] = [];
const note: Report = async (_tx, happened) => {
  for (const each of happened) if ('observation' in each) shown.push({ ...each.observation, at: each.at });
};
beforeEach(async () => {
  clock = testClock();
  shown = [];
  await db.query('DELETE FROM simulated_steps');
});

const newTarget = () => ({ integrationId: newId(), paymentId: newId() });

/** Half a minute after it began. */
const laterOn: Pace = atOnce.map((step) => ({ ...step, afterSeconds: 30 }));

async function schedule(target: ReturnType<typeof newTarget>, ...paces: Pace[]) {
  const steps = paces.flatMap((pace): Step[] => {
    const transfer = newTransfer('pi', 7n);
    return pace.map((step) => ({ ...step, transfer }));
  });
  await transaction(db, (tx) => keepSteps(tx, [{ ...target, steps }], clock.now()));
}

/** Shows what is due, and returns it as `state confirmations`. */
async function show(scope = {}): Promise<string[]> {
  shown = [];
  const count = await runDue(db, note, clock.now(), scope);
  expect(count).toBe(shown.length);
  return shown.map(({ state, confirmations }) => `${state} ${confirmations}`);
}

test('a transfer that is final at once is shown once, as the rail it is', async () => {
  const target = newTarget();
  await schedule(target, atOnce);
  expect(await show()).toEqual(['final 3']);
  expect(shown[0]).toEqual({
    rail: 'simulated',
    key: shown[0]!.transaction,
    transaction: expect.stringMatching(/^test_[0-9a-f]{32}$/),
    paymentId: target.paymentId,
    asset: 'pi',
    units: 7n,
    state: 'final',
    confirmations: 3,
    needed: 3,
    sender: expect.stringMatching(/^test_[0-9a-f]{40}$/),
    at: clock.now(),
  });
  expect(await show()).toEqual([]);
});

test('a step is shown when its time has come, and reported for that time', async () => {
  const start = clock.now();
  await schedule(newTarget(), slowly);
  expect(await show()).toEqual(['seen 0']);
  clock.advance(19);
  expect(await show()).toEqual([]);
  clock.advance(31);
  expect(await show()).toEqual(['seen 1', 'seen 2']);
  expect(shown.map(({ at }) => (at.getTime() - start.getTime()) / 1000)).toEqual([20, 40]);
  clock.advance(10);
  expect(await show()).toEqual(['final 3']);
});

test('a transfer keeps its name through all its steps, and two transfers have two', async () => {
  await schedule(newTarget(), reorged, laterOn);
  clock.advance(30);
  expect((await show()).toSorted()).toEqual(['final 3', 'gone 0', 'seen 1']);
  const names = Map.groupBy(shown, ({ key }) => key);
  expect([...names.values()].map((steps) => steps.length).toSorted()).toEqual([1, 2]);
});

test('a step whose report fails is shown again, and its neighbours of the same round with it', async () => {
  await schedule(newTarget(), atOnce);
  const failing = runDue(db, () => Promise.reject(new Error('no room')), clock.now());
  await expect(failing).rejects.toThrow('no room');
  expect(await show()).toEqual(['final 3']);
});

test('one integration or payment is shown without the others', async () => {
  const [one, other] = [newTarget(), newTarget()];
  await schedule(one, atOnce);
  await schedule(other, atOnce);
  await show({ integrationId: one.integrationId });
  expect(shown.map(({ paymentId }) => paymentId)).toEqual([one.paymentId]);
  await show({ paymentId: other.paymentId });
  expect(shown.map(({ paymentId }) => paymentId)).toEqual([other.paymentId]);
});

test("the test clock brings an integration's steps closer and no other's", async () => {
  const [one, other] = [newTarget(), newTarget()];
  await schedule(one, laterOn);
  await schedule(other, laterOn);
  await transaction(db, (tx) => shiftSteps(tx, one.integrationId, 30));
  await show();
  expect(shown.map(({ paymentId }) => paymentId)).toEqual([one.paymentId]);
});

test('two processes show each step once, and each payment in its own order', async () => {
  const payments = Array.from({ length: 100 }, newTarget);
  for (const target of payments) await schedule(target, slowly);
  clock.advance(60);
  const counts = await Promise.all(
    [db, otherProcess, db, otherProcess].map((pool) => runDue(pool, note, clock.now())),
  );
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(400);
  const orders = Map.groupBy(shown, ({ paymentId }) => paymentId);
  expect(orders.size).toBe(100);
  for (const steps of orders.values()) {
    expect(steps.map(({ confirmations }) => confirmations)).toEqual([0, 1, 2, 3]);
  }
});

test('a caller that asks for one payment waits for what another process is showing of it', async () => {
  const target = newTarget();
  await schedule(target, atOnce);
  const [begun, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let done = false;
  const slowReport: Report = async () => {
    begun.resolve();
    await finish.promise;
    done = true;
  };
  const worker = runDue(otherProcess, slowReport, clock.now());
  await begun.promise;
  const asked = runDue(db, note, clock.now(), { paymentId: target.paymentId });
  const doneWhenAnswered = asked.then(() => done);
  await endedOrWaiting(db, asked);
  finish.resolve();
  expect(await doneWhenAnswered).toBe(true);
  expect(await asked).toBe(0);
  await worker;
});

test('a destination is the same each time, another for each payment and asset, and no real address', () => {
  const [one, two] = [newId(), newId()];
  const address = (id: string, asset: string) => simulatedDestination(id, asset, 'Base').address;
  expect(address(one, 'usdc-base')).toBe(address(one, 'usdc-base'));
  expect(address(one, 'usdc-base')).not.toBe(address(two, 'usdc-base'));
  expect(address(one, 'usdc-base')).not.toBe(address(one, 'usdt-base'));
  expect(address(one, 'usdc-base')).toMatch(/^test_[0-9a-f]{40}$/);
});

test('a destination names its payment, and no other text does', () => {
  const id = newId();
  expect(paymentOfAddress(simulatedDestination(id, 'pi', 'Pi Network').address)).toBe(id);
  for (const text of ['', 'test_', `test_${'f'.repeat(40)}`, id, `0x${'1'.repeat(40)}`]) {
    expect(paymentOfAddress(text)).toBeNull();
  }
});

test('only Pi names a payment by a memo, which fits the 28 bytes that its chain allows', () => {
  expect(simulatedDestination('one', 'usdc-base', 'Base').memo).toBeNull();
  expect(simulatedDestination('one', 'pi', 'Pi Network').memo).toMatch(/^T[0-9A-F]{11}$/);
});
