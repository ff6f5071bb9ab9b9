/** One wrong field of a request, when the gateway names several. */
export type ErrorDetail = { field: string; message: string };

type FlorinErrorFields = {
  status: number;
  code: number;
  slug: string;
  details?: ErrorDetail[];
  requestId?: string | null;
  retryAfterSeconds?: number | null;
  cause?: unknown;
};

/**
 * A call that did not succeed. `message` and `slug` are the gateway's own (contract.md#answers). When no usable answer
 * came, `status` and `code` are 0 and `slug` is `network_error` or `timeout`; an answer that is not the
 * gateway's (a proxy's page, a redirect) keeps its status and has the slug `unexpected_response`.
 */
export class FlorinError extends Error {
  override readonly name = 'FlorinError';
  /** HTTP status, or 0 when there was no answer. */
  readonly status: number;
  /** The gateway's stable number for this error. */
  readonly code: number;
  /** The gateway's stable name for this error (`error` in its body). */
  readonly slug: string;
  /** The wrong fields, when there are several. */
  readonly details: ErrorDetail[];
  /** Quote it when you ask the operator about this call. */
  readonly requestId: string | null;
  /** Set when the gateway said how long to wait. */
  readonly retryAfterSeconds: number | null;
  /** How many requests were sent. */
  tries = 1;
  /** The key that a write was sent with: the same call with it takes effect once, however often it is sent. */
  idempotencyKey: string | null = null;

  constructor(message: string, fields: FlorinErrorFields) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.status = fields.status;
    this.code = fields.code;
    this.slug = fields.slug;
    this.details = fields.details ?? [];
    this.requestId = fields.requestId ?? null;
    this.retryAfterSeconds = fields.retryAfterSeconds ?? null;
  }
}

/** Why a webhook was refused. */
export type WebhookRefusal =
  | 'no_secret'
  | 'bad_secret'
  | 'body_missing'
  | 'body_parsed'
  | 'body_decoded'
  | 'missing_header'
  | 'wrong_signature'
  | 'too_old'
  | 'too_new'
  | 'not_an_event'
  | 'event_id_mismatch';

/** A webhook that could not be verified: answer 400. `message` says what to correct if it was genuine. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly reason: WebhookRefusal;

  constructor(reason: WebhookRefusal, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Why an address was refused; `other_address`: it follows from nothing that was agreed on. */
export type DestinationRefusal =
  | 'bad_terms'
  | 'other_settlement'
  | 'other_merchant'
  | 'other_host'
  | 'other_basis_points'
  | 'other_treasury'
  | 'other_address';

/** An address of a payment that is not the one that follows from what was agreed on. `message` says what differs. */
export class DestinationError extends Error {
  override readonly name = 'DestinationError';
  readonly reason: DestinationRefusal;

  constructor(reason: DestinationRefusal, message: string) {
    super(message);
    this.reason = reason;
  }
}
