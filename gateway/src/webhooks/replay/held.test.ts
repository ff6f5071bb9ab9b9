import { describe, expect, test } from 'vitest';
import { createWorld, eventOf } from '../../../test/webhooks/fixtures.ts';
import { replaying } from '../../../test/webhooks/replaying.ts';
import { transaction } from '../../kit/db/db.ts';
import type { EndpointId } from '../endpoints/endpoints.ts';
import { recordEvents } from '../events/outbox.ts';
import { changeEndpoint, replayOf } from './replay.ts';
import { runReplays } from './replay-worker.ts';

const world = await createWorld();

const { replay, turn, missed, emitMany, queuedInOrder } = replaying(() => world);

describe('an event that is being written for an endpoint that is paused', () => {
  /** Does `act` while an event of the paused endpoint's is being written, and commits it then. */
  async function actBeside<T>(act: (id: EndpointId) => Promise<T>) {
    const merchant = await world.merchant();
    const { id } = await merchant.endpoint('http://127.0.0.1:9/hook');
    await turn(id, 'paused');
    const written = Promise.withResolvers<void>();
    const over = Promise.withResolvers<void>();
    const writing = transaction(world.db, async (tx) => {
      await recordEvents(tx, world.hints, [eventOf(merchant.id)]);
      written.resolve();
      await over.promise;
    });
    await written.promise;
    const acted = act(id);
    return {
      merchant,
      id,
      acted,
      async commit() {
        over.resolve();
        await writing;
      },
    };
  }

  test('is waited for by whoever activates it, and is sent then', async () => {
    let isActive = false;
    const { id, acted, commit } = await actBeside((id) =>
      turn(id, 'active').then(() => {
        isActive = true;
      }),
    );
    await expect
      .poll(async () => (await world.db.query('SELECT FROM pg_locks WHERE NOT granted')).rowCount)
      .toBeGreaterThan(0);
    expect(isActive).toBe(false);
    await commit();
    await acted;
    expect(await missed(id)).toBe(0);
    expect(await queuedInOrder(id)).toHaveLength(1);
  });

  test('is still held after a replay that was asked for meanwhile', async () => {
    const { merchant, id, acted, commit } = await actBeside(async () => {});
    await acted;
    expect(await replay(merchant, id)).toMatchObject({ status: 'done', count: 0 });
    await commit();
    expect(await missed(id)).toBe(1);
    expect(await replay(merchant, id)).toMatchObject({ count: 1 });
  });
});

test('events that were read as those of a paused endpoint are not held when that was activated meanwhile, and keep their order', async () => {
  const merchant = await world.merchant();
  const { id } = await merchant.endpoint('http://127.0.0.1:9/hook');
  await turn(id, 'paused');
  const earlier = await merchant.emit();
  const completed = eventOf(merchant.id, { sequence: 1 });
  const events = [completed, eventOf(merchant.id, { payment: completed.payment, sequence: 2 })];
  const activated = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const activating = transaction(world.db, async (tx) => {
    await changeEndpoint(tx, world.hints, id, { status: 'active', now: new Date() });
    activated.resolve();
    await over.promise;
  });
  await activated.promise;
  const emitting = transaction(world.db, (tx) => recordEvents(tx, world.hints, events));
  await expect
    .poll(async () => (await world.db.query('SELECT FROM pg_locks WHERE NOT granted')).rowCount)
    .toBeGreaterThan(0);
  over.resolve();
  await activating;
  const emitted = await emitting;
  expect(await missed(id)).toBe(0);
  expect(await queuedInOrder(id)).toEqual([earlier, ...emitted]);
});

test('whoever turns an endpoint off and on and replays while events are written, each gets exactly one delivery', async () => {
  const merchant = await world.merchant();
  const { id } = await merchant.endpoint('http://127.0.0.1:9/hook');
  const made: string[] = [];
  let isOver = false;
  const writer = async () => {
    while (!isOver) made.push(...(await emitMany(merchant, 3)));
  };
  const writers = [writer(), writer()];
  for (let n = 0; n < 30; n++) {
    await turn(id, n % 2 === 0 ? 'paused' : 'active');
    if (n % 3 === 0) await replay(merchant, id).catch(() => 'one is under way');
    if (n % 7 === 0) await runReplays(world);
  }
  isOver = true;
  await Promise.all(writers);
  await expect.poll(() => runReplays(world).then(() => missed(id))).toBe(0);
  await expect
    .poll(() => runReplays(world).then(() => replayOf(world.db, id)))
    .toMatchObject({ status: 'done' });
  expect((await queuedInOrder(id)).sort()).toEqual(made.sort());
});
