/** How fast a bucket refills and how much it holds. */
export type BucketPolicy = {
  name: string;
  perSecond: number;
  burst: number;
  /** Used so often that a process takes several tokens at once where another process keeps the buckets. */
  isLeased?: boolean;
};

export type BucketState = { allowed: boolean; remaining: number; resetSeconds: number; retrySeconds: number };

/** How many tokens were taken of a bucket, and its state then. */
export type Grant = BucketState & { granted: number };

export type TokenBuckets = {
  /** Takes a token if there is one. */
  take(key: string, nowMs: number): BucketState;
  /** The state of a bucket, without taking a token. */
  peek(key: string, nowMs: number): BucketState;
  /** Puts back a token that was taken. */
  putBack(key: string, nowMs: number): void;
  /** Takes the tokens that there are, at most `most`; a negative number puts tokens back. */
  takeMany(key: string, most: number, nowMs: number): Grant;
};

type MaybeLater<T> = T | Promise<T>;

/** The buckets of a policy, wherever they are. */
export type Buckets = {
  take(key: string, nowMs: number): MaybeLater<BucketState>;
  peek(key: string, nowMs: number): MaybeLater<BucketState>;
  putBack(key: string, nowMs: number): MaybeLater<void>;
};

const sweepEvery = 10_000;

/** Token buckets in memory, one for each key. Full ones are dropped, so that many different keys cannot fill the memory. */
export function createTokenBuckets({ perSecond, burst }: BucketPolicy): TokenBuckets {
  const buckets = new Map<string, { tokens: number; atMs: number }>();
  let untilSweep = sweepEvery;

  function level(bucket: { tokens: number; atMs: number }, nowMs: number): number {
    // A clock that was set back adds and removes no token.
    const elapsedMs = Math.max(0, nowMs - bucket.atMs);
    return Math.min(burst, bucket.tokens + (elapsedMs / 1000) * perSecond);
  }

  function sweep(nowMs: number): void {
    untilSweep = sweepEvery;
    for (const [key, bucket] of buckets) if (level(bucket, nowMs) >= burst) buckets.delete(key);
  }

  function takeMany(key: string, most: number, nowMs: number): Grant {
    const bucket = buckets.get(key) ?? { tokens: burst, atMs: nowMs };
    let tokens = level(bucket, nowMs);
    const allowed = tokens >= 1;
    const granted = most < 0 ? most : Math.min(most, Math.floor(tokens));
    if (most !== 0) {
      tokens = Math.min(burst, tokens - granted);
      buckets.set(key, { tokens, atMs: nowMs });
      if (--untilSweep <= 0) sweep(nowMs);
    }
    return {
      granted,
      allowed,
      remaining: Math.floor(tokens),
      resetSeconds: Math.ceil((burst - tokens) / perSecond),
      retrySeconds: allowed ? 0 : Math.max(1, Math.ceil((1 - tokens) / perSecond)),
    };
  }

  return {
    take: (key, nowMs) => takeMany(key, 1, nowMs),
    peek: (key, nowMs) => takeMany(key, 0, nowMs),
    putBack: (key, nowMs) => void takeMany(key, -1, nowMs),
    takeMany,
  };
}

/** The RateLimit fields (IETF draft 10) of a bucket, and Retry-After when it is empty. */
export function rateLimitHeaders(
  { name, perSecond, burst }: BucketPolicy,
  state: BucketState,
): Record<string, string> {
  const window = Math.max(1, Math.ceil(burst / perSecond));
  const headers: Record<string, string> = {
    'ratelimit-policy': `"${name}";q=${burst};w=${window}`,
    ratelimit: `"${name}";r=${state.remaining};t=${state.resetSeconds}`,
  };
  if (!state.allowed) headers['retry-after'] = String(state.retrySeconds);
  return headers;
}
