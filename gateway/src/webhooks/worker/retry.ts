const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** The waits before the ten retries, in seconds (contract.md#webhooks). */
const waits: readonly number[] = [minute, 5 * minute, 30 * minute, 2 * hour, day, day, day, day, day, day];
const jitter = 0.1;

/** How an attempt was answered; `statusCode` is null when no answer came. */
export type Answer = { statusCode: number | null; retryAfter: string | undefined };

export const noAnswer: Answer = { statusCode: null, retryAfter: undefined };

export type Verdict = { status: 'delivered' | 'failed' } | { status: 'pending'; waitSeconds: number };

/**
 * What becomes of a delivery after its `attempt`-th try, counted from 1. `random` gives numbers in [0, 1);
 * `now` in ms is what an HTTP date in Retry-After is measured against.
 */
export function judgeAttempt(
  attempt: number,
  { statusCode, retryAfter }: Answer,
  random: () => number,
  now: number,
): Verdict {
  if (statusCode !== null && statusCode >= 200 && statusCode < 300) return { status: 'delivered' };
  const wait = waits[attempt - 1];
  if (statusCode === 410 || wait === undefined) return { status: 'failed' };
  const asked = statusCode === 429 || statusCode === 503 ? readRetryAfter(retryAfter, now) : null;
  // The jitter only lengthens what the receiver asked for; it shortens or lengthens Florin's own waits.
  if (asked !== null) return { status: 'pending', waitSeconds: asked * (1 + jitter * random()) };
  return { status: 'pending', waitSeconds: wait * (1 - jitter + 2 * jitter * random()) };
}

/** Seconds that a Retry-After field asks for, from 1 s to 24 h; null when it is unreadable. */
function readRetryAfter(value: string | undefined, now: number): number | null {
  const text = value?.trim() ?? '';
  if (/^\d{1,10}$/.test(text)) return clamp(Number.parseInt(text, 10));
  // Date.parse takes much that is no HTTP date; every HTTP date begins with the name of a day.
  const date = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : clamp((date - now) / 1000);
}

function clamp(seconds: number): number {
  return Math.min(Math.max(seconds, 1), day);
}
