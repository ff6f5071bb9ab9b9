import { setImmediate as turn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { type EndpointQueue, readFromMs, roomIn } from './endpoint-queue.ts';
import { createEndpointQueues, type EndpointQueues } from './endpoint-queues.ts';
import type { HeldEndpoint } from './leases.ts';
import type { DueDelivery } from './sql.ts';
import type { Target } from './target.ts';

let made = 0;

function deliveries(endpointId: string, count: number): DueDelivery[] {
  return Array.from({ length: count }, () => {
    made += 1;
    const ids = { id: `delivery ${made}`, event_id: `event ${made}`, subject_id: `payment ${made}` };
    return {
      ...ids,
      endpoint_id: endpointId,
      attempts: 0,
      sequence: 1,
      body: '{}',
      is_sample: false,
      due_ms: 0,
    };
  });
}

type Send = { delivery: DueDelivery; end: (durationMs: number) => Promise<void> };

/** Queues whose sends stay under way until they are ended by hand. */
function heldQueues(concurrency = 8, failingConcurrency = 2) {
  const underway: Send[] = [];
  let maySend = true;
  const queues = createEndpointQueues({
    concurrency,
    failingConcurrency,
    slowConcurrency: 3,
    endpointConcurrency: 6,
    maySend: () => maySend,
    onLow: () => {},
    send: (delivery) =>
      new Promise((resolve) => {
        const entry: Send = {
          delivery,
          async end(durationMs) {
            underway.splice(underway.indexOf(entry), 1);
            resolve({ durationMs, recorded: Promise.resolve() });
            await turn();
          },
        };
        underway.push(entry);
      }),
  });
  const at = (endpointId: string) => underway.filter(({ delivery }) => delivery.endpoint_id === endpointId);
  const allow = (may: boolean): void => {
    maySend = may;
    queues.serve();
  };
  return { queues, underway, at, allow };
}

function hold(queues: EndpointQueues, endpointId: string): EndpointQueue {
  queues.hold([{ endpoint_id: endpointId } as HeldEndpoint]);
  return queues.get(endpointId)!;
}

function add(queues: EndpointQueues, endpointId: string, count: number, failing = false): number {
  const queued = queues.add(hold(queues, endpointId), { failing } as Target, deliveries(endpointId, count));
  queues.serve();
  return queued;
}

test('an endpoint begins with four sends at once, and quick answers raise that up to its limit', async () => {
  const { queues, at } = heldQueues();
  add(queues, 'a', 20);
  expect(at('a')).toHaveLength(4);
  await at('a')[0]!.end(5);
  expect(at('a')).toHaveLength(5);
  await at('a')[0]!.end(5);
  await at('a')[0]!.end(5);
  expect(at('a')).toHaveLength(6);
});

test('an endpoint whose answer took more than a second falls back to one send at a time', async () => {
  const { queues, at } = heldQueues();
  add(queues, 'a', 20);
  for (let count = 0; count < 4; count++) await at('a')[0]!.end(5_000);
  expect(at('a')).toHaveLength(1);
});

test('a slow endpoint is given little more to queue', async () => {
  const { queues, at } = heldQueues();
  add(queues, 'quick', 4);
  add(queues, 'slow', 4);
  while (at('quick').length > 0) await at('quick')[0]!.end(1);
  while (at('slow').length > 0) await at('slow')[0]!.end(5_000);
  expect(roomIn(queues.get('quick'))).toBeGreaterThan(50);
  expect(roomIn(queues.get('slow'))).toBe(1);
});

test('endpoints take turns, so that a long queue delays no other', async () => {
  const { queues, underway, at } = heldQueues(4);
  add(queues, 'long', 30);
  add(queues, 'short', 1);
  await underway[0]!.end(1);
  expect(at('short')).toHaveLength(1);
});

test('failing endpoints have slots of their own, and take none of the others', () => {
  const { queues, underway, at } = heldQueues(4, 2);
  for (const name of ['f1', 'f2', 'f3']) add(queues, name, 3, true);
  expect(underway).toHaveLength(2);
  add(queues, 'healthy', 3);
  expect(at('healthy')).toHaveLength(3);
  expect([queues.size(true), queues.size(false)]).toEqual([6, 3]);
});

test('endpoints that answer slowly have slots of their own, and take none of the others', async () => {
  const { queues, underway, at } = heldQueues(4);
  for (const name of ['s1', 's2', 's3', 's4']) {
    add(queues, name, 1);
    await at(name)[0]!.end(4_900);
  }
  for (const name of ['s1', 's2', 's3', 's4']) add(queues, name, 2);
  expect(underway).toHaveLength(3);
  add(queues, 'healthy', 3);
  expect(at('healthy')).toHaveLength(3);
  expect(queues.size(false)).toBe(11);
});

test('an endpoint that answered slowly is not forgotten as soon as others', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { queues, at } = heldQueues();
  for (const [name, durationMs] of [
    ['quick', 5],
    ['slow', 4_900],
  ] as const) {
    add(queues, name, 1);
    await at(name)[0]!.end(durationMs);
  }
  vi.advanceTimersByTime(5_000);
  expect(queues.takeIdle()).toEqual(['quick']);
  vi.advanceTimersByTime(600_000);
  expect(queues.takeIdle()).toEqual(['slow']);
  vi.useRealTimers();
});

test('an endpoint that fails is sent one at a time, and little of it is queued', () => {
  const { queues, at } = heldQueues();
  expect(add(queues, 'a', 20, true)).toBe(2);
  expect(at('a')).toHaveLength(1);
});

test('an endpoint that begins to fail while it has a queue goes on being served', async () => {
  const { queues, at } = heldQueues();
  add(queues, 'a', 4);
  add(queues, 'a', 4, true);
  while (at('a').length > 0) await at('a')[0]!.end(2_000);
  expect([queues.size(true), queues.size(false)]).toEqual([0, 0]);
});

test('an endpoint that is to be left is idle as soon as what is under way has ended', async () => {
  const { queues, at } = heldQueues();
  add(queues, 'a', 10);
  const queue = hold(queues, 'a');
  queues.drop(queue);
  queue.isLeaving = true;
  expect(queues.takeIdle()).toEqual([]);
  while (at('a').length > 0) await at('a')[0]!.end(1);
  expect([queues.takeIdle(), queues.get('a')]).toEqual([['a'], undefined]);
});

test('nothing is sent while a lease may have run out', () => {
  const { queues, underway, allow } = heldQueues();
  allow(false);
  add(queues, 'a', 2);
  expect(underway).toHaveLength(0);
  allow(true);
  expect(underway).toHaveLength(2);
});

test('when the leases are lost, only what is under way stays in hand', () => {
  const { queues, at } = heldQueues();
  add(queues, 'a', 10);
  queues.lose();
  expect(queues.get('a')?.isLost).toBe(true);
  expect([...queues.get('a')!.inHand.keys()]).toEqual(at('a').map(({ delivery }) => delivery.id));
  expect(queues.size(false)).toBe(4);
  add(queues, 'a', 1);
  expect(queues.get('a')?.isLost).toBe(false);
});

test('draining forgets what is queued and waits for what is under way', async () => {
  const { queues, underway } = heldQueues();
  add(queues, 'a', 10);
  let drained = false;
  const draining = queues.drain().then((endpoints) => {
    drained = true;
    return endpoints;
  });
  await turn();
  expect(drained).toBe(false);
  while (underway.length > 0) await underway[0]!.end(1);
  expect(await draining).toEqual(['a']);
});

test('first attempts of one payment go one after the other, and others do not wait for them', async () => {
  const { queues, underway } = heldQueues();
  const [first, third, second, other, retry] = deliveries('a', 5);
  queues.add(hold(queues, 'a'), { failing: false } as Target, [
    { ...first!, subject_id: 'p', sequence: 1 },
    { ...third!, subject_id: 'p', sequence: 3 },
    { ...second!, subject_id: 'p', sequence: 2 },
    other!,
    { ...retry!, subject_id: 'p', sequence: 0, attempts: 1 },
  ]);
  queues.serve();
  const going = () => underway.map(({ delivery }) => delivery.id);
  expect(going()).toEqual([first!.id, other!.id, retry!.id]);
  await underway[0]!.end(1);
  expect(going()).toContain(second!.id);
  expect(going()).not.toContain(third!.id);
  await underway.find(({ delivery }) => delivery.id === second!.id)!.end(1);
  expect(going()).toContain(third!.id);
});

test('a queue is read on from where it was read to, and from its beginning when something was dropped', () => {
  const { queues } = heldQueues();
  add(queues, 'a', 4);
  const queue = hold(queues, 'a');
  expect(readFromMs(queue)).toBe(0);
  queue.readToMs = 1_000;
  expect(readFromMs(queue)).toBe(1_000);
  queues.drop(queue);
  expect(readFromMs(queue)).toBe(0);
});
