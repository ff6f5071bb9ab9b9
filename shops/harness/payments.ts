import { expect } from 'vitest';
import { runFlorin } from '../../cli/test/florin.ts';
import type { Stage } from './stage.ts';

/** The status of a payment. */
export async function paymentStatus({ gateway }: Stage, reference: string): Promise<string> {
  const { body } = await gateway.api<{ payment_status: string }>('GET', `/payments/${reference}`);
  return body.data.payment_status;
}

/** The refunds of a payment. */
export async function refundsOf({ gateway }: Stage, reference: string): Promise<{ status: string }[]> {
  const { body } = await gateway.api<{ refunds: { status: string }[] }>('GET', `/payments/${reference}`);
  return body.data.refunds;
}

/** The events of a payment, the newest first. */
export async function eventsOf({ gateway }: Stage, reference: string): Promise<string[]> {
  type Events = { items: { event_id: string; payment_reference: string }[] };
  const { body } = await gateway.api<Events>('GET', '/events?limit=100');
  return body.data.items.filter((each) => each.payment_reference === reference).map((each) => each.event_id);
}

/** The webhook endpoints at the shop. */
export async function endpointsOf({ gateway, shop }: Stage): Promise<{ id: string; url: string }[]> {
  const { body } = await gateway.api<{ items: { id: string; url: string }[] }>('GET', '/webhook-endpoints');
  return body.data.items.filter(({ url }) => url.startsWith(shop.url));
}

/** How many webhooks to the shop are still to be sent. */
export async function waitingDeliveries(stage: Stage): Promise<number> {
  let waiting = 0;
  for (const { id } of await endpointsOf(stage)) {
    type Deliveries = { items: { status: string }[] };
    const { body } = await stage.gateway.api<Deliveries>('GET', `/webhook-endpoints/${id}/deliveries`);
    waiting += body.data.items.filter(({ status }) => status === 'pending').length;
  }
  return waiting;
}

/** A key that may do what a plug-in asks for, as connecting gives it. */
export async function restrictedKey({ gateway }: Stage): Promise<string> {
  const actions = ['create payments', 'read payments', 'cancel payments', 'manage webhooks', 'make refunds'];
  const words = [
    'keys',
    'create',
    gateway.demo.integration_id,
    '--name',
    'shop',
    '--actions',
    actions.join(),
  ];
  const { code, output, errors } = await runFlorin(words, gateway.settings);
  expect([code, errors]).toEqual([0, '']);
  return (JSON.parse(output) as { secret_key: string }).secret_key;
}
