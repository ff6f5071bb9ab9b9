import type { Codes } from '../core/results.ts';
import type { Json } from '../views/links.ts';

/** An answer: JSON, or text that is none. */
export type Answer = { status: number; body: Json | string; headers?: Record<string, string> };

function problem(status: number, name: string, title: string, detail: string, extras?: Json): Answer {
  const type = `https://stellar.org/horizon-errors/${name}`;
  return { status, body: { type, title, status, detail, ...(extras && { extras }) } };
}

export const notFound = (): Answer =>
  problem(
    404,
    'not_found',
    'Resource Missing',
    'The resource at the url requested was not found.  This usually occurs for one of two reasons:  The url ' +
      'requested is not valid, or no data in our database could be found with the parameters provided.',
  );

export const badRequest = (field: string, reason: string): Answer =>
  problem(400, 'bad_request', 'Bad Request', 'The request you sent was invalid in some way.', {
    invalid_field: field,
    reason,
  });

export const timedOut = (): Answer =>
  problem(
    504,
    'timeout',
    'Timeout',
    'Your request timed out before completing.  Please try your request again. If you are submitting a ' +
      'transaction make sure you are sending exactly the same transaction (with the same sequence number).',
  );

export const overLimit = (): Answer =>
  problem(
    429,
    'rate_limit_exceeded',
    'Rate Limit Exceeded',
    'The rate limit for the requesting IP address is over its alloted limit.  The allowed limit and requests ' +
      "left per time period are communicated to clients via the http response headers 'X-RateLimit-*' headers.",
  );

export const staleHistory = (): Answer =>
  problem(
    503,
    'stale_history',
    'Historical DB Is Too Stale',
    'This horizon instance is configured to reject client requests when it can determine that the history ' +
      'database is lagging too far behind the connected instance of stellar-core or read replica. Please try ' +
      'again later.',
  );

export const serverError = (): Answer =>
  problem(
    500,
    'server_error',
    'Internal Server Error',
    'An error occurred while processing this request.  This is usually due to a bug within the server ' +
      'software.  Trying this request again may succeed if the bug is transient, otherwise please contact the ' +
      'system administrator.',
  );

export const malformed = (envelopeXdr: string): Answer =>
  problem(
    400,
    'transaction_malformed',
    'Transaction Malformed',
    'Horizon could not decode the transaction envelope in this request. A transaction should be an XDR ' +
      'TransactionEnvelope struct encoded using base64.  The envelope read from this request is echoed in the ' +
      '`extras.envelope_xdr` field of this response for your convenience.',
    { envelope_xdr: envelopeXdr },
  );

export const transactionFailed = (failed: { envelopeXdr: string; codes: Codes; resultXdr: string }): Answer =>
  problem(
    400,
    'transaction_failed',
    'Transaction Failed',
    'The transaction failed when submitted to the stellar network. The `extras.result_codes` field on this ' +
      'response contains further details.  Descriptions of each code can be found at: ' +
      'https://developers.stellar.org/api/errors/http-status-codes/horizon-specific/transaction-failed/',
    {
      envelope_xdr: failed.envelopeXdr,
      result_codes: {
        transaction: failed.codes.transaction,
        ...(failed.codes.operations && { operations: failed.codes.operations }),
      },
      result_xdr: failed.resultXdr,
    },
  );
