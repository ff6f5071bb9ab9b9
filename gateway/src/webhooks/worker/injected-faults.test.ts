import { describe, expect, test } from 'vitest';
import {
  openChaos,
  rightlySigned,
  strict,
  verdictOf,
  wronglySigned,
} from '../../../test/webhooks/chaos-scene.ts';
import { transaction } from '../../kit/db/db.ts';
import { rollSecret } from '../endpoints/secrets.ts';

const { world, meet, advance, due, logOf } = await openChaos();

describe('a webhook that meets', () => {
  test('duplicate comes a second time right after it was taken, with the same bytes', async () => {
    const scene = await meet({ duplicate: 100 });
    const eventId = await scene.merchant.emit();
    await due(scene);
    await due(scene);
    expect(await logOf(eventId)).toEqual(['delivered', 'Chaos: it was taken, and is sent once more', 'ok']);
    const [first, second] = scene.receiver.got;
    expect(second!.raw.equals(first!.raw)).toBe(true);
    expect(scene.receiver.got.map((webhook) => verdictOf(webhook, scene))).toEqual([
      rightlySigned,
      rightlySigned,
    ]);
  });

  test('duplicate and fails is retried on the schedule alone', async () => {
    const scene = await meet({ duplicate: 100 }, () => 500);
    const eventId = await scene.merchant.emit();
    await due(scene);
    expect(await due(scene)).toBe(0);
    expect(await logOf(eventId)).toEqual(['pending', 'Answered 500']);
  });

  test('delay is held back, by the test clock', async () => {
    const scene = await meet({ delay: 100, delay_seconds: 600 });
    const eventId = await scene.merchant.emit();
    await due(scene);
    expect(scene.receiver.got).toEqual([]);
    await advance(scene, 300);
    expect(await due(scene)).toBe(0);
    await advance(scene, 300);
    expect(await due(scene)).toBe(1);
    expect(await logOf(eventId)).toEqual(['delivered', 'Chaos: held back for 600 s', 'ok']);
    expect(verdictOf(scene.receiver.got[0]!, scene)).toEqual(rightlySigned);
  });

  test('reorder is overtaken by the next event of its payment', async () => {
    const scene = await meet({ reorder: 100, delay_seconds: 300 });
    const first = await scene.merchant.emit({ sequence: 1 });
    await due(scene);
    const second = await scene.merchant.emit({ sequence: 2 });
    await due(scene);
    await advance(scene, 300);
    await due(scene);
    expect(scene.receiver.got.map(({ headers }) => headers['x-event-id'])).toEqual([second, first]);
    expect(await logOf(second)).toEqual(['delivered', 'ok']);
    expect(await logOf(first)).toEqual([
      'delivered',
      'Chaos: held back for 300 s, so that a later event may overtake it',
      'ok',
    ]);
  });

  test('drop is not sent, and is retried as after any failure', async () => {
    const scene = await meet({ drop: 100 });
    const eventId = await scene.merchant.emit();
    await due(scene);
    expect(scene.receiver.got).toEqual([]);
    await advance(scene, 20);
    expect(await due(scene)).toBe(0);
    await advance(scene, 40);
    expect(await due(scene)).toBe(1);
    expect(await logOf(eventId)).toEqual([
      'delivered',
      'Chaos: dropped, as if it were lost on the way',
      'ok',
    ]);
  });

  test('bad_signature is signed wrongly at first, and the right one follows', async () => {
    const scene = await meet({ bad_signature: 100 }, strict);
    const eventId = await scene.merchant.emit();
    await due(scene);
    await due(scene);
    expect(scene.receiver.got.map((webhook) => verdictOf(webhook, scene))).toEqual([
      wronglySigned,
      rightlySigned,
    ]);
    expect(await logOf(eventId)).toEqual(['delivered', 'Chaos: signed wrongly; Answered 401', 'ok']);
  });

  test('bad_signature and is taken nevertheless has not been delivered', async () => {
    const scene = await meet({ bad_signature: 100 });
    const eventId = await scene.merchant.emit();
    await due(scene);
    await due(scene);
    expect(await logOf(eventId)).toEqual([
      'delivered',
      'Chaos: the receiver accepted a wrong signature',
      'ok',
    ]);
  });

  test('stale_timestamp is rightly signed, but as of an hour ago', async () => {
    const scene = await meet({ stale_timestamp: 100 }, strict);
    const eventId = await scene.merchant.emit();
    await due(scene);
    await due(scene);
    expect(scene.receiver.got.map((webhook) => verdictOf(webhook, scene))).toEqual([
      { body: true, standard: 'Message timestamp too old' },
      rightlySigned,
    ]);
    const [stale, fresh] = scene.receiver.got.map(({ headers }) => BigInt(`${headers['webhook-timestamp']}`));
    expect(fresh! - stale!).toBeGreaterThanOrEqual(3600n);
    expect((await logOf(eventId))[1]).toBe('Chaos: signed with the time of an hour ago; Answered 401');
  });

  test('old_secret is signed with the secret before this one alone, also when it has ended', async () => {
    const scene = await meet({ old_secret: 100 }, strict);
    await transaction(world.db, (tx) =>
      rollSecret(tx, world, scene.endpoint.id, { overlapSeconds: 0, now: new Date() }),
    );
    const eventId = await scene.merchant.emit();
    await due(scene);
    await due(scene);
    const [old, right] = scene.receiver.got;
    // The receiver of this test still holds the old secret, and no longer takes what the new one signs.
    expect(verdictOf(old!, scene)).toEqual({ body: false, standard: 'good' });
    expect(verdictOf(right!, scene)).toEqual({ body: true, standard: 'No matching signature found' });
    expect(`${old!.headers['webhook-signature']}`.split(' ')).toHaveLength(1);
    expect(await logOf(eventId)).toEqual([
      'pending',
      'Chaos: the receiver accepted the old secret alone',
      'Answered 401',
    ]);
  });

  test('old_secret where there never was another is signed with one that never was', async () => {
    const scene = await meet({ old_secret: 100 }, strict);
    await scene.merchant.emit();
    await due(scene);
    await due(scene);
    expect(scene.receiver.got.map((webhook) => verdictOf(webhook, scene))).toEqual([
      wronglySigned,
      rightlySigned,
    ]);
  });

  test('a 410 to what was wrongly signed goes on', async () => {
    const scene = await meet({ bad_signature: 100 }, (webhook, at) =>
      strict(webhook, at) === 200 ? 200 : 410,
    );
    const eventId = await scene.merchant.emit();
    await due(scene);
    await due(scene);
    expect(await logOf(eventId)).toEqual(['delivered', 'Chaos: signed wrongly; Answered 410', 'ok']);
  });
});
