import { beforeAll, expect, test } from 'vitest';
import { createWorld, type Merchant, type World } from '../../../test/webhooks/fixtures.ts';
import type { Reader } from '../../kit/db/db.ts';
import { oneRow } from '../../kit/db/one-row.ts';
import type { EndpointId } from '../endpoints/endpoints.ts';
import { lastFailures } from '../endpoints/last-failure.ts';
import { waitingTestDeliveries } from '../events/waiting.ts';
import { type DeliveryName, findDelivery } from './delivery-detail.ts';
import { searchDeliveries } from './delivery-list.ts';
import { webhooksOfPayment } from './payment-events.ts';
import { failedDeliveries, queueState } from './queue.ts';

// A page's statement is planned each time, which must not go through what the purge has deleted.

const deleted = 30_000;
/** Pages of tables and indexes that planning one statement may read. What was deleted is on some hundred. */
const fewPages = 60;
let world: World;
let merchant: Merchant;
let one: DeliveryName;

beforeAll(async () => {
  world = await createWorld();
  merchant = await world.merchant();
  const endpoint = await merchant.endpoint('https://shop.example.com/hooks');
  const { rows: tables } = await world.db.query<{ name: string }>(
    `SELECT tree.relid AS name FROM unnest('{events,deliveries,delivery_attempts}'::regclass[]) AS t,
       pg_partition_tree(t) AS tree WHERE tree.isleaf UNION SELECT 'deliveries'`,
  );
  for (const { name } of tables) await world.db.query(`ALTER TABLE ${name} SET (autovacuum_enabled = off)`);
  for (let n = 0; n < 40; n++) await merchant.emit();
  const { rows } = await world.db.query<DeliveryName>(
    'SELECT endpoint_id AS endpoint, id AS delivery FROM deliveries LIMIT 1',
  );
  one = oneRow({ rows }, 'a delivery');
  await world.db.query(`CREATE TABLE many AS
    SELECT ('01000000-' || lpad(to_hex(n / 65536), 4, '0') || '-7' || lpad(to_hex(n % 4096), 3, '0') || '-8000-' ||
      lpad(to_hex(n), 12, '0'))::uuid AS id FROM generate_series(1, ${deleted}) n`);
  await insertDeliveries(endpoint.id, { count: deleted, status: 'delivered', attempts: 1 });
  await world.db.query(
    'INSERT INTO delivery_attempts (delivery_id, n, at, duration_ms) SELECT id, 1, now(), 1 FROM many',
  );
  await world.db.query(
    `INSERT INTO delivery_attempts (delivery_id, n, at, duration_ms) SELECT id, 1, now(), 1 FROM deliveries WHERE attempts = 0`,
  );
  await world.db.query('ANALYZE events, deliveries, delivery_attempts');
  for (const [table, id] of [
    ['events', 'id'],
    ['deliveries', 'id'],
    ['delivery_attempts', 'delivery_id'],
  ])
    await world.db.query(`DELETE FROM ${table} WHERE ${id} IN (SELECT id FROM many)`);
});

type Many = { count: number; status: string; attempts: number };

/** Old events, each with its delivery to the endpoint; their ids are the first of the table `many`. */
async function insertDeliveries(endpoint: string, { count, status, attempts }: Many): Promise<void> {
  await world.db.query(
    `INSERT INTO events (id, integration_id, mode, type, payment_id, payment_reference, sequence, body)
     SELECT m.id, e.integration_id, e.mode, e.type, e.payment_id, e.payment_reference, e.sequence, e.body
     FROM (SELECT * FROM many ORDER BY id LIMIT $1) m, (SELECT * FROM events LIMIT 1) e`,
    [count],
  );
  await world.db.query(
    `INSERT INTO deliveries (endpoint_id, id, event_id, integration_id, mode, status, attempts, next_attempt_at)
     SELECT $1, id, id, $2, 'test', $3, $4, NULL FROM many ORDER BY id LIMIT $5`,
    [endpoint, merchant.id, status, attempts, count],
  );
}

type Explained = [{ Planning: Record<'Shared Hit Blocks' | 'Shared Read Blocks', number> }];

/** The pages that planning each statement of `work` reads, by the server's own account. */
async function planned(work: (reader: Reader) => Promise<unknown>): Promise<number[]> {
  const pages: number[] = [];
  const query = async (asked: string | { text: string; values: unknown[] }, given?: unknown[]) => {
    const { text, values } = typeof asked === 'string' ? { text: asked, values: given } : asked;
    // The first time a connection reads the catalogue as well.
    for (const _ of [1, 2]) {
      const { rows } = await world.db.query<{ 'QUERY PLAN': Explained }>(
        `EXPLAIN (BUFFERS, FORMAT JSON) ${text}`,
        values,
      );
      const [{ Planning: planning }] = (rows[0] as { 'QUERY PLAN': Explained })['QUERY PLAN'];
      pages.push(planning['Shared Hit Blocks'] + planning['Shared Read Blocks']);
    }
    return await world.db.query(text, values);
  };
  await work({ query } as unknown as Reader);
  return pages.filter((_, index) => index % 2 === 1);
}

const owner = () => ({ integrationId: merchant.id, mode: 'test' as const });

test.each<[string, (reader: Reader) => Promise<unknown>]>([
  ['the list of deliveries', (reader) => searchDeliveries(reader, owner(), {}, { limit: 20 })],
  ['those that failed', (reader) => searchDeliveries(reader, owner(), { status: 'failed' }, { limit: 20 })],
  [
    'those of one type',
    (reader) => searchDeliveries(reader, owner(), { type: 'payment_completed' }, { limit: 20 }),
  ],
  ['those that an operator sees', (reader) => failedDeliveries(reader, { before: null, limit: 20 })],
  ['the state of the queue', (reader) => queueState(reader)],
  ['one delivery', (reader) => findDelivery(reader, owner(), one)],
  ["an endpoint's last failure", (reader) => lastFailures(reader, [one.endpoint as EndpointId])],
  ['the webhooks of a payment', (reader) => webhooksOfPayment(reader, owner(), 'PAY_1')],
  ['those that the test clock waits for', (reader) => waitingTestDeliveries(reader, merchant.id, 20)],
])('%s: planned without reading what was deleted', async (_, work) => {
  expect(Math.max(...(await planned(work)))).toBeLessThan(fewPages);
});

test('a page of what failed reads a page of it, also where endpoints were never counted', async () => {
  await insertDeliveries(one.endpoint, { count: 3_000, status: 'failed', attempts: 0 });
  await world.db.query('ANALYZE events, deliveries, delivery_attempts');
  const limit = 51;
  let pages = 0;
  const query = async ({ text, values }: { text: string; values: unknown[] }) => {
    type Ran = { 'QUERY PLAN': [{ Plan: Record<'Shared Hit Blocks' | 'Shared Read Blocks', number> }] };
    const { rows } = await world.db.query<Ran>(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, values);
    const [{ Plan: plan }] = oneRow({ rows }, 'plan')['QUERY PLAN'];
    pages += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
    return await world.db.query(text, values);
  };
  const found = await failedDeliveries({ query } as unknown as Reader, { before: null, limit });
  expect(found).toHaveLength(limit);
  // Some pages of each of five indexes and tables, for each delivery.
  expect(pages).toBeLessThan(limit * 20);
});
