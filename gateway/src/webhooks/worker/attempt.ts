import type { Clock } from '../../kit/clock.ts';
import type { ExchangeResult, Sender } from '../../kit/net/safe-fetch.ts';
import { type HeaderFacts, keptLines } from '../deliveries/request-headers.ts';
import { bodySignature, standardSignature } from '../endpoints/sign.ts';
import { numberOfNext, type Signing, signingOf, strikeOfNext, struck, withheld } from './chaos-attempt.ts';
import type { ClaimedDelivery } from './due.ts';
import type { Attempt } from './record.ts';
import { judgeAttempt, noAnswer, type Verdict } from './retry.ts';
import type { Target } from './target.ts';

export type AttemptDeps = {
  sender: Sender;
  now: Clock;
  /** Numbers in [0, 1) for the jitter of retries. */
  random: () => number;
};

/** Sends a delivery once, without touching the database, and says what there is to record. Never rejects. */
export async function attemptDelivery(
  deps: AttemptDeps,
  delivery: ClaimedDelivery,
  target: Target,
): Promise<Attempt> {
  const at = deps.now();
  if (target.deleted) return unsent(delivery, at, { status: 'failed' }, 'The endpoint was deleted');
  const strike = strikeOfNext(delivery, target);
  const lost = () => judgeAttempt(numberOfNext(delivery, target), noAnswer, deps.random, at.getTime());
  const held = withheld(strike, target);
  if (held) {
    const { error, waitSeconds } = held;
    const verdict = waitSeconds === 'dropped' ? lost() : ({ status: 'pending', waitSeconds } as const);
    return { ...unsent(delivery, at, verdict, error), chaos: strike };
  }
  const { signingKey, endpointKeys } = target;
  if (!signingKey) return unsent(delivery, at, lost(), 'The integration has no signing key');
  const body = Buffer.from(delivery.body);
  const signing = signingOf(strike, { signingKey, endpointKeys, at }, delivery, target);
  const headers = requestHeaders(delivery, signing, body);
  const sent = joined(target, headers, (value) => value);
  const result = await deps.sender.send({ url: target.url, headers: sent, body, reach: target.reach });
  const shown = joined(target, headers, () => hiddenValue);
  const attempt = attemptOf(deps, delivery, target, at, shown, result);
  return withoutValues(target, strike ? struck(strike, attempt) : attempt);
}

/** contract.md 4. */
function requestHeaders(
  { event_id: id, sequence }: ClaimedDelivery,
  { signingKey, endpointKeys, at }: Signing,
  body: Buffer,
): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1000);
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Florin-Webhooks/1',
    'X-Signature': bodySignature(body, signingKey),
    'X-Event-Id': id,
    'X-Sequence': `${sequence}`,
    'webhook-id': id,
    'webhook-timestamp': `${timestamp}`,
    'webhook-signature': standardSignature({ id, timestamp, body }, endpointKeys),
  };
}

const hiddenValue = '(hidden)';

/** The merchant's own headers, then Florin's. What is kept of the own ones is hidden: their values may be secrets. */
function joined(
  { headers: own }: Target,
  headers: Record<string, string>,
  shown: (value: string) => string,
): Record<string, string> {
  if (own.length === 0) return headers;
  return { ...Object.fromEntries(own.map(({ name, value }) => [name, shown(value)])), ...headers };
}

/** Shorter ones are no secrets, and would be found in many a word. */
const shortestSecret = 6;

/** Some receivers answer with the headers that they got, above all when something is wrong. */
function withoutValues({ headers }: Target, attempt: Attempt): Attempt {
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

function attemptOf(
  { random, now }: AttemptDeps,
  delivery: ClaimedDelivery,
  target: Target,
  at: Date,
  requestHeaders: Record<string, string>,
  result: ExchangeResult,
): Attempt {
  const answered = 'statusCode' in result;
  const answer = {
    statusCode: answered ? result.statusCode : null,
    retryAfter: answered ? [result.headers['retry-after']].flat()[0] : undefined,
  };
  const verdict = judgeAttempt(numberOfNext(delivery, target), answer, random, now().getTime());
  const delivered = verdict.status === 'delivered';
  const verifies = delivered && !target.verified && !delivery.is_sample;
  return {
    ...claimOf(delivery),
    ...fateOf(verdict),
    at,
    durationMs: result.durationMs,
    statusCode: answer.statusCode,
    error: answered ? (delivered ? null : refusalOf(result.statusCode)) : result.error,
    requestHeaders: keptLines(requestHeaders, factsOf(delivery, at)),
    responseHeaders: answered ? linesOf(result.headers) : null,
    response: answered ? readable(result.body) : null,
    healthy: delivered && !target.failing && !verifies ? null : delivered,
    verifies,
    chaos: null,
  };
}

const redirects = new Set([301, 302, 303, 307, 308]);

function refusalOf(statusCode: number): string {
  return `Answered ${statusCode}${redirects.has(statusCode) ? ': redirects are not followed' : ''}`;
}

function unsent(delivery: ClaimedDelivery, at: Date, verdict: Verdict, error: string): Attempt {
  return {
    ...claimOf(delivery),
    ...fateOf(verdict),
    at,
    durationMs: 0,
    statusCode: null,
    error,
    requestHeaders: null,
    responseHeaders: null,
    response: null,
    healthy: null,
    verifies: false,
    chaos: null,
  };
}

function factsOf({ event_id: eventId, sequence }: ClaimedDelivery, at: Date): HeaderFacts {
  return { eventId, sequence, at };
}

function fateOf(verdict: Verdict): Pick<Attempt, 'status' | 'waitSeconds'> {
  return { status: verdict.status, waitSeconds: verdict.status === 'pending' ? verdict.waitSeconds : null };
}

function claimOf({ endpoint_id, id, attempts, due_ms }: ClaimedDelivery) {
  return { endpointId: endpoint_id, deliveryId: id, attempts, dueMs: due_ms };
}

function linesOf(headers: Record<string, string | string[]>): string {
  let lines = '';
  for (const name in headers) {
    const value = headers[name]!;
    for (const one of typeof value === 'string' ? [value] : value) lines += `${name}: ${one}\n`;
  }
  return lines;
}

/** The answer as text that PostgreSQL takes: it has no place for NUL. */
function readable(body: Buffer): string {
  return body.toString('utf8').replaceAll('\0', '\uFFFD');
}
