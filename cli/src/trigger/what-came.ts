import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Delivery, StoredEvent, WebhookEndpoint } from '@florin/sdk';
import { earlier } from '../clock.ts';

/** An event of a payment, and what became of it at each endpoint that it goes to. */
export type Triggered = StoredEvent & { deliveries: (Delivery & { url: string })[] };

const pageSize = 100;
const pollMs = 100;
const patienceMs = 10_000;
const disorderMs = 10_000;

/** The events of a payment that was just made, oldest first, once each of their deliveries was tried, or 10 s went by. */
export async function whatCame(client: Client, reference: string, createdAt: string): Promise<Triggered[]> {
  const events = await eventsOf(client, reference, createdAt);
  const endpoints = (await client.webhookEndpoints.list()).items;
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

/** A payment's events lie among those that others make at the same time, which are not quite in order of time. */
async function eventsOf(client: Client, reference: string, createdAt: string): Promise<StoredEvent[]> {
  const found: StoredEvent[] = [];
  for await (const event of client.events.listAll({ limit: pageSize })) {
    if (event.created_at < earlier(createdAt, disorderMs)) break;
    if (event.payment_reference === reference) found.unshift(event);
  }
  return found;
}

async function deliveriesTo(client: Client, { id, url }: WebhookEndpoint, events: readonly StoredEvent[]) {
  const { items } = await client.webhookEndpoints.deliveries(id, { limit: pageSize });
  const ids = new Set(events.map(({ event_id }) => event_id));
  return items.filter(({ event_id }) => ids.has(event_id)).map((delivery) => ({ ...delivery, url }));
}
