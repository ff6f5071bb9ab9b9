import type { Clock } from '../../kit/clock.ts';
import type { ExchangeResult, HttpSender } from '../../kit/net/safe-fetch.ts';
import { allLines, greenfieldHeader, keptLines } from '../deliveries/request-headers.ts';
import { greenfieldSignature } from '../endpoints/greenfield.ts';
import { invoiceBody } from '../events/invoice-events.ts';
import type { Attempt } from './record.ts';
import { judgeAttempt, noAnswer, type Verdict } from './retry.ts';
import type { DueDelivery } from './sql.ts';
import type { Target } from './target.ts';

export type AttemptDeps = {
  sender: HttpSender;
  now: Clock;
  /** Numbers in [0, 1) for the jitter of retries. */
  random: () => number;
};

/** Sends a delivery once, without using the database, and returns what is to be recorded. Never rejects. */
export type AttemptDelivery = (deps: AttemptDeps, delivery: DueDelivery, target: Target) => Promise<Attempt>;

/** One attempt at a delivery (contract.md#webhooks). */
export const attemptDelivery: AttemptDelivery = async (deps, delivery, target) => {
  const at = deps.now();
  if (target.deleted) return unsent(delivery, at, { status: 'failed' }, 'The endpoint was deleted');
  const message = messageOf(delivery, target, at);
  if (!message) {
    const verdict = judgeAttempt(delivery.attempts + 1, noAnswer, deps.random, at.getTime());
    return unsent(delivery, at, verdict, 'The integration has no signing key');
  }
  const { body, headers } = message;
  const sent = withOwnHeaders(target, headers, (value) => value);
  const result = await deps.sender.send({ url: target.url, headers: sent, body, reach: target.reach });
  const attempt = sentAttempt(deps, { delivery, target, at }, result);
  const { event_id: eventId, sequence } = delivery;
  const kept = withOwnHeaders(target, headers, () => hiddenValue);
  attempt.requestHeaders =
    target.format === 'florin' ? keptLines(kept, { eventId, sequence, at }) : allLines(kept);
  return withoutSecrets(target, target.retries ? attempt : onlyOnce(attempt));
};

/** What is sent, in the format of the endpoint; null: nothing can sign it. */
function messageOf(
  delivery: DueDelivery,
  target: Target,
  at: Date,
): { body: Buffer; headers: Record<string, string> } | null {
  if (target.format === 'greenfield') {
    const { id, endpoint_id: endpointId, attempts } = delivery;
    const body = Buffer.from(invoiceBody({ id, endpointId, attempts, body: delivery.body }));
    const signature = greenfieldSignature(body, target.secret);
    return { body, headers: { ...commonHeaders, [greenfieldHeader]: signature } };
  }
  if (!target.sign) return null;
  const body = Buffer.from(delivery.body);
  return { body, headers: headersOf(delivery, target.sign({ id: delivery.event_id, at, body })) };
}

/** An attempt of an endpoint that is not tried again by itself. */
function onlyOnce(attempt: Attempt): Attempt {
  return attempt.status === 'pending' ? { ...attempt, status: 'failed', waitSeconds: null } : attempt;
}

type Signatures = ReturnType<NonNullable<Target['sign']>>;

const commonHeaders = { 'Content-Type': 'application/json', 'User-Agent': 'Florin-Webhooks/1' };

function headersOf({ event_id: id, sequence }: DueDelivery, signatures: Signatures): Record<string, string> {
  return {
    ...commonHeaders,
    'X-Signature': signatures.body,
    'X-Event-Id': id,
    'X-Sequence': `${sequence}`,
    'webhook-id': id,
    'webhook-timestamp': `${signatures.timestamp}`,
    'webhook-signature': signatures.standard,
  };
}

// The values of the merchant's own headers may be secrets, and are not kept.
const hiddenValue = '(hidden)';

/** The merchant's own headers with the values that `shown` gives, then Florin's, which win. */
function withOwnHeaders(
  { headers: own }: Target,
  headers: Record<string, string>,
  shown: (value: string) => string,
): Record<string, string> {
  if (own.length === 0) return headers;
  return { ...Object.fromEntries(own.map(({ name, value }) => [name, shown(value)])), ...headers };
}

// Shorter values are no secrets, and would be found in ordinary words.
const shortestSecret = 6;

/** Hides the merchant's own values in the answer: some receivers repeat the headers that they got. */
function withoutSecrets({ headers }: Target, attempt: Attempt): Attempt {
  if (headers.length === 0) return attempt;
  const secrets = headers.map(({ value }) => value).filter(({ length }) => length >= shortestSecret);
  const clean = (text: string | null) =>
    secrets.reduce((cleaned, secret) => cleaned?.replaceAll(secret, hiddenValue) ?? null, text);
  return {
    ...attempt,
    response: clean(attempt.response),
    responseHeaders: clean(attempt.responseHeaders),
  };
}

function sentAttempt(
  { random, now }: AttemptDeps,
  { delivery, target, at }: { delivery: DueDelivery; target: Target; at: Date },
  result: ExchangeResult,
): Attempt {
  const answered = 'statusCode' in result;
  const answer = {
    statusCode: answered ? result.statusCode : null,
    retryAfter: answered ? [result.headers['retry-after']].flat()[0] : undefined,
  };
  const verdict = judgeAttempt(delivery.attempts + 1, answer, random, now().getTime());
  const delivered = verdict.status === 'delivered';
  const verifies = delivered && !target.verified && !delivery.is_sample;
  return {
    ...unsent(
      delivery,
      at,
      verdict,
      answered ? (delivered ? null : refusalOf(result.statusCode)) : result.error,
    ),
    durationMs: result.durationMs,
    statusCode: answer.statusCode,
    responseHeaders: answered ? linesOf(result.headers) : null,
    response: answered ? readable(result.body) : null,
    healthy: delivered && !target.failing && !verifies ? null : delivered,
    verifies,
  };
}

const redirects = new Set([301, 302, 303, 307, 308]);

function refusalOf(statusCode: number): string {
  return `Answered ${statusCode}${redirects.has(statusCode) ? ': redirects are not followed' : ''}`;
}

/** An attempt for which nothing was sent. */
export function unsent(
  { endpoint_id: endpointId, id: deliveryId, attempts, due_ms: dueMs }: DueDelivery,
  at: Date,
  verdict: Verdict,
  error: string | null,
): Attempt {
  return {
    endpointId,
    deliveryId,
    attempts,
    dueMs,
    status: verdict.status,
    waitSeconds: verdict.status === 'pending' ? verdict.waitSeconds : null,
    at,
    durationMs: 0,
    statusCode: null,
    error,
    requestHeaders: null,
    responseHeaders: null,
    response: null,
    healthy: null,
    verifies: false,
    injectedFault: null,
  };
}

function linesOf(headers: Record<string, string | string[]>): string {
  let lines = '';
  for (const name in headers) {
    const value = headers[name] ?? '';
    for (const one of typeof value === 'string' ? [value] : value) lines += `${name}: ${one}\n`;
  }
  return lines;
}

/** The answer as text that PostgreSQL takes, which is text without NUL. */
function readable(body: Buffer): string {
  return body.toString('utf8').replaceAll('\0', '\uFFFD');
}
