import { type ErrorDetail, FlorinError } from './errors.ts';
import { noAnswer } from './exchange.ts';

type Envelope = {
  message?: unknown;
  data?: unknown;
  code?: unknown;
  error?: unknown;
  request_id?: unknown;
  details?: unknown;
};

/**
 * Takes `data` out of the gateway's envelope.
 * @throws FlorinError for every status but 2xx, and for an answer that is not the gateway's.
 */
export function readEnvelope(response: Response, text: string, now: number): unknown {
  const envelope = parseEnvelope(text);
  if (response.ok && envelope) return envelope.data ?? null;
  // A connection that closes early can end a body without an error.
  const isCut = text === '' || (text.startsWith('{') && !text.trimEnd().endsWith('}'));
  if (response.ok && isCut) throw noAnswer('network_error', 'The answer broke off', undefined);

  const fields = {
    status: response.status,
    requestId: asText(envelope?.request_id) ?? response.headers.get('x-request-id'),
    retryAfterSeconds: readRetryAfter(response.headers.get('retry-after'), now),
  };
  const message = asText(envelope?.message);
  if (!envelope || message === null || response.ok) {
    const foreign = `The address answered ${response.status} but not as a Florin gateway does: check baseUrl`;
    throw new FlorinError(foreign, { ...fields, code: 0, slug: 'unexpected_response' });
  }
  throw new FlorinError(message, {
    ...fields,
    code: typeof envelope.code === 'number' ? envelope.code : 0,
    slug: asText(envelope.error) ?? 'unknown',
    details: Array.isArray(envelope.details) ? (envelope.details as ErrorDetail[]) : [],
  });
}

function parseEnvelope(text: string): Envelope | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'message' in value ? value : null;
  } catch {
    return null;
  }
}

function asText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** Retry-After is either a number of seconds or an HTTP date (RFC 9110, 10.2.3). */
function readRetryAfter(value: string | null, now: number): number | null {
  if (value === null) return null;
  if (/^\d+$/.test(value)) return Number.parseInt(value, 10);
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1000));
}
