import type { ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { createWorld, eventOf, type Received, startReceiver } from '../../../test/webhooks/fixtures.ts';
import { transaction } from '../../kit/db/db.ts';
import { endpointSecret } from '../endpoints/endpoints.ts';
import { rollSecret } from '../endpoints/secrets.ts';
import { recordEvents } from '../events/outbox.ts';

const world = await createWorld();

test('what is queued when a secret ends is signed with the one that took its place', async () => {
  const held: ServerResponse[] = [];
  let isOpen = false;
  const receiver = await startReceiver((response) => {
    if (isOpen) response.end('ok');
    else held.push(response);
  });
  const merchant = await world.merchant();
  const { id } = await merchant.endpoint(receiver.url);
  const events = Array.from({ length: 40 }, () => eventOf(merchant.id));
  await transaction(world.db, (tx) => recordEvents(tx, world.hints, events));
  const worker = world.worker();
  worker.start();
  // As many as a worker sends at once to an endpoint that it does not know; the others are in its queue.
  const atOnce = 4;
  await receiver.reached(atOnce);
  await transaction(world.db, (tx) => rollSecret(tx, world, id, { overlapSeconds: 0, now: new Date() }));
  const webhook = new Webhook(await endpointSecret(world.db, world.seal, id));
  isOpen = true;
  for (const response of held) response.end('ok');
  await receiver.reached(events.length);
  await worker.stop();
  const isGood = ({ raw, headers }: Received): boolean => {
    try {
      webhook.verify(raw, headers as Record<string, string>);
      return true;
    } catch {
      return false;
    }
  };
  expect(receiver.got.map(isGood)).toEqual(events.map((_, index) => index >= atOnce));
});
