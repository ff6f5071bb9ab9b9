import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Delivery, StoredEvent, WebhookEndpoint } from '@florin/sdk';
import { earlier } from '../clock.ts';
import { isFlorinError } from '../explain.ts';

/** An event of a payment or payout, with its delivery to each endpoint; null: the key may not see endpoints. */
export type Triggered = StoredEvent & { deliveries: (Delivery & { url: string })[] | null };

const pageSize = 100;
const pollMs = 100;
const maxWaitMs = 10_000;
const disorderMs = 10_000;

/** The events of the new payment or payout, oldest first. Waits until each delivery was tried, 10 s at most. */
export async function triggeredEvents(
  client: Client,
  createdAt: string,
  isOwn: (event: StoredEvent) => boolean,
): Promise<Triggered[]> {
  const events = await eventsOf(client, createdAt, isOwn);
  const endpoints = await endpointsOf(client);
  if (endpoints === null) return events.map((event) => ({ ...event, deliveries: null }));
  const end = performance.now() + maxWaitMs;
  for (;;) {
    const deliveries = (
      await Promise.all(endpoints.map((each) => deliveriesTo(client, each, events)))
    ).flat();
    const isTried = deliveries.every(({ attempts }) => attempts.length > 0);
    if (isTried || performance.now() > end) {
      return events.map((event) => ({
        ...event,
        deliveries: deliveries.filter(({ event_id }) => event_id === event.event_id),
      }));
    }
    await sleep(pollMs);
  }
}

/** The endpoints; null: the key may not see them, such as the demo's key that may only move money. */
async function endpointsOf(client: Client): Promise<WebhookEndpoint[] | null> {
  try {
    return (await client.webhookEndpoints.list()).items;
  } catch (error) {
    if (isFlorinError(error) && error.slug === 'action_not_allowed') return null;
    throw error;
  }
}

/** Searches the list, where they are among other events of that time, not exactly in order of time. */
async function eventsOf(
  client: Client,
  createdAt: string,
  isOwn: (event: StoredEvent) => boolean,
): Promise<StoredEvent[]> {
  const found: StoredEvent[] = [];
  for await (const event of client.events.listAll({ limit: pageSize })) {
    if (event.created_at < earlier(createdAt, disorderMs)) break;
    if (isOwn(event)) found.unshift(event);
  }
  return found;
}

async function deliveriesTo(client: Client, { id, url }: WebhookEndpoint, events: readonly StoredEvent[]) {
  const { items } = await client.webhookEndpoints.deliveries(id, { limit: pageSize });
  const ids = new Set(events.map(({ event_id }) => event_id));
  return items.filter(({ event_id }) => ids.has(event_id)).map((delivery) => ({ ...delivery, url }));
}
