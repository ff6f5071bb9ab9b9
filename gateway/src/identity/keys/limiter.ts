import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { Clock } from '../../kit/clock.ts';
import { kitErrors, Refusal } from '../../kit/errors.ts';
import {
  type BucketPolicy,
  type BucketState,
  type Buckets,
  createTokenBuckets,
  rateLimitHeaders,
} from '../../kit/http/token-bucket.ts';

/** The buckets of one policy. */
export type Limiter = {
  /** Takes a token of the key. Throws `rate_limited` when there is none. */
  take(key: string, reply?: FastifyReply): Promise<void>;
  /** Throws `rate_limited` when there is no token. Takes none. */
  check(key: string): Promise<void>;
  /** Takes a token if there is one; returns whether there was. */
  count(key: string): Promise<boolean>;
  /** Puts back a token that was taken. */
  putBack(key: string): Promise<void>;
};

export type LimiterDeps = {
  now: Clock;
  /** false turns all limits off, for benchmarks. */
  rateLimit: boolean;
  /** Where the buckets are; this process's own where it is left out. */
  openBuckets?: ((policy: BucketPolicy) => Buckets) | undefined;
};

const longestKey = 100;

/** Opens the buckets of policies. */
export function limiters(deps: LimiterDeps): (policy: BucketPolicy) => Limiter {
  const { now, rateLimit, openBuckets = createTokenBuckets } = deps;
  return (policy) => {
    const buckets = openBuckets(policy);
    const timeMs = () => now().getTime();
    const assertAllowed = (state: BucketState, reply?: FastifyReply): void => {
      const headers = rateLimitHeaders(policy, state);
      if (!state.allowed) {
        throw new Refusal(kitErrors.rate_limited, kitErrors.rate_limited.message, { headers });
      }
      if (reply) void reply.headers(headers);
    };
    return {
      async take(key, reply) {
        if (rateLimit) assertAllowed(await buckets.take(boundedKey(key), timeMs()), reply);
      },
      async check(key) {
        if (rateLimit) assertAllowed(await buckets.peek(boundedKey(key), timeMs()));
      },
      async count(key) {
        return rateLimit && (await buckets.take(boundedKey(key), timeMs())).allowed;
      },
      async putBack(key) {
        if (rateLimit) await buckets.putBack(boundedKey(key), timeMs());
      },
    };
  };
}

/** A long key, such as a username that somebody sent, takes as little memory as a short one. */
function boundedKey(key: string): string {
  return key.length <= longestKey ? key : `long ${createHash('sha256').update(key).digest('base64url')}`;
}
