import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { ClaimedDelivery } from './claim.ts';
import { createLanes, type Job } from './lanes.ts';

const never = Number.POSITIVE_INFINITY;

function jobs(endpointId: string, count: number, { failing = false, sendBy = never } = {}): Job[] {
  return Array.from({ length: count }, () => ({
    delivery: { endpoint_id: endpointId, failing } as ClaimedDelivery,
    target: {} as Job['target'],
    sendBy,
  }));
}

/** Lanes whose sends stay under way until they are ended by hand. */
function heldLanes(concurrency = 8, failingConcurrency = 2) {
  const underway: { endpointId: string; end: (durationMs: number) => Promise<void> }[] = [];
  const released: string[] = [];
  const lanes = createLanes({
    concurrency,
    failingConcurrency,
    endpointConcurrency: 6,
    onLow: () => {},
    release: async ({ endpoint_id }) => void released.push(endpoint_id),
    send: ({ delivery }) =>
      new Promise((resolve) => {
        const entry = {
          endpointId: delivery.endpoint_id,
          async end(durationMs: number) {
            underway.splice(underway.indexOf(entry), 1);
            resolve({ durationMs, recorded: Promise.resolve() });
            await turn();
          },
        };
        underway.push(entry);
      }),
  });
  const at = (endpointId: string) => underway.filter((entry) => entry.endpointId === endpointId);
  return { lanes, underway, released, at };
}

test('an endpoint begins with four sends at once, and earns more by quick answers up to its limit', async () => {
  const { lanes, at } = heldLanes();
  lanes.add(jobs('a', 20));
  expect(at('a')).toHaveLength(4);
  await at('a')[0]!.end(5);
  expect(at('a')).toHaveLength(5);
  await at('a')[0]!.end(5);
  await at('a')[0]!.end(5);
  expect(at('a')).toHaveLength(6);
});

test('an endpoint whose answer took more than a second falls back to one send at a time', async () => {
  const { lanes, at } = heldLanes();
  lanes.add(jobs('a', 20));
  for (let count = 0; count < 4; count++) await at('a')[0]!.end(5_000);
  expect(at('a')).toHaveLength(1);
});

test('a slow endpoint is given little more to queue', async () => {
  const { lanes, at } = heldLanes();
  lanes.add(jobs('quick', 4));
  lanes.add(jobs('slow', 4));
  while (at('quick').length > 0) await at('quick')[0]!.end(1);
  while (at('slow').length > 0) await at('slow')[0]!.end(5_000);
  expect(lanes.rooms().get('quick')).toBeGreaterThan(50);
  expect(lanes.rooms().get('slow')).toBe(1);
});

test('endpoints take turns, so that a long queue delays nobody', () => {
  const { lanes, underway } = heldLanes(4);
  lanes.add([...jobs('long', 100), ...jobs('short', 1)]);
  expect(underway.map(({ endpointId }) => endpointId)).toContain('short');
});

test('failing endpoints have slots of their own and take none of the others', () => {
  const { lanes, underway, at } = heldLanes(4, 2);
  for (const name of ['f1', 'f2', 'f3']) lanes.add(jobs(name, 3, { failing: true }));
  expect(underway).toHaveLength(2);
  lanes.add(jobs('healthy', 3));
  expect(at('healthy')).toHaveLength(3);
});

test('an endpoint that begins to fail while it has a queue goes on being served', async () => {
  const { lanes, at } = heldLanes();
  lanes.add(jobs('a', 4));
  lanes.add(jobs('a', 4, { failing: true }));
  while (at('a').length > 0) await at('a')[0]!.end(2_000);
  expect(lanes.size()).toBe(0);
});

test('what could not be sent in time is given back', async () => {
  const { lanes, underway, released } = heldLanes();
  lanes.add(jobs('a', 2, { sendBy: 0 }));
  await turn();
  expect(underway).toHaveLength(0);
  expect(released).toEqual(['a', 'a']);
  expect(lanes.size()).toBe(0);
});

test('draining gives back what is queued and waits for what is under way', async () => {
  const { lanes, underway, released } = heldLanes();
  lanes.add(jobs('a', 10));
  let drained = false;
  const draining = lanes.drain().then(() => {
    drained = true;
  });
  await turn();
  expect(released).toHaveLength(6);
  expect(drained).toBe(false);
  while (underway.length > 0) await underway[0]!.end(1);
  await draining;
});
