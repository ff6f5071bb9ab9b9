import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  type EventType,
  endpointDisabled,
  eventTypes,
  payoutEventTypes,
} from '../src/webhooks/events/event-types.ts';
import { type CreatedPayment, submitForm } from './support/api.ts';
import { type RunningApp, startApp } from './support/running.ts';
import { isSignedWith, openReceiver, type Received, type Receiver } from './webhooks/receiver.ts';

const refundTypes: EventType[] = ['payment_refunded', 'refund_created', 'refund_failed'];

type Endpoint = { id: string; secret: string };

let app: RunningApp;
let shop: Receiver;
let endpoint: Endpoint;
let standard: Webhook;

// One payment for each event that a merchant can bring about; the test button makes the others.
beforeAll(async () => {
  [app, shop] = await Promise.all([startApp(), openReceiver()]);
  const body = { url: shop.url, events: eventTypes };
  endpoint = (await app.api<Endpoint>('POST', '/webhook-endpoints', { body })).body.data;
  standard = new Webhook(endpoint.secret);
  const { PaymentURL } = await create('LINKED');
  await submitForm(PaymentURL, 'method', { asset: 'usdc-base' });
  for (const outcome of ['success', 'failure', 'expire', 'slow', 'dispute']) {
    await create(outcome);
    await app.api('POST', `/test/payments/${outcome}/simulate`, { body: { outcome } });
  }
  await create('CANCELLED');
  await app.api('POST', '/payments/CANCELLED/cancel');
  const made = ['payment_appeal_closed', ...refundTypes, ...payoutEventTypes, endpointDisabled];
  for (const event_type of made) {
    await app.api('POST', `/webhook-endpoints/${endpoint.id}/test`, { body: { event_type } });
  }
  return shop.close;
});

async function create(reference: string): Promise<CreatedPayment> {
  const body = {
    amount: 12.5,
    currency: 'USDC',
    payment_type: 'deposit',
    payment_reference: reference,
    customer_email: 'ada@customers.example',
    customer_reference: 'Ünïcode ✓ 🪙',
  };
  return (await app.api<CreatedPayment>('PUT', '/payment/create', { body })).body.data;
}

const webhookOf = (type: EventType) => shop.next(({ body }) => body.event_type === type, type);

/** The three headers that Standard Webhooks signs with. */
function standardHeaders({ headers }: Received): Record<string, string> {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  return Object.fromEntries(names.map((name) => [name, String(headers[name])]));
}

/** The same webhook with one bit of one byte of its body turned. */
function tampered({ raw }: Received, at: number): Buffer {
  const bytes = Buffer.from(raw);
  bytes[at]! ^= 1;
  return bytes;
}

const paymentFields =
  'event_id,payment_id,currency,amount,payment_reference,payment_status,service_fee,customer_email,' +
  'customer_reference,integration_id,event_type,timestamp';
const endpointFields = 'event_id,integration_id,event_type,timestamp,endpoint_id,url,reason,failing_since';
const payoutFields =
  'event_id,payout_id,payout_reference,purpose,asset,amount,fee,to,memo,payout_status,transaction,integration_id,' +
  'event_type,timestamp';

function fieldsOf(type: EventType): string {
  if (type === endpointDisabled) return endpointFields;
  if (type.startsWith('payout_')) return payoutFields;
  return refundTypes.includes(type) ? `${paymentFields},refund_id,refund_asset,refund_amount` : paymentFields;
}

describe.each(eventTypes)('%s', (type) => {
  test('is accepted by a receiver that was written from the contract alone', async () => {
    const { raw, headers, body } = await webhookOf(type);
    expect(isSignedWith(app.secretKey, raw, headers['x-signature'])).toBe(true);
    expect(headers['x-signature']).toHaveLength(44);
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'x-event-id': body.event_id });
    expect(headers['x-sequence']).toMatch(type === endpointDisabled ? /^0$/ : /^[1-9]\d*$/);
    expect(Object.keys(body).join()).toBe(fieldsOf(type));
  });

  test('is accepted by a verifier of Standard Webhooks', async () => {
    const webhook = await webhookOf(type);
    expect(webhook.headers['webhook-id']).toBe(webhook.body.event_id);
    expect(standard.verify(webhook.raw, standardHeaders(webhook))).toEqual(webhook.body);
  });

  test('is refused by both when a byte of it was changed, or another key signed it', async () => {
    const webhook = await webhookOf(type);
    const signature = webhook.headers['x-signature'];
    for (const at of [0, webhook.raw.length >> 1, webhook.raw.length - 1]) {
      const changed = tampered(webhook, at);
      expect(isSignedWith(app.secretKey, changed, signature)).toBe(false);
      expect(() => standard.verify(changed, standardHeaders(webhook))).toThrow(WebhookVerificationError);
    }
    expect(isSignedWith(app.liveSecretKey, webhook.raw, signature)).toBe(false);
    const stranger = new Webhook(`whsec_${Buffer.alloc(32).toString('base64')}`);
    expect(() => stranger.verify(webhook.raw, standardHeaders(webhook))).toThrow(WebhookVerificationError);
  });
});

test('a receiver learns each event once, though one is sent twice', async () => {
  const first = await webhookOf('payment_completed');
  const heard = shop.received.length;
  await app.api('POST', `/events/${first.body.event_id}/resend`);
  const again = await shop.next((webhook) => shop.received.indexOf(webhook) >= heard, 'The second sending');
  expect(again.raw.equals(first.raw)).toBe(true);
  expect(again.headers['x-event-id']).toBe(first.headers['x-event-id']);
});
