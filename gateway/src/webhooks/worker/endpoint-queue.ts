import type { DueDelivery } from './due.ts';
import { createFirstAttempts, type FirstAttempts } from './first-attempts.ts';
import type { Taken } from './leases.ts';
import type { Target } from './target.ts';

/** Sends that may be under way at once, and the lanes that take turns at them. */
export type Pool = { slots: number; ready: Lane[]; inHand: number };

/** What a worker knows of an endpoint that it holds. */
export type Lane = {
  taken: Taken;
  /** As it was last read; undefined at first. */
  target: Target | undefined;
  pool: Pool;
  jobs: DueDelivery[];
  underway: Set<DueDelivery>;
  /** What is queued, under way or not recorded yet, by id; true when it has been sent. */
  inHand: Map<string, boolean>;
  firsts: FirstAttempts;
  /** Sends at once that this endpoint's speed has earned. */
  limit: number;
  /** How long its answers took lately. */
  averageMs: number;
  /** Stands in its pool's row of lanes that may send. */
  waiting: boolean;
  /** When it last had something in hand, by performance.now(). */
  usedAt: number;
  /** Everything that became due before this is in hand or done (`due_ms`). */
  readToMs: number;
  /** When its queue was last read from its beginning, by performance.now(). */
  wholeAt: number;
  /** Another worker may hold the endpoint now; what is under way ends all the same. */
  lost: boolean;
  /** Another holder waits for the endpoint. */
  leaving: boolean;
};

const firstLimit = 4;
const slowMs = 1_000;
const firstAverageMs = 250;
export const firstRoom = 8;
// A queue holds what its endpoint takes in this time.
const queueMs = 2_000;
const maxQueue = 1_024;
const maxFailingQueue = 64;
// What was sent leaves dead entries at the front of the index of due deliveries: read from its beginning every
// time, a long queue would grow slower with each that is sent. A due time may be moved back by hand, though.
const wholeEveryMs = 5_000;

export function newLane(taken: Taken, pool: Pool): Lane {
  return {
    taken,
    target: undefined,
    pool,
    jobs: [],
    underway: new Set(),
    inHand: new Map(),
    firsts: createFirstAttempts(),
    limit: firstLimit,
    averageMs: firstAverageMs,
    waiting: false,
    usedAt: performance.now(),
    readToMs: 0,
    wholeAt: Number.NEGATIVE_INFINITY,
    lost: false,
    leaving: false,
  };
}

/** Until an endpoint that fails answers again, it is sent one at a time. */
export function aim(lane: Lane, target: Target): void {
  if (!lane.target && target.failing) {
    lane.limit = 1;
    lane.averageMs = slowMs;
  }
  lane.target = target;
}

/** Quick answers earn more sends at once, up to `maxLimit`; a slow one loses them. */
export function learn(lane: Lane, durationMs: number, maxLimit: number): void {
  lane.limit = durationMs > slowMs ? 1 : Math.min(lane.limit + 1, maxLimit);
  lane.averageMs += (durationMs - lane.averageMs) / 4;
}

/** It answers, but others must not wait for their turn behind it. */
export function isSlow({ averageMs }: Lane): boolean {
  return averageMs > slowMs;
}

/** How much of the endpoint may be in hand. */
export function capacityOf({ target, limit, averageMs }: Lane): number {
  if (!target) return firstRoom;
  const most = target.failing ? maxFailingQueue : maxQueue;
  return Math.min(Math.ceil((limit * queueMs) / Math.max(averageMs, 1)), most);
}

/** From which `due_ms` on to read it: now and then from the beginning. */
export function takeFromMs(lane: Lane): number {
  const now = performance.now();
  if (now < lane.wholeAt + wholeEveryMs) return lane.readToMs;
  lane.wholeAt = now;
  return 0;
}

/** Forgets what is queued, and answers its ids. */
export function emptyQueue(lane: Lane): string[] {
  lane.wholeAt = Number.NEGATIVE_INFINITY;
  lane.jobs.length = 0;
  lane.firsts = createFirstAttempts();
  for (const job of lane.underway) lane.firsts.begin(job);
  return [...lane.inHand].flatMap(([id, sent]) => (sent ? [] : [id]));
}
