import { plain } from './endpoint-address.ts';

/**
 * Why an endpoint gave no answer that can be used:
 * - `unreachable`: no connection, or an HTTP status that says nothing more
 * - `timeout`: no complete answer in time
 * - `rate_limited`: it was asked too often
 * - `too_much`: it would answer if it were asked for less at once
 * - `refused`: it understood the call and refused it
 * - `nonsense`: its answer is malformed, or contradicts itself
 * - `behind`: it does not know the newest blocks yet
 * - `wrong_chain`: it serves another chain
 */
export type FaultKind =
  | 'unreachable'
  | 'timeout'
  | 'rate_limited'
  | 'too_much'
  | 'refused'
  | 'nonsense'
  | 'behind'
  | 'wrong_chain';

/** The message may hold text of an endpoint, and it is stored, shown and logged. */
const longestMessage = 500;

/** What went wrong with an endpoint. The message names its host, never its address. */
export class EndpointFault extends Error {
  readonly kind: FaultKind;
  /** How long the endpoint asked not to be called. */
  readonly retryAfterMs: number | undefined;

  constructor(kind: FaultKind, message: string, retryAfterMs?: number) {
    super(plain(message.slice(0, longestMessage)));
    this.name = new.target.name;
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * The `Retry-After` of an answer in milliseconds: it is seconds, or a date that is read against `now`. Undefined
 * without one.
 */
export function retryAfterMs(header: string | string[] | undefined, now: Date): number | undefined {
  const text = Array.isArray(header) ? header[0] : header;
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number.parseInt(text, 10) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
}

/** The kind of a fault, by the error of the HTTP client. */
export function kindOfExchange(error: Error & { code?: string }): FaultKind {
  if (error.name === 'TimeoutError' || error.code?.includes('TIMEOUT')) return 'timeout';
  return error.code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE' ? 'nonsense' : 'unreachable';
}

/** True when a kept connection was closed at the other end before it answered, which is not the endpoint's fault. */
export function isBroken(error: Error & { code?: string }): boolean {
  return error.code === 'UND_ERR_SOCKET' || error.code === 'ECONNRESET' || error.code === 'EPIPE';
}

/** Why an HTTP request failed, in words. */
export function describeExchange(error: Error & { code?: string }, timeoutMs: number): string {
  if (error.name === 'TimeoutError') return `no complete answer within ${timeoutMs / 1000} s`;
  const cause = error instanceof AggregateError ? (error.errors[0] as Error) : error;
  return cause.message || cause.name;
}
