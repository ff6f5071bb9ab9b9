import type { ExchangeResult } from '../kit/net/safe-fetch.ts';
import type { Case } from './case.ts';
import type { ExchangeReport } from './report.ts';

/**
 * How an exchange ended: 2xx, 3xx, 4xx, 5xx, asked to come back later, no answer in time, a broken
 * connection, or never sent.
 */
export type Outcome = 'taken' | 'redirected' | 'refused' | 'failed' | 'later' | 'slow' | 'dropped' | 'unsent';

export type Result = {
  case: Case;
  outcome: Outcome;
  statusCode: number | null;
  durationMs: number;
  error: string | null;
  response: string | null;
  /** Where it redirects to. */
  location: string | null;
  /** How long it asks to wait. */
  retrySeconds: number | null;
};

/** By so much a timer may seem early. */
const timerSlackMs = 20;
/** What is kept of an answer, in characters. */
const responseLength = 500;

/** `hide` are values that an answer may echo and nobody should see. */
export function resultOf(
  one: Case,
  result: ExchangeResult,
  timeoutMs: number,
  hide: readonly string[],
): Result {
  const unanswered = { case: one, statusCode: null, response: null, location: null, retrySeconds: null };
  if ('error' in result) {
    const { error, durationMs } = result;
    const isSlow = durationMs >= timeoutMs - timerSlackMs;
    return { ...unanswered, outcome: isSlow ? 'slow' : 'dropped', error, durationMs };
  }
  const { statusCode, headers, body, durationMs } = result;
  const [location = ''] = [headers.location].flat();
  const [retryAfter] = [headers['retry-after']].flat();
  const isLater = statusCode === 429 || (statusCode === 503 && retryAfter !== undefined);
  return {
    case: one,
    outcome: isLater ? 'later' : outcomeOf(statusCode),
    statusCode,
    durationMs,
    error: null,
    response: readable(body.toString('utf8'), hide),
    location: location === '' ? null : readable(location, hide),
    retrySeconds: /^\d{1,6}$/.test(retryAfter ?? '') ? Number.parseInt(retryAfter!, 10) : null,
  };
}

export function unsent(one: Case, error: string): Result {
  return {
    case: one,
    outcome: 'unsent',
    statusCode: null,
    durationMs: 0,
    error,
    response: null,
    location: null,
    retrySeconds: null,
  };
}

function outcomeOf(statusCode: number): Outcome {
  if (statusCode < 300) return 'taken';
  if (statusCode < 400) return 'redirected';
  return statusCode < 500 ? 'refused' : 'failed';
}

// PostgreSQL has no place for NUL, nor for half of a character that was cut.
function readable(text: string, hide: readonly string[]): string {
  const shown = hide.reduce((shown, value) => shown.replaceAll(value, '(hidden)'), text);
  return shown.replaceAll('\0', '\uFFFD').slice(0, responseLength).toWellFormed();
}

const badness: readonly Outcome[] = [
  'taken',
  'unsent',
  'later',
  'refused',
  'redirected',
  'failed',
  'slow',
  'dropped',
];

/** Of several that were sent at once, the one that speaks most against the receiver; else the slowest. */
export function worstOf(results: readonly Result[]): Result {
  const rank = ({ outcome }: Result): number => badness.indexOf(outcome);
  return results.reduce((worst, next) => {
    const more = rank(next) - rank(worst);
    return more > 0 || (more === 0 && next.durationMs > worst.durationMs) ? next : worst;
  });
}

export function exchangeReport(result: Result): ExchangeReport {
  const { case: one, statusCode, durationMs, error, response } = result;
  return {
    name: one.name,
    title: one.title,
    expects: one.why,
    as_expected: isAsExpected(result),
    times: one.times ?? 1,
    status_code: statusCode,
    duration_ms: durationMs,
    error,
    response,
  };
}

/** Whether it is a status that the case allows besides. */
export function isAlsoRight({ case: one, statusCode }: Result): boolean {
  return statusCode !== null && statusCode === one.alsoRight;
}

function isAsExpected(result: Result): boolean | null {
  const {
    case: { expect },
    outcome,
  } = result;
  if (outcome === 'unsent' || outcome === 'later') return null;
  if (isAlsoRight(result)) return true;
  if (outcome === 'slow' || outcome === 'dropped') return false;
  if (expect === 'withstood') return outcome === 'failed' ? false : null;
  // A redirection to a sign-in page refuses as well.
  if (expect === 'refused') return outcome === 'refused' || outcome === 'redirected';
  return outcome === 'taken';
}

/** What came back, as the end of a sentence: `answered 500 after 12 ms, saying "…"`. */
export function toldOf({ statusCode, durationMs, error, response, outcome }: Result): string {
  if (outcome === 'slow') return `gave no complete answer within ${Math.round(durationMs / 100) / 10} s`;
  if (/connection was closed|ECONNRESET|EPIPE/.test(error ?? ''))
    return 'closed the connection without an answer';
  if (statusCode === null) return `gave no answer: ${error}`;
  const words = wordsOf(response ?? '');
  const quoted = words === '' ? '' : `, saying "${shortened(words)}"`;
  return `answered ${statusCode} after ${durationMs} ms${quoted}`;
}

/** What a person reads there: some frameworks answer a page even to programs. */
function wordsOf(text: string): string {
  const isPage = text.trimStart().startsWith('<');
  const shown = isPage ? text.replace(/<(style|script|title)[\s\S]*?<\/\1>|<[^>]*>?/gi, ' ') : text;
  return shown.replace(/\s+/g, ' ').trim();
}

const quoteLength = 140;

function shortened(text: string): string {
  return text.length <= quoteLength ? text : `${text.slice(0, quoteLength - 1).toWellFormed()}…`;
}
