import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { isSignedWith } from '../../test/receiver.ts';
import { transaction } from '../kit/db.ts';
import { type Chaos, type ChaosKind, chaosKinds, noChaos } from './chaos.ts';
import {
  createWorld,
  type Merchant,
  type Received,
  type Receiver,
  startReceiver,
  type World,
} from './fixtures.ts';
import { rollSecret, setChaos, shiftTestDeliveries } from './service.ts';

// Chaos against a real receiver, which verifies both signatures.

let world: World;
const receivers: Receiver[] = [];

beforeAll(async () => {
  world = await createWorld();
});
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
});
afterAll(() => world.close());

type Scene = {
  merchant: Merchant;
  receiver: Receiver;
  endpoint: Awaited<ReturnType<Merchant['endpoint']>>;
  secret: string;
};

/** A merchant whose endpoint meets `chaos`, and answers what `answer` says of a webhook. */
async function meet(chaos: Partial<Chaos>, answer: (webhook: Received, scene: Scene) => number = () => 200) {
  const merchant = await world.merchant();
  const receiver = await startReceiver((response, webhook) => {
    response.writeHead(answer(webhook, scene)).end();
  });
  receivers.push(receiver);
  const endpoint = await merchant.endpoint(receiver.url);
  const scene: Scene = { merchant, receiver, endpoint, secret: endpoint.secret };
  await transaction(world.db, (tx) => setChaos(tx, endpoint.id, { ...noChaos, ...chaos }, new Date()));
  return scene;
}

const advance = ({ merchant }: Scene, seconds: number) =>
  transaction(world.db, (tx) => shiftTestDeliveries(tx, merchant.id, seconds));

const due = ({ merchant }: Scene) => world.runDue(merchant);

/** The delivery's status, and what each try came to. */
async function logOf(eventId: string): Promise<string[]> {
  const { rows } = await world.db.query<{ status: string; tries: string[] }>(
    `SELECT status, ARRAY(SELECT coalesce(error, 'ok') FROM delivery_attempts WHERE delivery_id = d.id ORDER BY n) AS tries
     FROM deliveries d WHERE event_id = $1`,
    [eventId],
  );
  return [rows[0]!.status, ...rows[0]!.tries];
}

function verdictOf({ raw, headers }: Received, { merchant, secret }: Scene) {
  let standard = 'good';
  try {
    new Webhook(secret).verify(raw, headers as Record<string, string>);
  } catch (error) {
    standard = (error as Error).message;
  }
  return { body: isSignedWith(merchant.keys.test, raw, headers['x-signature']), standard };
}

const strict = (webhook: Received, scene: Scene): number =>
  verdictOf(webhook, scene).standard === 'good' ? 200 : 401;

const good = { body: true, standard: 'good' };
const wrong = { body: false, standard: 'No matching signature found' };

describe('a webhook that meets', () => {
  test('duplicate comes a second time right after it was taken, with the same bytes', async () => {
    const scene = await meet({ duplicate: 100 });
    const eventId = await scene.merchant.emit();
    expect(await due(scene)).toBe(1);
    expect(await due(scene)).toBe(1);
    expect(await due(scene)).toBe(0);
    expect(await logOf(eventId)).toEqual(['delivered', 'Chaos: it was taken, and is sent once more', 'ok']);
    const [first, second] = scene.receiver.got;
    expect(second!.raw.equals(first!.raw)).toBe(true);
    expect(scene.receiver.got.map((webhook) => verdictOf(webhook, scene))).toEqual([good, good]);
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
    expect(verdictOf(scene.receiver.got[0]!, scene)).toEqual(good);
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
    expect(scene.receiver.got.map((webhook) => verdictOf(webhook, scene))).toEqual([wrong, good]);
    expect(await logOf(eventId)).toEqual(['delivered', 'Chaos: signed wrongly; Answered 401', 'ok']);
  });

  test('bad_signature and is taken nevertheless has not been delivered', async () => {
    const scene = await meet({ bad_signature: 100 });
    const eventId = await scene.merchant.emit();
    await due(scene);
    expect(await logOf(eventId)).toEqual(['pending', 'Chaos: the receiver accepted a wrong signature']);
    await due(scene);
    expect((await logOf(eventId))[0]).toBe('delivered');
  });

  test('stale_timestamp is rightly signed, but as of an hour ago', async () => {
    const scene = await meet({ stale_timestamp: 100 }, strict);
    const eventId = await scene.merchant.emit();
    await due(scene);
    await due(scene);
    expect(scene.receiver.got.map((webhook) => verdictOf(webhook, scene))).toEqual([
      { body: true, standard: 'Message timestamp too old' },
      good,
    ]);
    const [stale, fresh] = scene.receiver.got.map(({ headers }) => BigInt(`${headers['webhook-timestamp']}`));
    expect(fresh! - stale!).toBeGreaterThanOrEqual(3600n);
    expect((await logOf(eventId))[1]).toBe('Chaos: signed with the time of an hour ago; Answered 401');
  });

  test('old_secret is signed with the secret before this one alone, also when it has ended', async () => {
    const scene = await meet({ old_secret: 100 }, strict);
    await transaction(world.db, (tx) => rollSecret(tx, world.seal, scene.endpoint.id, 0, new Date()));
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
    expect(scene.receiver.got.map((webhook) => verdictOf(webhook, scene))).toEqual([wrong, good]);
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

describe('whatever goes wrong', () => {
  const chaos = fc.record({
    ...(Object.fromEntries(chaosKinds.map((kind) => [kind, fc.constantFrom(0, 0, 30, 100)])) as Record<
      ChaosKind,
      fc.Arbitrary<number>
    >),
    delay_seconds: fc.constantFrom(1, 10, 3600),
  });

  test('every event arrives at last, rightly signed, and its endpoint is no worse for it', async () => {
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
            expect(verdictOf(came.at(-1)!, scene)).toEqual(good);
            expect(came.every(({ raw }) => raw.equals(came[0]!.raw))).toBe(true);
          }
          // What met chaos is not counted either, and what was sent twice only once.
          expect(await countedOf(scene)).toEqual([{ delivered: true, attempts: count }]);
          await scene.receiver.close();
        },
      ),
      { numRuns: 15 },
    );
  });

  test('a receiver that fails has all its eleven tries all the same', async () => {
    const scene = await meet({ bad_signature: 100 }, (webhook, at) =>
      strict(webhook, at) === 200 ? 500 : 401,
    );
    const eventId = await scene.merchant.emit();
    while ((await due(scene)) > 0) await advance(scene, 2 * 24 * 3600);
    const [status, ...tries] = await logOf(eventId);
    expect(status).toBe('failed');
    expect(tries.filter((error) => error === 'Answered 500')).toHaveLength(11);
    expect((await healthOf(scene)).failing_since).not.toBeNull();
  });

  test('in live mode nothing does, even if the row says so', async () => {
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

async function healthOf({ endpoint }: Scene) {
  const { rows } = await world.db.query<{ status: string; failing_since: Date | null }>(
    'SELECT status, failing_since FROM webhook_endpoints WHERE id = $1',
    [endpoint.id],
  );
  return rows[0]!;
}

async function countedOf({ endpoint }: Scene) {
  const { rows } = await world.db.query(
    'SELECT delivered, sum(attempts)::integer AS attempts FROM webhook_hours WHERE endpoint_id = $1 GROUP BY 1',
    [endpoint.id],
  );
  return rows;
}
