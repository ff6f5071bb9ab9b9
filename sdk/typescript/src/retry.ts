import type { FlorinError } from './errors.ts';

const FIRST_DELAY_MS = 250;
const LONGEST_BACKOFF_MS = 8_000;
/** A longer Retry-After is thrown as an error instead of waited for. */
const LONGEST_RETRY_AFTER_SECONDS = 60;

/** Whether the same request, sent again with the same Idempotency-Key, can succeed. */
export function canRetry(error: FlorinError): boolean {
  if ((error.retryAfterSeconds ?? 0) > LONGEST_RETRY_AFTER_SECONDS) return false;
  if (error.status === 0 || error.status === 429 || error.status >= 500) return true;
  return error.status === 409 && error.message === 'Idempotency-Key is in use';
}

/**
 * How long to wait before retry number `retry` (from 0), in milliseconds: doubled each time, drawn from the upper
 * half of that span so that clients which failed together do not return together; never less than the gateway asked.
 */
export function retryDelayMs(error: FlorinError, retry: number, random: number): number {
  const span = Math.min(LONGEST_BACKOFF_MS, FIRST_DELAY_MS * 2 ** retry);
  const backoff = Math.round(span / 2 + (random * span) / 2);
  return Math.max(backoff, (error.retryAfterSeconds ?? 0) * 1000);
}
