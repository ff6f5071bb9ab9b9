import { expect, test } from 'vitest';
import { notedScope } from '../../../test/traces/noted-scope.ts';
import { createWorld, eventOf } from '../../../test/webhooks/fixtures.ts';
import { nameOfOwned } from '../../identity/owner.ts';
import { transaction } from '../../kit/db/db.ts';
import { spanEach, within } from '../../kit/trace.ts';
import { tracesOf } from './event-traces.ts';
import { recordEvents } from './outbox.ts';
import { createPurge } from './purge.ts';

const world = await createWorld();
const day = 24 * 3600 * 1000;

test('the span of an event is kept with it, and for eight days', async () => {
  const { id } = await world.merchant();
  const scope = notedScope();
  const at = new Date();
  const [event = ''] = await within(scope, () =>
    transaction(world.db, (tx) => recordEvents(tx, world.hints, [eventOf(id, { at })])),
  );
  const kept = new Map([[event, 'event payment_completed']]);
  expect(await tracesOf(world.db, [event])).toEqual(kept);
  expect(scope.noted).toEqual(['event payment_completed, well']);
  const purge = (days: number) =>
    createPurge({ db: world.db, now: () => new Date(at.getTime() + days * day), keptDays: 90 })();
  await purge(7.9);
  expect(await tracesOf(world.db, [event])).toEqual(kept);
  await purge(8.1);
  expect(await tracesOf(world.db, [event])).toEqual(new Map());
});

test('an event that is not committed has no span, and one outside of a trace has none', async () => {
  const { id } = await world.merchant();
  const scope = notedScope();
  const failing = transaction(world.db, async (tx) => {
    await recordEvents(tx, world.hints, [eventOf(id)]);
    throw new Error('no');
  });
  await expect(within(scope, () => failing)).rejects.toThrow('no');
  expect(scope.noted).toEqual([]);
  const untraced = await transaction(world.db, (tx) => recordEvents(tx, world.hints, [eventOf(id)]));
  expect(await tracesOf(world.db, untraced)).toEqual(new Map());
});

test('events of requests that share a commit are each in the trace of their own payment', async () => {
  const { id } = await world.merchant();
  const scope = notedScope();
  const events = [eventOf(id), eventOf(id)];
  const items = events.map((event, n) => ({
    scope: scope.begin(`request ${n}`),
    subject: nameOfOwned(event, event.payment.reference),
  }));
  const ids = await spanEach('commit', items, () =>
    transaction(world.db, (tx) => recordEvents(tx, world.hints, events.toReversed())),
  );
  const traces = await tracesOf(world.db, ids);
  expect(ids.map((each) => traces.get(each)?.split(' > ')[0])).toEqual(['request 1', 'request 0']);
});
