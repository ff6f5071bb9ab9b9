import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Delivery, StoredEvent, WebhookEndpoint } from '@florin/sdk';
import { earlier } from '../clock.ts';
import { isFlorinError } from '../explain.ts';

/** An event of a payment or payout, with its delivery to each endpoint; null: the key may not see endpoints. */
export type Triggered = StoredEvent & { deliveries: (Delivery & { url: string })[] | null };

const pageSize = 100;
const pollMs = 100;
const patienceMs = 10_000;
const disorderMs = 10_000;

/** The events of what was just made, oldest first, after each of their deliveries was tried, or after 10 s. */
export async function whatCame(
  client: Client,
  createdAt: string,
  isOwn: (event: StoredEvent) => boolean,
): Promise<Triggered[]> {
  const events = await eventsOf(client, createdAt, isOwn);
  const endpoints = await endpointsOf(client);
  if (endpoints === null) return events.map((event) => ({ ...event, deliveries: null }));
  const end = performance.now() + patienceMs;
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

/** A key that may only move money, as that of the demo, sees no endpoints: what was made is told all the same. */
async function endpointsOf(client: Client): Promise<WebhookEndpoint[] | null> {
  try {
    return (await client.webhookEndpoints.list()).items;
  } catch (error) {
    if (isFlorinError(error) && error.slug === 'action_not_allowed') return null;
    throw error;
  }
}

/** The list has them between those of others at the same time, not exactly in order of time. */
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
