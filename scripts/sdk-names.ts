/** A type of the SDK: its name, where its schema is met in the OpenAPI document, and what its users read of it. */
export type NamedType = { name: string; at: string; doc: string };

const payment = '/payments/{payment_reference}';
const endpoint = '/webhook-endpoints/{id}';

const payments: NamedType[] = [
  {
    name: 'Currency',
    at: 'PUT /payment/create body.currency',
    doc: 'A currency that a payment can be charged in.',
  },
  {
    name: 'PaymentStatus',
    at: 'GET /payments query.status',
    doc: 'Where a payment stands. Fulfil an order on `completed`, and learn of it from the webhook.',
  },
  {
    name: 'FeePayer',
    at: 'PUT /payment/create body.fee_payer',
    doc: 'Who bears the fee: `merchant` receives amount minus fee, `customer` pays amount plus fee.',
  },
  {
    name: 'Item',
    at: 'PUT /payment/create body.item_list.items[]',
    doc: 'One line of what is being bought, shown on the hosted page.',
  },
  {
    name: 'PaymentInput',
    at: 'PUT /payment/create body',
    doc: 'Body of `payments.create`. `amount` is a JSON number in `currency`, not in minor units.',
  },
  {
    name: 'CreatedPayment',
    at: 'PUT /payment/create answer',
    doc: 'A payment that was made: keep `payment_reference`, send the customer to `PaymentURL`.',
  },
  {
    name: 'PaymentInfo',
    at: 'GET /payment/info/{payment_reference} answer',
    doc: 'The short public record of a payment. `amount` is a number, times are ISO 8601 UTC.',
  },
  { name: 'PaymentFilter', at: 'GET /payments query', doc: 'Which payments, and which page of them.' },
  {
    name: 'PaymentSummary',
    at: 'GET /payments answer.items[]',
    doc: 'A payment as `payments.list` has it. Amounts are decimal strings; `reason` is why it ended as it did.',
  },
  {
    name: 'Payment',
    at: `GET ${payment} answer`,
    doc: 'Everything known of a payment. Amounts are decimal strings.',
  },
  {
    name: 'Transfer',
    at: `GET ${payment} answer.transfers[]`,
    doc: 'A transfer that was seen for a payment; `amount` is a decimal string in `asset`.',
  },
  {
    name: 'TimelineEntry',
    at: `GET ${payment} answer.timeline[]`,
    doc: 'One step in the life of a payment.',
  },
  {
    name: 'Refund',
    at: `GET ${payment} answer.refunds[]`,
    doc: 'Money of a payment that goes back; `void` once it left its chain before it was sent.',
  },
  {
    name: 'FundUserInput',
    at: 'POST /payment/fund-user body',
    doc: 'Body of `fundUser`. `currency` is an asset code in lower case: `pi`, `usdc-base`, `usdt-bep20` ...',
  },
  {
    name: 'Balance',
    at: 'GET /balances answer.items[]',
    doc: 'The business balance in one asset; decimal strings. `held` waits for the answer of another system.',
  },
  {
    name: 'BalanceEntryFilter',
    at: 'GET /balance-entries query',
    doc: 'Which lines of the ledger, and which page.',
  },
  {
    name: 'BalanceEntry',
    at: 'GET /balance-entries answer.items[]',
    doc: 'A line of the ledger with what caused it; `amount` is a signed decimal string.',
  },
];

const webhooks: NamedType[] = [
  {
    name: 'EventType',
    at: 'GET /events query.type',
    doc: 'What an endpoint can subscribe to; the first three are the default.',
  },
  { name: 'EventFilter', at: 'GET /events query', doc: 'Which events, and which page of them.' },
  { name: 'StoredEvent', at: 'GET /events/{id} answer', doc: 'An event as it is kept.' },
  {
    name: 'ResentEvent',
    at: 'POST /events/{id}/resend answer',
    doc: 'An event that is sent once more.',
  },
  {
    name: 'WebhookEndpointInput',
    at: 'POST /webhook-endpoints body',
    doc: 'Body of `webhookEndpoints.create`.',
  },
  {
    name: 'WebhookEndpoint',
    at: `GET ${endpoint} answer`,
    doc: 'A webhook endpoint, of the mode of its key.',
  },
  {
    name: 'NewWebhookEndpoint',
    at: 'POST /webhook-endpoints answer',
    doc: 'An endpoint that was just made, or whose secret was: `secret` is never shown again.',
  },
  {
    name: 'WebhookEndpointChange',
    at: `PATCH ${endpoint} body`,
    doc: 'What changes of an endpoint; what is absent stays.',
  },
  { name: 'PageFilter', at: `GET ${endpoint}/deliveries query`, doc: 'Which page of a list.' },
  {
    name: 'Delivery',
    at: `GET ${endpoint}/deliveries answer.items[]`,
    doc: 'The delivery of one event to one endpoint.',
  },
  {
    name: 'DeliveryAttempt',
    at: `GET ${endpoint}/deliveries answer.items[].attempts[]`,
    doc: 'One try at delivering an event.',
  },
  { name: 'ReplayInput', at: `POST ${endpoint}/replay body`, doc: 'Body of `webhookEndpoints.replay`.' },
  {
    name: 'Replay',
    at: `POST ${endpoint}/replay answer`,
    doc: 'Sending once more what failed, and what was missed: how far it came.',
  },
];

const testMode: NamedType[] = [
  {
    name: 'SimulatedOutcome',
    at: 'GET /test/scenarios answer.items[].outcome',
    doc: 'What can be played to a test payment.',
  },
  {
    name: 'Scenario',
    at: 'GET /test/scenarios answer.items[]',
    doc: 'An outcome that can be played: what happens, and what it combines with.',
  },
  {
    name: 'SimulateInput',
    at: `POST /test${payment}/simulate body`,
    doc: 'What to play to a test payment.',
  },
  {
    name: 'Script',
    at: `GET /test${payment}/script answer`,
    doc: 'What playing an outcome would come to, step by step.',
  },
  {
    name: 'ScriptStep',
    at: `GET /test${payment}/script answer.steps[]`,
    doc: 'One step of a script, so many seconds of the test clock after its begin.',
  },
  {
    name: 'Chaos',
    at: `GET /test${endpoint}/chaos answer`,
    doc: 'What goes wrong on the way to a test endpoint: percents of the attempts, 0 for never.',
  },
  {
    name: 'ChaosInput',
    at: `PUT /test${endpoint}/chaos body`,
    doc: 'What shall go wrong; what is absent does not, and `{}` ends it.',
  },
  {
    name: 'ReceiverCheck',
    at: `GET /test${endpoint}/checks/{check} answer`,
    doc: 'A check of a receiver: its progress, and its report once it is done.',
  },
  {
    name: 'CheckedRule',
    at: `GET /test${endpoint}/checks/{check} answer.rules[]`,
    doc: 'A rule that receivers are to keep, whether this one does, and what to change if it does not.',
  },
  {
    name: 'CheckExchange',
    at: `GET /test${endpoint}/checks/{check} answer.exchanges[]`,
    doc: 'A delivery of a check, and what came back.',
  },
  { name: 'TestClock', at: 'GET /test/clock answer', doc: 'What the test clock of the integration shows.' },
];

/** Every type that has a name, by its file in sdk/src. A schema that is equal to one of these is written by its name. */
export const namedTypes: Record<string, NamedType[]> = {
  'api-payments.ts': payments,
  'api-webhooks.ts': webhooks,
  'api-test-mode.ts': testMode,
};
