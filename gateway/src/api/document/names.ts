/** A named schema: its name, the place of one such schema in the document before names, and what it is. */
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
    doc: 'The status of a payment. Fulfil an order when a webhook says `completed`.',
  },
  {
    name: 'FeePayer',
    at: 'PUT /payment/create body.fee_payer',
    doc: 'Who pays the fee: `merchant` receives amount minus fee, `customer` pays amount plus fee.',
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
  {
    name: 'PaymentLinkInput',
    at: 'POST /payment-links body',
    doc: 'Body of `paymentLinks.create`. Without `amount` the customer says how much.',
  },
  {
    name: 'PaymentLink',
    at: 'POST /payment-links answer',
    doc: 'A payment link. Amounts are decimal strings in `currency`.',
  },
  { name: 'LinkFilter', at: 'GET /payment-links query', doc: 'Which page of payment links.' },
  { name: 'PaymentFilter', at: 'GET /payments query', doc: 'Which payments, and which page.' },
  {
    name: 'PaymentSummary',
    at: 'GET /payments answer.items[]',
    doc: 'A payment as `payments.list` returns it. Amounts are decimal strings; `reason` is why it has its status.',
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
    doc: 'A refund of a payment; amounts are decimal strings in `asset`. `claim_url` leads the customer to where they say where it goes.',
  },
  {
    name: 'RefundInput',
    at: `POST ${payment}/refunds body`,
    doc: 'Body of `refunds.create`. Without `amount`: all that can be refunded; without `to` the customer is asked.',
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
  { name: 'EventFilter', at: 'GET /events query', doc: 'Which events, and which page.' },
  { name: 'StoredEvent', at: 'GET /events/{id} answer', doc: 'An event as it is stored.' },
  {
    name: 'ResentEvent',
    at: 'POST /events/{id}/resend answer',
    doc: 'An event that is sent again.',
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
    doc: 'An endpoint that was just made, or has a new secret: `secret` is never shown again.',
  },
  {
    name: 'WebhookEndpointChange',
    at: `PATCH ${endpoint} body`,
    doc: 'The changes of an endpoint; absent fields stay as they are.',
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
    doc: 'One attempt to deliver an event.',
  },
  { name: 'ReplayInput', at: `POST ${endpoint}/replay body`, doc: 'Body of `webhookEndpoints.replay`.' },
  {
    name: 'Replay',
    at: `POST ${endpoint}/replay answer`,
    doc: 'The progress of a replay of failed and missed events.',
  },
];

const testMode: NamedType[] = [
  {
    name: 'SimulatedOutcome',
    at: 'GET /test/scenarios answer.items[].outcome',
    doc: 'The outcomes that can be simulated.',
  },
  {
    name: 'Scenario',
    at: 'GET /test/scenarios answer.items[]',
    doc: 'An outcome that can be simulated: what happens, and what it combines with.',
  },
  {
    name: 'SimulateInput',
    at: `POST /test${payment}/simulate body`,
    doc: 'What to simulate on a test payment.',
  },
  {
    name: 'Script',
    at: `GET /test${payment}/script answer`,
    doc: 'What a simulation would do, step by step.',
  },
  {
    name: 'ScriptStep',
    at: `GET /test${payment}/script answer.steps[]`,
    doc: 'One step of a script; its seconds are those of the test clock after the start.',
  },
  {
    name: 'Chaos',
    at: `GET /test${endpoint}/chaos answer`,
    doc: 'The injected faults of a test endpoint, each in percent of the attempts; 0 is never.',
  },
  {
    name: 'ChaosInput',
    at: `PUT /test${endpoint}/chaos body`,
    doc: 'The faults to inject; absent ones are off, and `{}` ends them all.',
  },
  {
    name: 'ReceiverCheck',
    at: `GET /test${endpoint}/checks/{check} answer`,
    doc: 'A check of a receiver: its progress, and its report once it is done.',
  },
  {
    name: 'CheckedRule',
    at: `GET /test${endpoint}/checks/{check} answer.rules[]`,
    doc: 'A rule for receivers, whether this one keeps it, and what to change if not.',
  },
  {
    name: 'CheckExchange',
    at: `GET /test${endpoint}/checks/{check} answer.exchanges[]`,
    doc: 'A delivery of a check, and what came back.',
  },
  { name: 'TestClock', at: 'GET /test/clock answer', doc: 'What the test clock of the integration shows.' },
];

const payouts: NamedType[] = [
  {
    name: 'PayoutInput',
    at: 'POST /payouts body',
    doc: 'Body of `payouts.create`. `amount` is a decimal string at the scale of the asset; `to` gets exactly that.',
  },
  { name: 'PayoutBatchInput', at: 'POST /payouts/batch body', doc: 'Body of `payouts.createBatch`.' },
  {
    name: 'PayoutBatch',
    at: 'POST /payouts/batch answer',
    doc: 'Payouts that were ordered together, and what they take from the balance.',
  },
  {
    name: 'PayoutStatus',
    at: 'GET /payouts query.status',
    doc: 'The status of a payout; `completed` once the chain shows that it is final.',
  },
  {
    name: 'Payout',
    at: 'GET /payouts/{payout} answer',
    doc: 'A payout. Amounts are decimal strings; `failure` also says what holds a queued one up.',
  },
  { name: 'PayoutFilter', at: 'GET /payouts query', doc: 'Which payouts, and which page.' },
  {
    name: 'PayoutFee',
    at: 'GET /payout-fees answer.items[]',
    doc: 'What a payout in one asset costs, and whether it can be ordered now.',
  },
  {
    name: 'PayoutOutcome',
    at: 'POST /test/payouts/{payout}/simulate body.outcome',
    doc: 'The outcomes that can be simulated on a test payout.',
  },
];

/**
 * The named schemas that are types of the SDK too, by their file in sdk/src. A schema that equals one of these is written
 * by its name.
 */
export const namedTypes: Record<string, NamedType[]> = {
  'api-payments.ts': payments,
  'api-payouts.ts': payouts,
  'api-webhooks.ts': webhooks,
  'api-test-mode.ts': testMode,
};
