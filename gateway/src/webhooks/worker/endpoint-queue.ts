import { createFirstAttempts, type FirstAttempts } from './first-attempts.ts';
import type { HeldEndpoint } from './leases.ts';
import type { DueDelivery } from './sql.ts';
import type { Target } from './target.ts';

/** Sends that may still begin, the queues that take turns at them, and the deliveries in hand of all its queues. */
export type Pool = { slots: number; ready: EndpointQueue[]; inHand: number };

/** What a worker knows of an endpoint that it holds, and what it has to send there. Times are of performance.now(). */
export type EndpointQueue = {
  endpoint: HeldEndpoint;
  /** As it was last read; undefined at first. */
  target: Target | undefined;
  pool: Pool;
  queued: DueDelivery[];
  underway: Set<DueDelivery>;
  /** What is queued, under way or not recorded yet, by id; true when it has been sent. */
  inHand: Map<string, boolean>;
  firsts: FirstAttempts;
  /** How many sends may be under way at once; quick answers raise it. */
  limit: number;
  /** How long its answers took lately. */
  averageMs: number;
  /** It is among its pool's `ready` ones. */
  isReady: boolean;
  /** When it last had something in hand. */
  usedAt: number;
  /** Everything that became due before this is in hand or done (`due_ms`). */
  readToMs: number;
  /** When it was last read from its beginning. */
  wholeAt: number;
  /** Another worker may hold the endpoint now; what is under way ends all the same. */
  isLost: boolean;
  /** Another holder waits for the endpoint: it is let go of when nothing is in hand any more. */
  isLeaving: boolean;
};

// A lease outlives the last delivery for a while, so that an endpoint keeps its limit from one event to the next. A
// slow one is remembered for longer, or its every burst would begin in the slots of the others.
const keepIdleMs = { quick: 3_000, slow: 600_000 };
const firstLimit = 4;
const slowMs = 1_000;
const firstAverageMs = 250;
const firstRoom = 8;
// A queue holds what its endpoint takes in this time.
const queueMs = 2_000;
const maxQueued = { healthy: 1_024, failing: 64 };
// Sent deliveries leave dead entries at the front of the index of due deliveries. If a long queue were always read
// from its beginning, each read would be slower than the last. But a due time may be moved back by hand.
const wholeEveryMs = 5_000;

export function newQueue(endpoint: HeldEndpoint, pool: Pool): EndpointQueue {
  return {
    endpoint,
    target: undefined,
    pool,
    queued: [],
    underway: new Set(),
    inHand: new Map(),
    firsts: createFirstAttempts(),
    limit: firstLimit,
    averageMs: firstAverageMs,
    isReady: false,
    usedAt: performance.now(),
    readToMs: 0,
    wholeAt: Number.NEGATIVE_INFINITY,
    isLost: false,
    isLeaving: false,
  };
}

export function isFailing(queue: EndpointQueue | undefined): boolean {
  return queue?.target?.failing ?? false;
}

/** It answers, but so slowly that others must not wait behind it. */
export function isSlow({ averageMs }: EndpointQueue): boolean {
  return averageMs > slowMs;
}

/** Nothing is in hand, and it is to be left, or has been so for a while. */
export function isIdle(queue: EndpointQueue, now: number): boolean {
  if (queue.inHand.size > 0) return false;
  return queue.isLeaving || queue.usedAt < now - (isSlow(queue) ? keepIdleMs.slow : keepIdleMs.quick);
}

/** How many more deliveries of an endpoint may be in hand; undefined: it is not held. */
export function roomIn(queue: EndpointQueue | undefined): number {
  if (!queue?.target) return firstRoom - (queue?.inHand.size ?? 0);
  const { target, limit, averageMs, inHand } = queue;
  const most = target.failing ? maxQueued.failing : maxQueued.healthy;
  return Math.max(0, Math.min(Math.ceil((limit * queueMs) / Math.max(averageMs, 1)), most) - inHand.size);
}

/** From which `due_ms` on to read a queue: now and then from the beginning. */
export function readFromMs(queue: EndpointQueue): number {
  const now = performance.now();
  if (now < queue.wholeAt + wholeEveryMs) return queue.readToMs;
  queue.wholeAt = now;
  return 0;
}

/** The next read begins at the beginning. */
export function rereadWhole(queue: EndpointQueue): void {
  queue.wholeAt = Number.NEGATIVE_INFINITY;
}

/** Sends one at a time until the endpoint, which fails, answers again. */
export function expectFailures(queue: EndpointQueue): void {
  queue.limit = 1;
  queue.averageMs = slowMs;
}

/** Changes the limit and the average of a queue after an answer that took so long. */
export function adapt(queue: EndpointQueue, durationMs: number, maxLimit: number): void {
  queue.limit = durationMs > slowMs ? 1 : Math.min(queue.limit + 1, maxLimit);
  queue.averageMs += (durationMs - queue.averageMs) / 4;
}
