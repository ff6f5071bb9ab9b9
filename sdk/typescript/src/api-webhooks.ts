// Written by scripts/sdk-types.ts from the gateway's OpenAPI document: change the gateway, then run it.

/** Which events, and which page. */
export type EventFilter = {
  type?: EventType | undefined;
  /** next_cursor of the page before. */
  cursor?: string | undefined;
  limit?: number | undefined;
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
  | 'refund_created'
  | 'refund_failed'
  | 'payout_awaiting_approval'
  | 'payout_completed'
  | 'payout_failed'
  | 'payout_cancelled'
  | 'webhook_endpoint_disabled';

/** An event as it is stored. */
export type StoredEvent = {
  event_id: string;
  event_type: EventType;
  /** Empty when the event is not of a payment. */
  payment_reference: string;
  /** Empty when the event is not of a payout, or the payout has none. */
  payout_reference: string;
  /** The event's number within its payment or payout, from 1; 0 when it is of neither. */
  sequence: number;
  created_at: string;
  /** The exact text that was, or would have been, sent. */
  body: string;
};

/** An event that is sent again. */
export type ResentEvent = {
  event_id: string;
  /** How many endpoints it goes to. */
  count: number;
};

/** A webhook endpoint, of the mode of its key. */
export type WebhookEndpoint = {
  id: string;
  url: string;
  /** greenfield: a shop made it by the BTCPay door, and gets the webhooks of that API. */
  format: 'florin' | 'greenfield';
  events: (
    | 'payment_completed'
    | 'payment_failed'
    | 'payment_abandoned'
    | 'payment_linked'
    | 'payment_pending'
    | 'payment_cancelled'
    | 'payment_in_appeal'
    | 'payment_appeal_closed'
    | 'payment_refunded'
    | 'refund_created'
    | 'refund_failed'
    | 'payout_awaiting_approval'
    | 'payout_completed'
    | 'payout_failed'
    | 'payout_cancelled'
    | 'webhook_endpoint_disabled'
    | 'InvoiceCreated'
    | 'InvoiceReceivedPayment'
    | 'InvoiceProcessing'
    | 'InvoicePaymentSettled'
    | 'InvoiceSettled'
    | 'InvoiceExpired'
    | 'InvoiceExpiredPaidPartial'
    | 'InvoicePaidAfterExpiration'
    | 'InvoiceInvalid'
  )[];
  status: 'active' | 'paused' | 'disabled';
  created_at: string;
};

/** Body of `webhookEndpoints.create`. */
export type WebhookEndpointInput = {
  /** Where webhooks go: on the public internet, and https in live mode. */
  url: string;
  /** The events that are sent to the endpoint; by default payment_completed, payment_failed, payment_abandoned. */
  events?: EventType[] | undefined;
};

/** An endpoint that was just made, or has a new secret: `secret` is never shown again. */
export type NewWebhookEndpoint = {
  id: string;
  url: string;
  /** greenfield: a shop made it by the BTCPay door, and gets the webhooks of that API. */
  format: 'florin' | 'greenfield';
  events: (
    | 'payment_completed'
    | 'payment_failed'
    | 'payment_abandoned'
    | 'payment_linked'
    | 'payment_pending'
    | 'payment_cancelled'
    | 'payment_in_appeal'
    | 'payment_appeal_closed'
    | 'payment_refunded'
    | 'refund_created'
    | 'refund_failed'
    | 'payout_awaiting_approval'
    | 'payout_completed'
    | 'payout_failed'
    | 'payout_cancelled'
    | 'webhook_endpoint_disabled'
    | 'InvoiceCreated'
    | 'InvoiceReceivedPayment'
    | 'InvoiceProcessing'
    | 'InvoicePaymentSettled'
    | 'InvoiceSettled'
    | 'InvoiceExpired'
    | 'InvoiceExpiredPaidPartial'
    | 'InvoicePaidAfterExpiration'
    | 'InvoiceInvalid'
  )[];
  status: 'active' | 'paused' | 'disabled';
  created_at: string;
  /** whsec_ and base64; shown in this answer alone. */
  secret: string;
};

/** The changes of an endpoint; absent fields stay as they are. */
export type WebhookEndpointChange = {
  /** Where webhooks go: on the public internet, and https in live mode. */
  url?: string | undefined;
  /** The events that are sent to the endpoint; by default payment_completed, payment_failed, payment_abandoned. */
  events?: EventType[] | undefined;
  status?: 'active' | 'paused' | undefined;
};

/** Which page of a list. */
export type PageFilter = {
  /** next_cursor of the page before. */
  cursor?: string | undefined;
  limit?: number | undefined;
};

/** One attempt to deliver an event. */
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
  /** held: the endpoint was paused or disabled when it happened; activating the endpoint sends it. */
  status: 'pending' | 'held' | 'delivered' | 'failed';
  attempts: DeliveryAttempt[];
  next_attempt_at: string | null;
};

/** Body of `webhookEndpoints.replay`. */
export type ReplayInput = {
  /** Only what happened from this time on; absent: all. */
  since?: string | undefined;
  /** failed: deliveries that are not tried again by themselves. missed: those held for it. Absent: both. */
  only?: 'failed' | 'missed' | undefined;
};

/** The progress of a replay of failed and missed events. */
export type Replay = {
  status: 'running' | 'done';
  since: string | null;
  /** How many deliveries were queued so far; when it is done: in all. */
  count: number;
  total: number | null;
  started_at: string;
  finished_at: string | null;
};
