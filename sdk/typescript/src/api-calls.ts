// Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.

import type { Balance, BalanceEntry, BalanceEntryFilter, FundUserInput } from './api-balances.ts';
import type { LinkFilter, PaymentLink, PaymentLinkInput } from './api-payment-links.ts';
import type {
  CreatedPayment,
  Payment,
  PaymentDestination,
  PaymentFilter,
  PaymentInfo,
  PaymentInput,
  PaymentSummary,
  Refund,
} from './api-payments.ts';
import type {
  OwnKey,
  Payout,
  PayoutBatch,
  PayoutBatchInput,
  PayoutFee,
  PayoutFilter,
  PayoutOrderInput,
} from './api-payouts.ts';
import type { Rate } from './api-rates.ts';
import type { RefundInput } from './api-refunds.ts';
import type {
  Chaos,
  ChaosInput,
  PayoutOutcome,
  ReceiverCheck,
  Scenario,
  Script,
  SimulateInput,
  TestClock,
  TestRateInput,
} from './api-test-mode.ts';
import type {
  Delivery,
  EventFilter,
  EventType,
  NewWebhookEndpoint,
  PageFilter,
  Replay,
  ReplayInput,
  ResentEvent,
  StoredEvent,
  WebhookEndpoint,
  WebhookEndpointChange,
  WebhookEndpointInput,
} from './api-webhooks.ts';
import type { Page } from './pages.ts';

/** Every call of the merchant API: what it takes, and the `data` of its answer. */
export type Calls = {
  /** Create a payment. */
  'PUT /payment/create': { body: PaymentInput; answer: CreatedPayment };
  /** Get payment information. */
  'GET /payment/info/{payment_reference}': { path: [payment_reference: string]; answer: PaymentInfo };
  /** List payments, newest first. */
  'GET /payments': { query?: PaymentFilter; answer: Page<PaymentSummary> };
  /** Everything known of a payment. */
  'GET /payments/{payment_reference}': { path: [payment_reference: string]; answer: Payment };
  /** Cancel a payment nobody has paid yet. */
  'POST /payments/{payment_reference}/cancel': { path: [payment_reference: string]; answer: Payment };
  /** By what the addresses of a payment follow. */
  'GET /payments/{payment_reference}/destinations': {
    path: [payment_reference: string];
    answer: {
      items: PaymentDestination[];
    };
  };
  /** Make a payment link. */
  'POST /payment-links': { body: PaymentLinkInput; answer: PaymentLink };
  /** List payment links, newest first. */
  'GET /payment-links': { query?: LinkFilter; answer: Page<PaymentLink> };
  /** One payment link. */
  'GET /payment-links/{id}': { path: [id: string]; answer: PaymentLink };
  /** Stop a payment link, or let it take payments again. */
  'PATCH /payment-links/{id}': {
    path: [id: string];
    body: {
      /** false stops the link, true lets it take payments again. */
      active: boolean;
    };
    answer: PaymentLink;
  };
  /** Refund a payment. */
  'POST /payments/{payment_reference}/refunds': {
    path: [payment_reference: string];
    body: RefundInput;
    answer: Refund;
  };
  /** The refunds of a payment. */
  'GET /payments/{payment_reference}/refunds': { path: [payment_reference: string]; answer: Page<Refund> };
  /** Cancel a refund that is not being sent yet. */
  'POST /payments/{payment_reference}/refunds/{id}/cancel': {
    path: [payment_reference: string, id: string];
    answer: Refund;
  };
  /** The outcomes that can be played. */
  'GET /test/scenarios': { answer: Page<Scenario> };
  /** Play an outcome on a test payment. */
  'POST /test/payments/{payment_reference}/simulate': {
    path: [payment_reference: string];
    body: SimulateInput;
    answer: Payment;
  };
  /** What playing an outcome would come to. */
  'GET /test/payments/{payment_reference}/script': {
    path: [payment_reference: string];
    query: SimulateInput;
    answer: Script;
  };
  /** What this key may do. */
  'GET /key': { answer: OwnKey };
  /** Order a payout. */
  'POST /payouts': { body: PayoutOrderInput; answer: Payout };
  /** List payouts, newest first. */
  'GET /payouts': { query?: PayoutFilter; answer: Page<Payout> };
  /** Order up to 500 payouts, all or none. */
  'POST /payouts/batch': { body: PayoutBatchInput; answer: PayoutBatch };
  /** One payout. */
  'GET /payouts/{payout}': { path: [payout: string]; answer: Payout };
  /** Cancel a payout that is not being sent yet. */
  'POST /payouts/{payout}/cancel': { path: [payout: string]; answer: Payout };
  /** Fee, minimum and limit of payouts in each asset. */
  'GET /payout-fees': { answer: Page<PayoutFee> };
  /** Play an outcome on a test payout. */
  'POST /test/payouts/{payout}/simulate': {
    path: [payout: string];
    body: {
      outcome: PayoutOutcome;
    };
    answer: Payout;
  };
  /** Give test money to the business. */
  'POST /test/top-ups': {
    body: {
      /** An asset code such as usdc-base or pi; in test mode also one of a test network. */
      asset: string;
      /** A decimal string at the scale of the asset; a JSON number is taken too. */
      amount: string | number;
    };
    answer: {
      asset: string;
      amount: string;
    };
  };
  /** Addresses that top up the business balance. */
  'GET /top-up-addresses': {
    answer: Page<{
      asset: string;
      network: string;
      address: string;
      memo: string | null;
    }>;
  };
  /** The address that tops up the business balance of an asset. */
  'POST /top-up-addresses': {
    body: {
      /** An asset code such as usdc-base or pi; in test mode also one of a test network. */
      asset: string;
    };
    answer: {
      asset: string;
      network: string;
      address: string;
      memo: string | null;
    };
  };
  /** Credit a user's wallet from the business balance. */
  'POST /payment/fund-user': { body: FundUserInput; answer: null };
  /** Whether a user has a wallet. */
  'GET /users/{username}': {
    path: [username: string];
    answer: {
      /** As it was asked for. */
      username: string;
    };
  };
  /** The business balance in every asset. */
  'GET /balances': { answer: Page<Balance> };
  /** The business balance's ledger lines, newest first. */
  'GET /balance-entries': { query?: BalanceEntryFilter; answer: Page<BalanceEntry> };
  /** List events, newest first. */
  'GET /events': { query?: EventFilter; answer: Page<StoredEvent> };
  /** One event. */
  'GET /events/{id}': { path: [id: string]; answer: StoredEvent };
  /** Send an event once more, the same bytes. */
  'POST /events/{id}/resend': { path: [id: string]; answer: ResentEvent };
  /** List webhook endpoints. */
  'GET /webhook-endpoints': { answer: Page<WebhookEndpoint> };
  /** Make a webhook endpoint. */
  'POST /webhook-endpoints': { body: WebhookEndpointInput; answer: NewWebhookEndpoint };
  /** One webhook endpoint. */
  'GET /webhook-endpoints/{id}': { path: [id: string]; answer: WebhookEndpoint };
  /** Change, pause or reactivate a webhook endpoint. */
  'PATCH /webhook-endpoints/{id}': {
    path: [id: string];
    body: WebhookEndpointChange;
    answer: WebhookEndpoint;
  };
  /** Remove a webhook endpoint. */
  'DELETE /webhook-endpoints/{id}': { path: [id: string]; answer: null };
  /** Give a webhook endpoint a new secret. */
  'POST /webhook-endpoints/{id}/roll-secret': {
    path: [id: string];
    body: {
      /** How long the old secret goes on signing beside the new one. */
      overlap_seconds?: number | undefined;
    };
    answer: NewWebhookEndpoint;
  };
  /** Let the newest secret of a webhook endpoint sign alone. */
  'POST /webhook-endpoints/{id}/end-overlap': { path: [id: string]; answer: WebhookEndpoint };
  /** List an endpoint's deliveries and their attempts, newest first. */
  'GET /webhook-endpoints/{id}/deliveries': {
    path: [id: string];
    query?: PageFilter;
    answer: Page<Delivery>;
  };
  /** Send a made-up event to an endpoint. */
  'POST /webhook-endpoints/{id}/test': {
    path: [id: string];
    body: {
      event_type?: EventType | undefined;
    };
    answer: {
      event_id: string;
    };
  };
  /** Send what failed once more, and what was missed. */
  'POST /webhook-endpoints/{id}/replay': { path: [id: string]; body: ReplayInput; answer: Replay };
  /** How far an endpoint's last replay came. */
  'GET /webhook-endpoints/{id}/replay': { path: [id: string]; answer: Replay | null };
  /** What goes wrong on the way to a test endpoint. */
  'GET /test/webhook-endpoints/{id}/chaos': { path: [id: string]; answer: Chaos };
  /** Let things go wrong on the way to a test endpoint. */
  'PUT /test/webhook-endpoints/{id}/chaos': { path: [id: string]; body: ChaosInput; answer: Chaos };
  /** Check whether a receiver keeps the rules. */
  'POST /test/webhook-endpoints/{id}/checks': { path: [id: string]; answer: ReceiverCheck };
  /** The last ten checks of a receiver, newest first. */
  'GET /test/webhook-endpoints/{id}/checks': { path: [id: string]; answer: Page<ReceiverCheck> };
  /** A receiver check's progress and report. */
  'GET /test/webhook-endpoints/{id}/checks/{check}': {
    path: [id: string, check: string];
    answer: ReceiverCheck;
  };
  /** What the test clock shows. */
  'GET /test/clock': { answer: TestClock };
  /** Advance the test clock, and do what became due. */
  'POST /test/clock/advance': {
    body: {
      seconds: number;
    };
    answer: TestClock;
  };
  /** Set the test clock to the real time. */
  'POST /test/clock/reset': { answer: TestClock };
  /** What each currency is worth now. */
  'GET /rates': {
    query: {
      /** An ISO 4217 code, such as `EUR`. */
      price_currency: string;
    };
    answer: {
      items: Rate[];
    };
  };
  /** Set the test rate of a pair. */
  'PUT /test/rates': { body: TestRateInput; answer: Rate };
};
