import { Webhook } from 'standardwebhooks';
import { expect } from 'vitest';
import type { Api } from '../support/api.ts';
import { isSignedWith, type Received, type Receiver } from './receiver.ts';

/** What a merchant verifies webhooks with: the integration's secret key, and that of the endpoint. */
export type WebhookKeys = { secretKey: string; webhookSecret: string };

/** Makes a webhook endpoint at the receiver, and returns its secret. */
export async function subscribe(api: Api, receiver: Receiver, events: readonly string[]): Promise<string> {
  const body = { url: receiver.url, events };
  return (await api<{ secret: string }>('POST', '/webhook-endpoints', { body })).body.data.secret;
}

/** Waits for the webhook that tells of something about a payment, and verifies it by both signatures. */
export async function verifiedWebhook(
  receiver: Receiver,
  keys: WebhookKeys,
  reference: string,
  type: string,
): Promise<Received> {
  return await verifiedEvent(receiver, keys, { payment_reference: reference, event_type: type });
}

/** Waits for the webhook whose body has these fields, and verifies it by both signatures. */
export async function verifiedEvent(
  receiver: Receiver,
  { secretKey, webhookSecret }: WebhookKeys,
  fields: Record<string, string>,
): Promise<Received> {
  const webhook = await receiver.next(
    ({ body }) => Object.entries(fields).every(([name, value]) => body[name] === value),
    Object.values(fields).join(', '),
  );
  const { raw, headers, body } = webhook;
  expect(isSignedWith(secretKey, raw, headers['x-signature'])).toBe(true);
  expect(new Webhook(webhookSecret).verify(raw, headers as Record<string, string>)).toEqual(body);
  return webhook;
}
