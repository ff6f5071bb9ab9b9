import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { createWorld, startReceiver } from '../../../test/webhooks/fixtures.ts';
import { createAttemptTimer } from './metrics.ts';

const world = await createWorld();

test('each attempt that was sent is timed by its outcome, and one that could not be sent is not', async () => {
  const registry = new Registry();
  const timer = createAttemptTimer();
  timer.register(registry);
  const worker = world.worker({ onSent: timer.observe });
  const well = await startReceiver();
  const down = await startReceiver((response) => void response.writeHead(500).end());
  const merchant = await world.merchant();
  await merchant.endpoint(well.url);
  await merchant.endpoint(down.url);
  const { id: gone } = await merchant.endpoint(well.url);
  await merchant.emit();
  await world.db.query('UPDATE webhook_endpoints SET deleted_at = now() WHERE id = $1', [gone]);
  await worker.takeOver(merchant.id, (sendDue) => sendDue());
  const lines = (await registry.metrics()).split('\n').filter((line) => /_count\{/.test(line));
  expect(lines.sort()).toEqual([
    'florin_webhook_attempt_seconds_count{outcome="delivered"} 1',
    'florin_webhook_attempt_seconds_count{outcome="failed"} 1',
  ]);
});
