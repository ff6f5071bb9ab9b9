import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { createWorld, type Merchant, type World } from '../../../test/webhooks/fixtures.ts';
import type { Endpoint } from '../endpoints/endpoints.ts';
import {
  type DeliveryFilter,
  type ListedDelivery,
  type SearchBounds,
  searchDeliveries,
} from './delivery-list.ts';

let world: World;
let merchant: Merchant;
let endpoints: Endpoint[];
let all: ListedDelivery[];

const types = ['payment_completed', 'payment_failed', 'payment_abandoned'] as const;
const statuses = ['pending', 'delivered', 'failed'] as const;
const start = Date.parse('2026-03-01T12:00:00Z');

beforeAll(async () => {
  world = await createWorld();
  merchant = await world.merchant();
  endpoints = [
    await merchant.endpoint('https://one.example.com/'),
    await merchant.endpoint('https://two.example.com/', ['payment_failed']),
  ];
  for (let n = 0; n < 60; n++) {
    await merchant.emit({ type: types[n % 3]!, at: new Date(start + n * 1000) });
  }
  for (const [n, status] of statuses.entries()) {
    await world.db.query(
      `UPDATE deliveries SET status = $1, next_attempt_at = CASE WHEN $1 = 'pending' THEN now() END
       WHERE hashtext(id::text) & 3 = $2`,
      [status, n],
    );
  }
  const other = await world.merchant();
  await other.endpoint('https://other.example.com/');
  await other.emit();
  all = await pagesOf({}, 100);
});

const owner = () => ({ integrationId: merchant.id, mode: 'test' as const });

async function pagesOf(
  filter: DeliveryFilter,
  limit: number,
  bounds?: SearchBounds,
): Promise<ListedDelivery[]> {
  const items: ListedDelivery[] = [];
  let cursor: string | null = null;
  do {
    const page: { cursor?: string; limit: number } = cursor === null ? { limit } : { limit, cursor };
    const answer = await searchDeliveries(world.db, owner(), filter, bounds ? { ...page, bounds } : page);
    expect(answer.items.length).toBeLessThanOrEqual(limit);
    items.push(...answer.items);
    cursor = answer.next_cursor;
  } while (cursor !== null);
  return items;
}

function passes({ endpoint, status, type, reference, since, until }: DeliveryFilter, each: ListedDelivery) {
  const made = Number.parseInt(each.id.replace('-', '').slice(0, 12), 16);
  return (
    (endpoint === undefined || each.endpoint.id === endpoint) &&
    (status === undefined || each.status === status) &&
    (type === undefined || each.event.type === type) &&
    (reference === undefined || each.event.payment_reference === reference) &&
    (since === undefined || made >= since.getTime()) &&
    (until === undefined || made < until.getTime())
  );
}

test('every delivery of the owner, and of no other, is listed once, the newest first', () => {
  expect(all).toHaveLength(80);
  const ids = all.map(({ id }) => id);
  expect(ids).toEqual(ids.toSorted().toReversed());
});

test.each([
  ['little there is', undefined],
  ['much there is', { fewEvents: 2, fewPending: 2, scannedAPage: 8 }],
])('any filter, in pages of any size, lists exactly what passes it, however %s', async (_, bounds) => {
  const moment = fc.option(
    fc.integer({ min: -5, max: 65 }).map((n) => new Date(start + n * 1000)),
    { nil: undefined },
  );
  const filters = fc.record({
    endpoint: fc.constantFrom(undefined, ...endpoints.map(({ id }) => id)),
    status: fc.constantFrom(undefined, ...statuses),
    type: fc.constantFrom(undefined, ...types, 'payment_refunded' as const),
    reference: fc.oneof(
      { weight: 4, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constantFrom(...all.map((each) => each.event.payment_reference)) },
    ),
    since: moment,
    until: moment,
  });
  await fc.assert(
    fc.asyncProperty(filters, fc.integer({ min: 1, max: 20 }), async (given, limit) => {
      const filter = JSON.parse(JSON.stringify(given)) as DeliveryFilter;
      if (given.since) filter.since = given.since;
      if (given.until) filter.until = given.until;
      const expected = all.filter((each) => passes(filter, each)).map(({ id }) => id);
      expect((await pagesOf(filter, limit, bounds)).map(({ id }) => id)).toEqual(expected);
    }),
    { numRuns: 60, seed: 11 },
  );
});

test("another owner's endpoint lists nothing", async () => {
  const stranger = await world.merchant();
  const { id } = await stranger.endpoint('https://stranger.example.com/');
  await stranger.emit();
  expect(await pagesOf({ endpoint: id }, 10)).toEqual([]);
});
