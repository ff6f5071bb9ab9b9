import type { Case } from './case.ts';
import type { ExchangeReport } from './report.ts';

/** The result of a request: a complete answer, or why there was none. */
export type SendResult =
  | { statusCode: number; headers: Record<string, string | string[]>; body: Buffer; durationMs: number }
  | { error: string; durationMs: number };

/**
 * How a case ended: 2xx, 3xx, 4xx, 5xx, a request to come back later, no answer in time, a broken connection, or
 * not sent. Ordered from the best for the receiver to the worst.
 */
const outcomes = ['taken', 'unsent', 'later', 'refused', 'redirected', 'failed', 'slow', 'dropped'] as const;
type Outcome = (typeof outcomes)[number];

/** What a receiver answered to a case, as the report shows it and as the rules judge it. */
export type Answer = ExchangeReport & {
  case: Case;
  outcome: Outcome;
  /** The address of a redirect. */
  location: string | null;
  /** The seconds of `Retry-After`. */
  retrySeconds: number | null;
};

/** A timer may fire this many milliseconds too early. */
const timerSlackMs = 20;
/** How many characters of an answer are kept. */
const responseLength = 500;

/** Values in `hide` are left out of what is kept: a receiver may echo them. */
export function answerOf(
  one: Case,
  result: SendResult,
  { timeoutMs, hide }: { timeoutMs: number; hide: readonly string[] },
): Answer {
  const { durationMs } = result;
  if ('error' in result) {
    const outcome = durationMs >= timeoutMs - timerSlackMs ? 'slow' : 'dropped';
    return answer(one, outcome, { error: result.error, duration_ms: durationMs });
  }
  const { statusCode, headers, body } = result;
  const [location = ''] = [headers.location].flat();
  const [retryAfter = null] = [headers['retry-after']].flat();
  const isLater = statusCode === 429 || (statusCode === 503 && retryAfter !== null);
  return answer(one, isLater ? 'later' : outcomeOf(statusCode), {
    status_code: statusCode,
    duration_ms: durationMs,
    response: readable(body.toString('utf8'), hide),
    location: location === '' ? null : readable(location, hide),
    retrySeconds:
      retryAfter !== null && /^\d{1,6}$/.test(retryAfter) ? Number.parseInt(retryAfter, 10) : null,
  });
}

export function unsent(one: Case, error: string): Answer {
  return answer(one, 'unsent', { error });
}

function answer(one: Case, outcome: Outcome, seen: Partial<Answer>): Answer {
  const { status_code = null, duration_ms = 0, error = null, response = null } = seen;
  return {
    name: one.name,
    title: one.title,
    expects: one.why,
    as_expected: isAsExpected(one, outcome, status_code),
    times: one.times ?? 1,
    status_code,
    duration_ms,
    error,
    response,
    case: one,
    outcome,
    location: seen.location ?? null,
    retrySeconds: seen.retrySeconds ?? null,
  };
}

/** The part of an answer that the report shows. */
export function exchangeReport(answer: Answer): ExchangeReport {
  const { case: _, outcome, location, retrySeconds, ...report } = answer;
  return report;
}

function outcomeOf(statusCode: number): Outcome {
  if (statusCode < 300) return 'taken';
  if (statusCode < 400) return 'redirected';
  return statusCode < 500 ? 'refused' : 'failed';
}

// PostgreSQL stores neither NUL nor half of a surrogate pair.
function readable(text: string, hide: readonly string[]): string {
  const shown = hide.reduce((shown, value) => shown.replaceAll(value, '(hidden)'), text);
  return shown.replaceAll('\0', '\uFFFD').slice(0, responseLength).toWellFormed();
}

/** The worst of several answers that were sent at once; of equally bad ones the slowest. */
export function worstOf(answers: readonly Answer[]): Answer {
  return answers.reduce((worst, next) => {
    const more = outcomes.indexOf(next.outcome) - outcomes.indexOf(worst.outcome);
    return more > 0 || (more === 0 && next.duration_ms > worst.duration_ms) ? next : worst;
  });
}

function isAsExpected(one: Case, outcome: Outcome, statusCode: number | null): boolean | null {
  if (outcome === 'unsent' || outcome === 'later') return null;
  if (statusCode !== null && statusCode === one.alsoRight) return true;
  if (outcome === 'slow' || outcome === 'dropped') return false;
  if (one.expect === 'survived') return outcome === 'failed' ? false : null;
  // A redirect to a sign-in page refuses as well.
  if (one.expect === 'refused') return outcome === 'refused' || outcome === 'redirected';
  return outcome === 'taken';
}

/** The answer as the end of a sentence: `answered 500 after 12 ms, saying "…"`. */
export function answerText({ status_code, duration_ms, error, response, outcome, location }: Answer): string {
  if (outcome === 'slow') return `gave no complete answer within ${Math.round(duration_ms / 100) / 10} s`;
  if (/connection was closed|ECONNRESET|EPIPE/.test(error ?? ''))
    return 'closed the connection without an answer';
  if (status_code === null) return `gave no answer: ${error}`;
  const words = wordsOf(response ?? '');
  const quoted = words === '' ? '' : `, saying "${shortened(words)}"`;
  const target = location === null ? '' : `, with a redirect to ${location}`;
  return `answered ${status_code} after ${duration_ms} ms${target}${quoted}`;
}

/** The text of an answer without the markup of a page: some frameworks answer programs with pages too. */
function wordsOf(text: string): string {
  const isPage = text.trimStart().startsWith('<');
  const shown = isPage ? text.replace(/<(style|script|title)[\s\S]*?<\/\1>|<[^>]*>?/gi, ' ') : text;
  return shown.replace(/\s+/g, ' ').trim();
}

const quoteLength = 140;

function shortened(text: string): string {
  return text.length <= quoteLength ? text : `${text.slice(0, quoteLength - 1).toWellFormed()}…`;
}
