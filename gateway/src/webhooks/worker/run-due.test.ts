import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, startReceiver, type World } from '../../../test/webhooks/fixtures.ts';
import { runDue } from './run-due.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

test('whoever waits for what is due gets an answer in time, and the rest is tried without him', async () => {
  const held: ServerResponse[] = [];
  const receiver = await startReceiver((response) => void held.push(response));
  const merchant = await world.merchant();
  await merchant.endpoint(receiver.url);
  await merchant.emit();
  const worker = world.worker();
  worker.start();
  await receiver.reached(1);
  expect(await runDue(world.db, world.hints, merchant.id, 50)).toBe(0);
  for (const response of held) response.end('ok');
  expect(await runDue(world.db, world.hints, merchant.id)).toBeLessThanOrEqual(1);
  const { rows } = await world.db.query('SELECT status FROM deliveries WHERE integration_id = $1', [
    merchant.id,
  ]);
  expect(rows).toEqual([{ status: 'delivered' }]);
  await worker.stop();
  await receiver.close();
});
