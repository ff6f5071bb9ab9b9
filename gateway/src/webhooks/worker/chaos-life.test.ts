import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type ChaosScene,
  openChaos,
  rightlySigned,
  strict,
  verdictOf,
} from '../../../test/webhooks/chaos-scene.ts';
import { isSignedWith } from '../../../test/webhooks/receiver.ts';
import { type FaultKind, faultKinds, noChaos } from '../answers/chaos-answers.ts';

const { world, meet, advance, due, logOf } = await openChaos();

describe('with injected faults', () => {
  const chaos = fc.record({
    ...(Object.fromEntries(faultKinds.map((kind) => [kind, fc.constantFrom(0, 0, 30, 100)])) as Record<
      FaultKind,
      fc.Arbitrary<number>
    >),
    delay_seconds: fc.constantFrom(1, 10, 3600),
  });

  test('every event arrives in the end, rightly signed, and the health of its endpoint does not change', async () => {
    await fc.assert(
      fc.asyncProperty(
        chaos,
        fc.boolean(),
        fc.integer({ min: 1, max: 4 }),
        async (settings, isStrict, count) => {
          const scene = await meet(settings, isStrict ? strict : undefined);
          const events: string[] = [];
          for (let sequence = 1; sequence <= count; sequence++) {
            events.push(await scene.merchant.emit({ sequence }));
          }
          // A try and the one after it, which is left alone.
          for (let step = 0; step < 2; step++) {
            await due(scene);
            expect(await healthOf(scene)).toEqual({ status: 'active', failing_since: null });
            await advance(scene, 3600);
          }
          for (const eventId of events) {
            const [status, ...tries] = await logOf(eventId);
            expect(status).toBe('delivered');
            expect(tries.at(-1)).toBe('ok');
            for (const error of tries.slice(0, -1)) expect(error).toMatch(/^Chaos: /);
            const came = scene.receiver.got.filter(({ headers }) => headers['x-event-id'] === eventId);
            expect(verdictOf(came.at(-1)!, scene)).toEqual(rightlySigned);
            expect(came.every(({ raw }) => raw.equals(came[0]!.raw))).toBe(true);
          }
          // What met chaos is not counted either, and what was sent twice only once.
          expect(await countedOf(scene)).toEqual([{ delivered: true, attempts: count }]);
          await scene.receiver.close();
        },
      ),
      { numRuns: 10 },
    );
  });

  test('a receiver that fails has all its eleven tries all the same', async () => {
    const scene = await meet({ bad_signature: 100 }, (webhook, at) =>
      strict(webhook, at) === 200 ? 500 : 401,
    );
    const eventId = await scene.merchant.emit();
    // Never further than to the next try: after seven days of the test clock the endpoint would be turned off.
    for (let wait: number | null = 0; wait !== null; wait = await waitOf(eventId)) {
      await advance(scene, wait);
      await due(scene);
    }
    const [status, ...tries] = await logOf(eventId);
    expect(status).toBe('failed');
    expect(tries.filter((error) => error === 'Answered 500')).toHaveLength(11);
    expect((await healthOf(scene)).failing_since).not.toBeNull();
  });

  test('in live mode none is injected, even if the row says so', async () => {
    const scene = await meet({});
    const { keys } = scene.merchant;
    await world.db.query('ALTER TABLE webhook_endpoints DROP CONSTRAINT webhook_endpoints_chaos');
    await world.db.query(`UPDATE webhook_endpoints SET mode = 'live', chaos = $2 WHERE id = $1`, [
      scene.endpoint.id,
      { ...noChaos, drop: 100, bad_signature: 100 },
    ]);
    const eventId = await scene.merchant.emit({ mode: 'live' });
    const worker = world.worker();
    worker.start();
    await scene.receiver.reached(1);
    await worker.stop();
    const { raw, headers } = scene.receiver.got[0]!;
    expect(isSignedWith(keys.live, raw, headers['x-signature'])).toBe(true);
    expect(await logOf(eventId)).toEqual(['delivered', 'ok']);
  });
});

/** Seconds until the next try; null when there is none. */
async function waitOf(eventId: string): Promise<number | null> {
  const { rows } = await world.db.query<{ wait: number | null }>(
    `SELECT ceil(extract(epoch FROM next_attempt_at - now()))::integer AS wait
     FROM deliveries WHERE event_id = $1`,
    [eventId],
  );
  const { wait } = rows[0]!;
  return wait === null ? null : Math.max(wait, 0);
}

async function healthOf({ endpoint }: ChaosScene) {
  const { rows } = await world.db.query<{ status: string; failing_since: Date | null }>(
    'SELECT status, failing_since FROM webhook_endpoints WHERE id = $1',
    [endpoint.id],
  );
  return rows[0]!;
}

async function countedOf({ endpoint }: ChaosScene) {
  const { rows } = await world.db.query(
    'SELECT delivered, sum(attempts)::integer AS attempts FROM webhook_hours WHERE endpoint_id = $1 GROUP BY 1',
    [endpoint.id],
  );
  return rows;
}
