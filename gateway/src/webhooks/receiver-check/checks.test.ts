import { pino } from 'pino';
import { expect, test } from 'vitest';
import { ok, startReceiver } from '../../../../receiver-check/test/fixtures.ts';
import { createWorld } from '../../../test/webhooks/fixtures.ts';
import { transaction } from '../../kit/db/db.ts';
import { deleteEndpoint } from '../endpoints/endpoints.ts';
import { createReceiverChecks, type ReceiverChecks } from './checks.ts';
import { listChecks } from './store.ts';

const world = await createWorld();
const merchant = await world.merchant();

const now = () => new Date();

function createChecks() {
  return createReceiverChecks({
    ...world,
    now,
    log: pino({ level: 'silent' }),
    allowPrivate: false,
    isLocal: false,
  });
}

async function begin(checks: ReceiverChecks, url: string) {
  const endpoint = await merchant.endpoint(url);
  const owner = { integrationId: merchant.id, mode: 'test' as const };
  const start = async () => await transaction(world.db, (tx) => checks.begin(tx, owner, endpoint.id));
  const { id } = (await start()).data;
  return { endpoint, start, look: () => checks.find(owner, endpoint.id, id) };
}

test('a gateway that ends stops its checks at once, and says so', async () => {
  const checks = createChecks();
  let reached = (): void => {};
  const isReached = new Promise<void>((resolve) => (reached = resolve));
  const url = await startReceiver(() => {
    reached();
    return new Promise(() => {});
  });
  const { start, look } = await begin(checks, url);
  await isReached;
  expect((await look()).status).toBe('running');
  await checks.stop();
  expect(await look()).toMatchObject({ status: 'stopped', rules: [] });
  expect((await start()).data.status).toBe('running');
  await checks.stop();
});

test('a receiver whose address leads out of reach is not connected to', async () => {
  const checks = createChecks();
  let requests = 0;
  const url = await startReceiver(() => {
    requests += 1;
    return ok;
  });
  await world.db.query('UPDATE integrations SET allow_private_webhooks = false WHERE id = $1', [merchant.id]);
  const { look } = await begin(checks, url);
  await expect.poll(async () => (await look()).status).toBe('done');
  await world.db.query('UPDATE integrations SET allow_private_webhooks = true WHERE id = $1', [merchant.id]);
  const { diagnosis } = await look();
  expect(diagnosis?.evidence).toContain('not on the public internet');
  expect(diagnosis?.fix).toContain('florin check-webhook');
  expect(requests).toBe(0);
  await checks.stop();
});

test('removing an endpoint removes its checks', async () => {
  const checks = createChecks();
  const { endpoint } = await begin(checks, 'http://127.0.0.1:9/');
  await transaction(world.db, (tx) => deleteEndpoint(tx, world.hints, endpoint.id, now()));
  expect(await listChecks(world.db, endpoint)).toEqual([]);
  await checks.stop();
});
