import { batched } from '../db/batch.ts';
import { type BucketPolicy, type Buckets, createTokenBuckets, type Grant } from './token-bucket.ts';

/** Asks for at most `most` tokens of one bucket; 0 only reads its state, a negative number puts tokens back. */
export type TokenRequest = { policy: BucketPolicy; key: string; most: number };

/** Answers each request, in order. */
export type AskForTokens = (requests: TokenRequest[]) => Promise<Grant[]>;

/** How long tokens that were taken ahead may be used. */
const leaseMs = 1_000;
/** The share of its burst that a process takes ahead. */
const leasedShare = 1 / 50;
const sweepEvery = 10_000;

/** Keeps the buckets of all processes, by the policies that they name. */
export function createBucketKeeper(nowMs: () => number): (requests: readonly TokenRequest[]) => Grant[] {
  const kept = new Map<string, ReturnType<typeof createTokenBuckets>>();
  return (requests) =>
    requests.map(({ policy, key, most }) => {
      let buckets = kept.get(policy.name);
      if (!buckets) {
        buckets = createTokenBuckets(policy);
        kept.set(policy.name, buckets);
      }
      return buckets.takeMany(key, most, nowMs());
    });
}

/**
 * Buckets that another process keeps for `processes` processes together. With a leased policy several tokens are taken at
 * once and used within a second. All processes together never let more requests through than the buckets have tokens.
 */
export function createSharedBuckets(ask: AskForTokens, processes: number): (policy: BucketPolicy) => Buckets {
  // Requests that come while others are under way are asked together.
  const take = batched<TokenRequest, Grant>(async (requests) => shareOut(requests, ask));

  return (policy) => {
    const leases = new Map<string, { state: Grant; left: number; untilMs: number }>();
    const ahead = policy.isLeased ? chunkOf(policy, processes) : 1;
    const refillSeconds = Math.max(1, Math.ceil(1 / policy.perSecond));
    let untilSweep = sweepEvery;

    function keep(key: string, state: Grant, nowMs: number): void {
      const unused = leases.get(key);
      const left = state.granted - 1 + (unused && unused.untilMs > nowMs ? unused.left : 0);
      leases.set(key, { state, left, untilMs: nowMs + leaseMs });
      if (--untilSweep > 0) return;
      untilSweep = sweepEvery;
      for (const [other, { untilMs }] of leases) if (untilMs <= nowMs) leases.delete(other);
    }

    async function lease(key: string, nowMs: number): Promise<Grant> {
      const state = await take({ policy, key, most: ahead });
      if (state.granted === 0) {
        return { ...state, allowed: false, retrySeconds: state.retrySeconds || refillSeconds };
      }
      if (state.granted > 1) keep(key, state, nowMs);
      return { ...state, remaining: state.remaining + state.granted - 1 };
    }

    return {
      take(key, nowMs) {
        const held = leases.get(key);
        if (!held) return lease(key, nowMs);
        if (held.untilMs <= nowMs || held.left === 0) {
          leases.delete(key);
          return lease(key, nowMs);
        }
        held.left--;
        return { ...held.state, remaining: held.state.remaining + held.left };
      },
      peek: (key) => take({ policy, key, most: 0 }),
      async putBack(key) {
        await take({ policy, key, most: -1 });
      },
    };
  };
}

/** How many tokens a process takes ahead: the unused ones of all processes are at most a quarter of what refills. */
function chunkOf({ perSecond, burst }: BucketPolicy, processes: number): number {
  return Math.max(1, Math.floor(Math.min(burst * leasedShare, perSecond / (4 * processes))));
}

/** Asks once for each bucket, and divides the granted tokens: one for each request, and the rest for the first. */
async function shareOut(requests: readonly TokenRequest[], ask: AskForTokens): Promise<Grant[]> {
  const byBucket = Map.groupBy(
    requests,
    ({ policy, key, most }) => `${policy.name} ${Math.sign(most)} ${key}`,
  );
  const asked = [...byBucket.values()].map((group) => {
    const first = group[0] as TokenRequest;
    if (first.most > 0) return { ...first, most: Math.max(first.most, group.length) };
    return { ...first, most: first.most * group.length };
  });
  const grants = await ask(asked);
  const given = new Map<TokenRequest, Grant>();
  [...byBucket.values()].forEach((group, index) => {
    const grant = grants[index] as Grant;
    group.forEach((request, place) => {
      const token = place < grant.granted ? 1 : 0;
      const rest = place === 0 ? Math.max(0, grant.granted - group.length) : 0;
      given.set(request, { ...grant, granted: token + rest });
    });
  });
  return requests.map((request) => given.get(request) as Grant);
}
