/** A currency that a payment can be charged in. */
export type Currency = 'PI' | 'USDC' | 'USDT' | 'CSK';

/** Where a payment stands. Fulfil an order on `completed`, and learn of it from the webhook. */
export type PaymentStatus =
  | 'unlinked'
  | 'linked'
  | 'pending'
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'in-appeal';

/** Who bears the fee: `merchant` receives amount minus fee, `customer` pays amount plus fee. */
export type FeePayer = 'merchant' | 'customer';

/** One line of what is being bought, shown on the hosted page. */
export type Item = { name: string; price: number; quantity: number };

/** Body of `payments.create`. `amount` is a JSON number in `currency`, not in minor units. */
export type PaymentInput = {
  amount: number;
  currency: Currency;
  payment_type: 'deposit';
  customer_email?: string;
  customer_reference?: string;
  success_url?: string;
  failure_url?: string;
  item_list?: { items: Item[] };
  /** Yours, unique, or left out to have one made. Add a random suffix: anyone may ask for its status. */
  payment_reference?: string;
  /** A JSON object as text: `JSON.stringify({ order_id })`. */
  meta_data?: string;
  fee_payer?: FeePayer;
  payment_note?: string;
};

/** Answer of `payments.create`: keep `payment_reference`, send the customer to `PaymentURL`. */
export type CreatedPayment = {
  PaymentData: {
    id: string;
    payment_reference: string;
    amount: number;
    currency: Currency;
    payment_status: PaymentStatus;
    payment_type: string;
    created_at: string;
  };
  PaymentURL: string;
};

/** Answer of `payments.info`, the short public record. `amount` is a number, times are ISO 8601 UTC. */
export type PaymentInfo = {
  payment_reference: string;
  amount: number;
  currency: Currency;
  payment_status: PaymentStatus;
  created_at: string;
  updated_at: string;
};

/** A transfer that was seen for a payment; `amount` is a decimal string in `asset`. */
export type Transfer = {
  transaction: string;
  asset: string;
  amount: string;
  confirmations: number;
  needed: number;
  state: 'seen' | 'final' | 'gone';
};

/** One step in the life of a payment; `at` is ISO 8601 UTC. */
export type TimelineEntry = { at: string; status: PaymentStatus; reason: string | null };

/** A payment as `payments.list` has it. Amounts are decimal strings, times ISO 8601 UTC. */
export type PaymentSummary = {
  id: string;
  payment_reference: string;
  amount: string;
  currency: Currency;
  payment_status: PaymentStatus;
  /** Why it ended as it did: abandoned, customer, merchant ... */
  reason: string | null;
  payment_type: string;
  /** What the customer has to pay: the amount, plus the fee when the customer bears it. */
  amount_due: string;
  service_fee: string;
  fee_payer: FeePayer;
  customer_email: string | null;
  customer_reference: string | null;
  success_url: string | null;
  failure_url: string | null;
  item_list: { items: Item[] } | null;
  meta_data: string | null;
  payment_note: string | null;
  deadline: string;
  created_at: string;
  updated_at: string;
  PaymentURL: string;
};

/** Everything known of a payment, from `payments.get`. */
export type Payment = PaymentSummary & {
  amount_received: string;
  transfers: Transfer[];
  timeline: TimelineEntry[];
  /** What of its money went or goes back to the customer. */
  refunds: Refund[];
};

/** Money of a payment that goes back; `void` once it left its chain before it was sent. */
export type Refund = {
  id: string;
  asset: string;
  amount: string;
  state: 'requested' | 'sending' | 'sent' | 'void';
  /** What sent it on its network; null where it did not leave Florin, or has not been sent. */
  transaction: string | null;
  created_at: string;
  sent_at: string | null;
};

/** Filter of `payments.list`. `from` and `to` are ISO 8601 times; `limit` is 1 to 100 (20). */
export type PaymentFilter = PageFilter & {
  status?: PaymentStatus;
  currency?: Currency;
  customer_reference?: string;
  from?: string;
  to?: string;
};

/** Which page: the `next_cursor` of the one before, and how many items (1 to 100, default 20). */
export type PageFilter = { cursor?: string; limit?: number };

/** One page of a list, newest first. `next_cursor` is null on the last. */
export type Page<Item> = { items: Item[]; next_cursor: string | null };

/** Body of `fundUser`. `currency` is an asset code in lower case: `pi`, `usdc-base`, `usdt-bep20` ... */
export type FundUserInput = { username: string; amount: number; currency: string };

/** The business balance in one asset; decimal strings. `held` waits for the answer of another system. */
export type Balance = { asset: string; available: string; held: string };

/** A line of the ledger with what caused it; `amount` is a signed decimal string. */
export type BalanceEntry = {
  id: string;
  asset: string;
  amount: string;
  /** `payment_settled`, `fund_user` ... */
  cause: string;
  /** The payment, where there is one. */
  cause_id: string | null;
  created_at: string;
};

/** What an endpoint can subscribe to; the first three are the default. */
export type EventType =
  | 'payment_completed'
  | 'payment_failed'
  | 'payment_abandoned'
  | 'payment_linked'
  | 'payment_pending'
  | 'payment_cancelled'
  | 'payment_in_appeal'
  | 'payment_appeal_closed'
  | 'payment_refunded'
  | 'webhook_endpoint_disabled';

/**
 * The body of a webhook. Absent optional fields are empty strings; `amount` and `service_fee` are numbers;
 * `timestamp` is in Unix seconds. A later gateway may send types that this version does not know: ignore them.
 */
export type WebhookEvent = {
  event_id: string;
  payment_id: string;
  currency: Currency;
  amount: number;
  payment_reference: string;
  payment_status: PaymentStatus;
  service_fee: number;
  customer_email: string;
  customer_reference: string;
  integration_id: string;
  event_type: EventType | (string & {});
  timestamp: number;
};

/** The body of a `webhook_endpoint_disabled`: the gateway turned another endpoint of yours off. Unix seconds. */
export type EndpointDisabledEvent = {
  event_id: string;
  integration_id: string;
  event_type: 'webhook_endpoint_disabled';
  timestamp: number;
  endpoint_id: string;
  url: string;
  reason: string;
  failing_since: number;
};

/** An event as it is kept; one that is not of a payment has an empty reference and `sequence` 0. `body` is the exact text that was, or would have been, sent. */
export type StoredEvent = {
  event_id: string;
  event_type: EventType;
  payment_reference: string;
  sequence: number;
  created_at: string;
  body: string;
};

/** A webhook endpoint. `secret` (`whsec_` ...) is there only when it was just made or rolled. */
export type WebhookEndpoint = {
  id: string;
  url: string;
  events: EventType[];
  status: 'active' | 'paused' | 'disabled';
  secret?: string;
  created_at: string;
};

/** Sending once more what failed and was missed: how far it came. ISO 8601 times. */
export type Replay = {
  status: 'running' | 'done';
  since: string | null;
  /** How many deliveries were queued so far; when it is done: in all. */
  count: number;
  /** How many there were when it began; null: more than 100,000. */
  total: number | null;
  started_at: string;
  finished_at: string | null;
};

/** One try at delivering an event. */
export type DeliveryAttempt = {
  at: string;
  status_code: number | null;
  duration_ms: number;
  error: string | null;
  response: string | null;
};

/** The delivery of one event to one endpoint. */
export type Delivery = {
  id: string;
  event_id: string;
  status: 'pending' | 'delivered' | 'failed';
  attempts: DeliveryAttempt[];
  next_attempt_at: string | null;
};

/** What `test.simulate` can make of a test payment. */
export type SimulatedOutcome =
  | 'success'
  | 'failure'
  | 'expire'
  | 'underpaid'
  | 'overpaid'
  | 'split'
  | 'late'
  | 'wrong_token'
  | 'slow'
  | 'reorg'
  | 'dispute';

/** The integration's test clock; ISO 8601 UTC. */
export type TestClock = { now: string };
