import { disabledBody, eventBody, payoutBody } from '../../webhooks/events/body.ts';
import {
  type EventType,
  endpointDisabled,
  paymentEventTypes,
  payoutEventTypes,
} from '../../webhooks/events/event-types.ts';
import type { OpenApi, Operation, Schema } from './document.ts';

const text: Schema = { type: 'string' };
const uuid: Schema = { type: 'string', format: 'uuid' };
const decimal: Schema = { type: 'string', description: 'A plain decimal number as a string.' };
const seconds: Schema = { type: 'integer', description: 'When it happened, in Unix seconds.' };

const at = new Date('2026-11-20T18:00:00Z');
const base = {
  integrationId: '019aa1d0-11aa-7aaa-8bbb-222233334444',
  mode: 'test',
  sequence: 3,
  at,
} as const;
const eventId = '019aa1d2-9b1c-7d22-8f0a-2d6c1b7e4a90';

/** How a payment with a price is paid; empty before it has a quote. */
const ofPrice: Record<'paid_asset' | 'paid_fee' | 'rate', Schema> = {
  paid_asset: { ...text, description: 'There only for a payment with a `price`, as the next ones.' },
  paid_fee: decimal,
  rate: { ...decimal, description: "Units of the price's currency for one of the quote's, as a string." },
};

const optional: ReadonlySet<string> = new Set([...Object.keys(ofPrice), 'short', 'paid_amount']);

/** The body of each kind of event: its fields in their order, and a body as Florin writes it. */
const bodies = {
  PaymentEvent: {
    doc: 'What happened to a payment. Fields without a value are empty texts.',
    properties: {
      event_id: uuid,
      payment_id: uuid,
      currency: text,
      amount: { type: 'number' },
      payment_reference: text,
      payment_status: text,
      service_fee: { type: 'number', description: '0 where no fee is charged.' },
      customer_email: text,
      customer_reference: text,
      integration_id: uuid,
      event_type: { type: 'string', enum: paymentEventTypes.filter((type) => !isOfRefund(type)) },
      timestamp: seconds,
      ...ofPrice,
      short: {
        type: 'boolean',
        const: true,
        description: 'There only for a payment that was completed with less than was due, as `paid_amount`.',
      },
      paid_amount: {
        ...decimal,
        description:
          'Of a payment with a `price` what its quote comes to; of one that was completed with less than was due what came. A plain decimal number as a string.',
      },
    },
  },
  RefundEvent: {
    doc: 'What happened to a refund: the fields of its payment, then those of the refund.',
    properties: {},
  },
  PayoutEvent: {
    doc: 'What happened to a payout. Fields without a value are empty texts.',
    properties: {
      event_id: uuid,
      payout_id: uuid,
      payout_reference: text,
      purpose: text,
      asset: text,
      amount: decimal,
      fee: decimal,
      to: text,
      memo: text,
      payout_status: text,
      transaction: text,
      integration_id: uuid,
      event_type: { type: 'string', enum: [...payoutEventTypes] },
      timestamp: seconds,
    },
  },
  WebhookEndpointDisabledEvent: {
    doc: 'An endpoint that Florin turned off, as the other endpoints hear of it.',
    properties: {
      event_id: uuid,
      integration_id: uuid,
      event_type: { type: 'string', const: endpointDisabled },
      timestamp: seconds,
      endpoint_id: uuid,
      url: text,
      reason: text,
      failing_since: { type: 'string', format: 'date-time', description: 'ISO 8601, UTC.' },
    },
  },
} satisfies Record<string, { doc: string; properties: Record<string, Schema> }>;

type Body = keyof typeof bodies;

function isOfRefund(type: string): boolean {
  return ['payment_refunded', 'refund_created', 'refund_failed'].includes(type);
}

const {
  event_type: _,
  timestamp,
  short,
  paid_amount,
  paid_asset,
  paid_fee,
  rate,
  ...ofPayment
} = bodies.PaymentEvent.properties;
bodies.RefundEvent.properties = {
  ...ofPayment,
  event_type: { type: 'string', enum: paymentEventTypes.filter(isOfRefund) },
  ...{ timestamp, paid_asset, paid_fee, rate, short, paid_amount },
  refund_id: uuid,
  refund_asset: text,
  refund_amount: decimal,
};

const statusAfter: Partial<Record<EventType, string>> = {
  payment_in_appeal: 'in_appeal',
  payment_appeal_closed: 'completed',
  refund_created: 'completed',
  refund_failed: 'completed',
};

/** The body of an event of this type, as Florin would send it. */
function exampleOf(type: EventType): unknown {
  const isPayment = (each: EventType) => paymentEventTypes.some((known) => known === each);
  if (type === endpointDisabled) {
    const endpoint = {
      id: '019aa1d1-31bc-7c11-9c1d-0a1b2c3d4e5f',
      url: 'https://shop.example/webhooks',
      reason: 'Every attempt failed for 7 days',
      failingSince: new Date('2026-11-13T18:00:00Z'),
    };
    return JSON.parse(disabledBody(eventId, { ...base, endpoint }));
  }
  const status = statusAfter[type] ?? type.replace(/^(?:payment|payout)_/, '');
  if (!isPayment(type)) return examplePayout(type, status);
  const payment = {
    id: '019aa1d2-6c0e-7b3a-9f0e-5b1d2c3a4e5f',
    reference: 'PAY_01KAGX5N8ZQ4W7T2B9RJ3MH6VC0D',
    currency: 'USDC',
    amount: 25.5,
    status,
    serviceFee: 0.255,
    customerEmail: 'ada@example.com',
    customerReference: 'customer-7',
  };
  const refund = { id: '019aa1d3-0a0e-7b3a-9f0e-5b1d2c3a4e60', asset: 'usdc-base', amount: '25.500000' };
  const ofRefund = isOfRefund(type) ? { refund } : {};
  const event = { ...base, type, payment, ...ofRefund } as Parameters<typeof eventBody>[1];
  return JSON.parse(eventBody(eventId, event));
}

function examplePayout(type: EventType, status: string): unknown {
  const payout = {
    id: '019aa1d4-77aa-7c11-9c1d-0a1b2c3d4e61',
    reference: 'payout-2001',
    purpose: 'merchant_payout',
    asset: 'usdc-base',
    amount: '10.000000',
    fee: '0.100000',
    to: '0x52908400098527886E0F7030069857D2E4169EE7',
    memo: null,
    status,
    transaction: status === 'completed' ? `0x${'5a'.repeat(32)}` : null,
  };
  const event = { ...base, type, payout } as Parameters<typeof payoutBody>[1];
  return JSON.parse(payoutBody(eventId, event));
}

const parameter = (name: string, description: string) => ({
  name,
  in: 'header' as const,
  required: true,
  description,
  schema: text,
});

/** The headers of every webhook. */
const headers = {
  Signature: parameter('X-Signature', 'Base64 of HMAC-SHA256 over the body, keyed with the secret key.'),
  EventId: parameter('X-Event-Id', "The body's `event_id`."),
  Sequence: parameter(
    'X-Sequence',
    'The number of the event within its payment or payout, from 1; a higher one is newer.',
  ),
  WebhookId: parameter('webhook-id', 'The id of Standard Webhooks: the `event_id`.'),
  WebhookTimestamp: parameter('webhook-timestamp', 'When it was sent, in Unix seconds.'),
  WebhookSignature: parameter(
    'webhook-signature',
    "`v1,` and base64 of HMAC-SHA256 over `id.timestamp.body`, keyed with the endpoint's secret.",
  ),
};

/** When each event is sent. */
const eventTexts: Readonly<Record<EventType, string>> = {
  payment_completed: 'A payment is paid',
  payment_failed: 'A payment failed',
  payment_abandoned: 'The deadline of a payment passed, and nothing had come',
  payment_linked: 'The customer chose how to pay',
  payment_pending: 'Money was seen for a payment, and is not final yet',
  payment_cancelled: 'A payment was cancelled',
  payment_in_appeal: 'A person must look at a payment',
  payment_appeal_closed: 'An appeal ended, and the payment stays completed',
  payment_refunded: 'A refund left and is final',
  refund_created: 'A refund was ordered',
  refund_failed: 'A refund could not be sent, and is owed again',
  payout_awaiting_approval: 'A payout waits until somebody approves it',
  payout_completed: 'A payout left and is final',
  payout_failed: 'A payout could not be sent; the money is available again',
  payout_cancelled: 'A payout was cancelled or rejected',
  webhook_endpoint_disabled: 'Another endpoint was turned off',
};

function bodyOf(type: EventType): Body {
  if (type === endpointDisabled) return 'WebhookEndpointDisabledEvent';
  if (isOfRefund(type)) return 'RefundEvent';
  return payoutEventTypes.some((each) => each === type) ? 'PayoutEvent' : 'PaymentEvent';
}

function webhookOf(type: EventType): Operation {
  const schema = { $ref: `#/components/schemas/${bodyOf(type)}` };
  const refs = Object.keys(headers).map((name) => ({ $ref: `#/components/parameters/Webhook${name}` }));
  const summary = eventTexts[type];
  const received = { description: 'Any 2xx counts as received; all else is sent again.' };
  return {
    operationId: type.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
    summary,
    description: `${summary}. Verify the signature over the raw body, and handle each \`event_id\` once.`,
    tags: ['Webhooks'],
    security: [],
    parameters: refs,
    requestBody: { required: true, content: { 'application/json': { schema, example: exampleOf(type) } } },
    responses: { '2XX': received },
  } as unknown as Operation;
}

/** The webhooks, and what of them is in `components`. */
export function describeWebhooks(): Pick<OpenApi, 'webhooks'> & {
  schemas: Record<string, Schema>;
  parameters: Record<string, object>;
} {
  const types = Object.keys(eventTexts) as EventType[];
  const schemas = Object.entries(bodies).map(([name, { doc, properties }]) => [
    name,
    {
      ...{ type: 'object', description: doc, properties },
      required: Object.keys(properties).filter((name) => !optional.has(name)),
    },
  ]);
  const parameters = Object.entries(headers).map(([name, header]) => [`Webhook${name}`, header]);
  return {
    webhooks: Object.fromEntries(types.map((type) => [type, { post: webhookOf(type) }])),
    schemas: Object.fromEntries(schemas),
    parameters: Object.fromEntries(parameters),
  };
}
