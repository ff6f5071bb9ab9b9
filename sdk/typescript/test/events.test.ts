import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  disabledBody,
  type EventInput,
  eventBody,
  payoutBody,
} from '../../../gateway/src/webhooks/events/body.ts';
import { eventTypes } from '../../../gateway/src/webhooks/events/event-types.ts';
import {
  type EventType,
  type PaymentEvent,
  type PayoutEvent,
  verifyWebhook,
  type WebhookEndpointDisabledEvent,
  type WebhookEvent,
} from '../src/index.ts';

const secretKey = 'sk_test_0123456789abcdefghijABCDEFGHIJ01';
const at = new Date('2026-11-20T10:00:00Z');

const paid = {
  integrationId: 'i1' as EventInput['integrationId'],
  mode: 'test',
  type: 'payment_completed',
  sequence: 1,
  at,
  payment: {
    id: 'p1',
    reference: 'PAY_1',
    currency: 'PI',
    amount: 0.0000001,
    status: 'completed',
    serviceFee: 0,
    customerEmail: null,
    customerReference: 'Zoë 🪙',
  },
} satisfies EventInput;
const payment = eventBody('e1', paid);
const completedShort = {
  ...paid,
  payment: { ...paid.payment, shortAmount: '0.0000001' },
} satisfies EventInput;
const short = eventBody('e1', completedShort);
const priced = eventBody('e1', {
  ...completedShort,
  paid: { asset: 'pi', amount: '12.5', fee: '0.125', rate: '0.8' },
});
const refund = eventBody('e1', {
  ...completedShort,
  type: 'payment_refunded',
  refund: { id: 'r1', asset: 'pi', amount: '0.0000001' },
});
const payout = payoutBody('e3', {
  integrationId: 'i1' as EventInput['integrationId'],
  mode: 'test',
  type: 'payout_completed',
  sequence: 2,
  at,
  payout: {
    id: 'o1',
    reference: null,
    purpose: 'merchant_payout',
    asset: 'pi',
    amount: '1.5000000',
    fee: '0.0000000',
    to: 'G1',
    memo: '7',
    status: 'completed',
    transaction: 'ab',
  },
});
const disabled = disabledBody('e2', {
  integrationId: 'i1' as EventInput['integrationId'],
  endpoint: { id: 'w1', url: 'https://shop.example/hook', reason: 'It only failed', failingSince: at },
  at,
});

type PricedField = `paid_${string}` | 'rate';

// The compiler holds these to the types: not one field more or less.
type OfShort = 'short' | 'paid_amount';
const fieldsOfPayment: Record<
  Exclude<keyof PaymentEvent, `refund_${string}` | PricedField | OfShort>,
  true
> = {
  event_id: true,
  payment_id: true,
  currency: true,
  amount: true,
  payment_reference: true,
  payment_status: true,
  service_fee: true,
  customer_email: true,
  customer_reference: true,
  integration_id: true,
  event_type: true,
  timestamp: true,
};
const fieldsOfShort: typeof fieldsOfPayment & Record<OfShort, true> = {
  ...fieldsOfPayment,
  short: true,
  paid_amount: true,
};
const fieldsOfPriced: Record<Exclude<keyof PaymentEvent, `refund_${string}`>, true> = {
  ...fieldsOfPayment,
  paid_asset: true,
  paid_amount: true,
  paid_fee: true,
  rate: true,
  short: true,
};
const fieldsOfRefund: Record<Exclude<keyof PaymentEvent, 'paid_asset' | 'paid_fee' | 'rate'>, true> = {
  ...fieldsOfShort,
  refund_id: true,
  refund_asset: true,
  refund_amount: true,
};
const fieldsOfPayout: Record<keyof PayoutEvent, true> = {
  event_id: true,
  payout_id: true,
  payout_reference: true,
  purpose: true,
  asset: true,
  amount: true,
  fee: true,
  to: true,
  memo: true,
  payout_status: true,
  transaction: true,
  integration_id: true,
  event_type: true,
  timestamp: true,
};
const fieldsOfDisabled: Record<keyof WebhookEndpointDisabledEvent, true> = {
  event_id: true,
  integration_id: true,
  event_type: true,
  timestamp: true,
  endpoint_id: true,
  url: true,
  reason: true,
  failing_since: true,
};

const verify = (body: string, signed = body): Promise<WebhookEvent> => {
  const signature = createHmac('sha256', secretKey).update(signed).digest('base64');
  return verifyWebhook({ body, headers: { 'x-signature': signature }, secretKey });
};

describe.each([
  ['of a payment', payment, fieldsOfPayment],
  ['of a payment that was completed short', short, fieldsOfShort],
  ['of a payment with a price', priced, fieldsOfPriced],
  ['of a refund of it', refund, fieldsOfRefund],
  ['of a payout', payout, fieldsOfPayout],
  ['of a disabled endpoint', disabled, fieldsOfDisabled],
])('the webhook %s', (_, body, fields) => {
  test('has the fields that its type has', async () => {
    expect(Object.keys(await verify(body))).toEqual(Object.keys(fields));
  });

  test('is known even where a map sorted its fields', async () => {
    const sorted = Object.fromEntries(Object.entries(JSON.parse(body)).toSorted());
    await expect(verify(JSON.stringify(sorted), body)).rejects.toMatchObject({ reason: 'body_parsed' });
  });
});

test('every type of event that the gateway sends has a type here', () => {
  const types: Record<EventType & WebhookEvent['event_type'], true> = {
    payment_completed: true,
    payment_failed: true,
    payment_abandoned: true,
    payment_linked: true,
    payment_pending: true,
    payment_cancelled: true,
    payment_in_appeal: true,
    payment_appeal_closed: true,
    payment_refunded: true,
    refund_created: true,
    refund_failed: true,
    payout_awaiting_approval: true,
    payout_completed: true,
    payout_failed: true,
    payout_cancelled: true,
    webhook_endpoint_disabled: true,
  };
  expect(Object.keys(types)).toEqual([...eventTypes]);
});
