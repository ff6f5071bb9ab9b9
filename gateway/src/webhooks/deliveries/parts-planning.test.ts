import { beforeAll, expect, test } from 'vitest';
import { createWorld, type Merchant, type World } from '../../../test/webhooks/fixtures.ts';
import type { Reader } from '../../kit/db/db.ts';
import { oneRow } from '../../kit/db/one-row.ts';
import type { EndpointId } from '../endpoints/endpoints.ts';
import { lastFailures } from '../endpoints/last-failure.ts';
import { lastNoticeResults } from '../endpoints/notice-endpoints.ts';
import { readDue } from '../worker/sql.ts';
import { type DeliveryName, findDelivery } from './delivery-detail.ts';
import { searchDeliveries } from './delivery-list.ts';
import { findAttempt, latestAttempts } from './invoice-deliveries.ts';
import { webhooksOfPayment } from './payment-events.ts';
import { failedDeliveries } from './queue.ts';

// A plan that was made while a part of a table was empty is kept when the part has filled: it must look each row up.

let world: World;
let merchant: Merchant;
let one: DeliveryName;

beforeAll(async () => {
  world = await createWorld();
  merchant = await world.merchant();
  await merchant.endpoint('https://shop.example.com/hooks');
  await merchant.emit();
  const found = 'SELECT endpoint_id AS endpoint, id AS delivery FROM deliveries';
  one = oneRow(await world.db.query<DeliveryName>(found), 'a delivery');
  // Empty parts are known to be empty.
  await world.db.query('VACUUM ANALYZE');
});

type Node = {
  'Relation Name'?: string;
  'Index Cond'?: string;
  Plans?: Node[];
};
const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** The parts of events and attempts that a statement would read from end to end. */
async function readWhole(work: (reader: Reader) => Promise<unknown>): Promise<string[]> {
  const whole: string[] = [];
  const query = async (asked: string | { text: string; values: unknown[] }, given?: unknown[]) => {
    const { text, values } = typeof asked === 'string' ? { text: asked, values: given } : asked;
    type Planned = { 'QUERY PLAN': [{ Plan: Node }] };
    const { rows } = await world.db.query<Planned>(`EXPLAIN (FORMAT JSON) ${text}`, values);
    for (const node of nodesOf(oneRow({ rows }, 'plan')['QUERY PLAN'][0].Plan)) {
      const name = node['Relation Name'] ?? '';
      if (/^(?:events|delivery_attempts)_/.test(name) && !node['Index Cond']) whole.push(name);
    }
    return await world.db.query(text, values);
  };
  await work({ query } as unknown as Reader);
  return whole;
}

const owner = () => ({ integrationId: merchant.id, mode: 'test' as const });
const endpoint = () => one.endpoint as EndpointId;
const attempt = () => ({ id: one.delivery, attempts: 0 });

test.each<[string, (reader: Reader) => Promise<unknown>]>([
  ['what is due', (reader) => readDue(reader, [{ endpointId: one.endpoint, room: 10, fromMs: 0 }], [])],
  ['the list of deliveries', (reader) => searchDeliveries(reader, owner(), {}, { limit: 20 })],
  ['those that an operator sees', (reader) => failedDeliveries(reader, { before: null, limit: 20 })],
  ['one delivery', (reader) => findDelivery(reader, owner(), one)],
  ["an endpoint's last failure", (reader) => lastFailures(reader, [endpoint()])],
  ['what became of a notice', (reader) => lastNoticeResults(reader, [endpoint()])],
  ['the attempts at an endpoint', (reader) => latestAttempts(reader, endpoint(), 20)],
  ['one attempt', (reader) => findAttempt(reader, endpoint(), attempt())],
  ['the webhooks of a payment', (reader) => webhooksOfPayment(reader, owner(), 'PAY_1')],
])('%s: looked up in each part', async (_, work) => {
  expect(await readWhole(work)).toEqual([]);
});
