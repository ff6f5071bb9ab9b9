/** One row of the error table: what a client gets, and whether the same request may succeed later. */
export type ErrorRow = {
  readonly slug: string;
  readonly code: number;
  readonly status: number;
  /** The text clients match on; `{name}` is filled in when it is thrown. */
  readonly message: string;
  readonly retryable: boolean;
};

/** `index`: which one of several items that were sent at once. */
export type FieldFault = { index?: number; field: string; message: string };

/** A row as it is written: its key is the slug, and it is retryable only where it says so. */
type WrittenRow = Omit<ErrorRow, 'slug' | 'retryable'> & { readonly retryable?: true };

/** Names every row of a slice's error table by its key. */
export function defineErrors<const T extends Record<string, WrittenRow>>(
  rows: T,
): { readonly [K in keyof T]: ErrorRow } {
  const named = Object.entries(rows).map(([slug, row]) => [slug, { slug, retryable: false, ...row }]);
  return Object.fromEntries(named) as { [K in keyof T]: ErrorRow };
}

/** Headers of the answer to a refused request; a header with several lines is a list. */
export type RefusalHeaders = Record<string, string | string[]>;

type RefusalParts = {
  details?: FieldFault[] | undefined;
  headers?: RefusalHeaders;
  faults?: readonly FieldFault[];
};

/** A request that is refused by a row of the error table. Thrown, so that its transaction rolls back. */
export class Refusal extends Error {
  readonly row: ErrorRow;
  readonly details: FieldFault[] | undefined;
  /** Every wrong field. `details` leaves out a single one, which the message names already. */
  readonly faults: readonly FieldFault[];
  readonly headers: RefusalHeaders;

  constructor(
    row: ErrorRow,
    message: string,
    { details, headers = {}, faults = details ?? [] }: RefusalParts = {},
  ) {
    super(message);
    this.name = 'Refusal';
    this.row = row;
    this.details = details;
    this.headers = headers;
    this.faults = faults;
  }
}

/** Fills the row's placeholders: `refuse(errors.amount_too_large)`, `refuse(errors.field_invalid, { field, why })`. */
export function refuse(row: ErrorRow, values: Record<string, string> = {}): Refusal {
  return new Refusal(
    row,
    row.message.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole),
  );
}

/** Errors that belong to no slice: transport, limits, and faults of ours. */
export const kitErrors = defineErrors({
  internal: { code: 1000, status: 500, message: 'Internal error', retryable: true },
  not_found: { code: 1001, status: 404, message: 'Not found' },
  body_not_json: { code: 1002, status: 400, message: 'Request body is not valid JSON' },
  body_too_large: { code: 1003, status: 413, message: 'Request body is too large' },
  content_type: { code: 1004, status: 415, message: 'Content-Type must be application/json' },
  rate_limited: { code: 1005, status: 429, message: 'Too many requests', retryable: true },
  unavailable: { code: 1006, status: 503, message: 'Temporarily unavailable', retryable: true },
  field_invalid: { code: 1007, status: 400, message: '{field} is invalid: {why}' },
  idempotency_in_use: { code: 1008, status: 409, message: 'Idempotency-Key is in use', retryable: true },
  idempotency_mismatch: {
    code: 1009,
    status: 422,
    message: 'Idempotency-Key was used with a different request',
  },
  bad_request: { code: 1010, status: 400, message: 'Bad request' },
  foreign_form: { code: 1011, status: 403, message: 'This form was sent from another site' },
  request_timeout: { code: 1012, status: 408, message: 'Request took too long to arrive', retryable: true },
  headers_too_large: { code: 1013, status: 431, message: 'Request headers are too large' },
  content_encoding: {
    code: 1014,
    status: 415,
    message: 'Content-Encoding is not supported: send the body uncompressed',
  },
});
