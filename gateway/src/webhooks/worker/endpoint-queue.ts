import { createFirstAttempts, type FirstAttempts } from './first-attempts.ts';
import type { Taken } from './leases.ts';
import type { DueDelivery } from './sql.ts';
import type { Target } from './target.ts';

/** Sends that may be under way at once, and the queues that take turns at them. */
type Pool = { slots: number; ready: EndpointQueue[]; inHand: number };

/** What a worker knows of an endpoint that it holds, and what it has to send there. */
export type EndpointQueue = {
  taken: Taken;
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
  /** When it last had something in hand, by performance.now(). */
  usedAt: number;
  /** Everything that became due before this is in hand or done (`due_ms`). */
  readToMs: number;
  /** When it was last read from its beginning, by performance.now(). */
  wholeAt: number;
  /** Another worker may hold the endpoint now; what is under way ends all the same. */
  isLost: boolean;
  /** Another holder waits for the endpoint: it is let go of when nothing is in hand any more. */
  isLeaving: boolean;
};

export type QueueOptions = {
  /** Sends under way at once, over all endpoints that answer quickly. */
  concurrency: number;
  /** The same for endpoints whose last attempt failed: they have slots of their own. */
  failingConcurrency: number;
  /** The same for endpoints that answer, but slowly: they would take turns at all slots of the others. */
  slowConcurrency: number;
  /** Sends under way at once to one endpoint that answers quickly. */
  endpointConcurrency: number;
  /** False while a lease may have run out. */
  maySend: () => boolean;
  /** Sends; resolves with how long it took, and with when its outcome is recorded. Neither rejects. */
  send: (delivery: DueDelivery, target: Target) => Promise<Sent>;
  /** A delivery of the endpoint was recorded, and its queue runs low. */
  onLow: (queue: EndpointQueue) => void;
};

export type Sent = { durationMs: number; recorded: Promise<void> };

export type EndpointQueues = {
  /** Deliveries in hand: queued, under way, or not recorded yet; of endpoints that fail, or of the others. */
  size(isFailing: boolean): number;
  /** The queue of an endpoint that is held, or was when its lease was lost. */
  get(endpointId: string): EndpointQueue | undefined;
  hold(taken: readonly Taken[]): void;
  /** Queues what was read; returns how much of it: an endpoint that fails takes little. */
  add(queue: EndpointQueue, target: Target, deliveries: readonly DueDelivery[]): number;
  /** Forgets what is queued. */
  drop(queue: EndpointQueue): void;
  /** Holds nothing any more, and forgets what is queued. */
  lose(): void;
  /** Sends what may be sent: after `add`, and after `maySend` was false. */
  serve(): void;
  /** Forgets endpoints that are to be left or had nothing in hand for a while, and returns them. */
  takeIdle(): string[];
  /** Forgets what is queued, and resolves with every endpoint when nothing is in hand any more. */
  drain(): Promise<string[]>;
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
// What was sent leaves dead entries at the front of the index of due deliveries: read from its beginning every
// time, a long queue would grow slower with each that is sent. A due time may be moved back by hand, though.
const wholeEveryMs = 5_000;

export function isFailing(queue: EndpointQueue | undefined): boolean {
  return queue?.target?.failing ?? false;
}

/** It answers, but others must not wait for their turn behind it. */
function isSlow({ averageMs }: EndpointQueue): boolean {
  return averageMs > slowMs;
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

/**
 * Sends the deliveries of held endpoints with one queue for each, which take turns: a few sends at once are open to
 * all; quick answers raise the limit of an endpoint, a slow one sets it to one.
 */
export function createEndpointQueues(options: QueueOptions): EndpointQueues {
  const healthy: Pool = { slots: options.concurrency, ready: [], inHand: 0 };
  const failing: Pool = { slots: options.failingConcurrency, ready: [], inHand: 0 };
  const slow: Pool = { slots: options.slowConcurrency, ready: [], inHand: 0 };
  const queues = new Map<string, EndpointQueue>();
  let onIdle: (() => void) | undefined;

  const total = (): number => healthy.inHand + failing.inHand + slow.inHand;

  /** Counts a queue in the pool where it now belongs. */
  function move(queue: EndpointQueue): void {
    const pool = isFailing(queue) ? failing : isSlow(queue) ? slow : healthy;
    if (queue.isReady || pool === queue.pool) return;
    queue.pool.inHand -= queue.inHand.size;
    pool.inHand += queue.inHand.size;
    queue.pool = pool;
  }

  /** Lets a queue take its turn when it may send. */
  function makeReady(queue: EndpointQueue): void {
    if (queue.isReady || queue.queued.length === 0 || queue.underway.size >= queue.limit) return;
    move(queue);
    queue.isReady = true;
    queue.pool.ready.push(queue);
  }

  function serve(): void {
    if (!options.maySend()) return;
    for (const pool of [healthy, slow, failing]) {
      while (pool.slots > 0) {
        const queue = pool.ready.shift();
        if (!queue) break;
        queue.isReady = false;
        const delivery = queue.queued.shift();
        if (delivery && queue.target) void send(queue, queue.target, pool, delivery);
        makeReady(queue);
      }
    }
  }

  async function send(
    queue: EndpointQueue,
    target: Target,
    pool: Pool,
    delivery: DueDelivery,
  ): Promise<void> {
    pool.slots -= 1;
    queue.underway.add(delivery);
    queue.inHand.set(delivery.id, true);
    const { durationMs, recorded } = await options.send(delivery, target);
    pool.slots += 1;
    queue.underway.delete(delivery);
    queue.limit = durationMs > slowMs ? 1 : Math.min(queue.limit + 1, options.endpointConcurrency);
    queue.averageMs += (durationMs - queue.averageMs) / 4;
    const next = queue.firsts.end(delivery);
    if (next) queue.queued.unshift(next);
    makeReady(queue);
    serve();
    await recorded;
    forget(queue, delivery.id);
    if (queue.isLeaving || roomIn(queue) >= queue.inHand.size) options.onLow(queue);
  }

  function forget(queue: EndpointQueue, id: string): void {
    queue.inHand.delete(id);
    queue.pool.inHand -= 1;
    if (queue.inHand.size === 0) queue.usedAt = performance.now();
    if (total() === 0) onIdle?.();
  }

  function drop(queue: EndpointQueue): void {
    queue.wholeAt = Number.NEGATIVE_INFINITY;
    queue.queued.length = 0;
    queue.firsts = createFirstAttempts();
    for (const delivery of queue.underway) queue.firsts.begin(delivery);
    for (const [id, isSent] of [...queue.inHand]) if (!isSent) forget(queue, id);
  }

  return {
    size: (isFailing) => (isFailing ? failing.inHand : healthy.inHand + slow.inHand),
    get: (endpointId) => queues.get(endpointId),
    hold(taken) {
      for (const each of taken) {
        const queue = queues.get(each.endpoint_id);
        if (queue) queue.isLost = false;
        else queues.set(each.endpoint_id, newQueue(each, healthy));
      }
    },
    add(queue, target, deliveries) {
      // Until an endpoint that fails answers again, it is sent one at a time.
      if (!queue.target && target.failing) Object.assign(queue, { limit: 1, averageMs: slowMs });
      queue.target = target;
      move(queue);
      const added = deliveries.slice(0, roomIn(queue));
      for (const delivery of added) {
        queue.inHand.set(delivery.id, false);
        if (queue.firsts.begin(delivery)) queue.queued.push(delivery);
      }
      queue.pool.inHand += added.length;
      makeReady(queue);
      return added.length;
    },
    drop,
    lose() {
      for (const queue of queues.values()) {
        drop(queue);
        queue.isLost = true;
      }
    },
    serve,
    takeIdle() {
      const now = performance.now();
      const idle = [...queues].filter(
        ([, queue]) =>
          queue.inHand.size === 0 &&
          (queue.isLeaving || queue.usedAt < now - (isSlow(queue) ? keepIdleMs.slow : keepIdleMs.quick)),
      );
      return idle.map(([endpointId]) => {
        queues.delete(endpointId);
        return endpointId;
      });
    },
    async drain() {
      const idle = Promise.withResolvers<void>();
      onIdle = idle.resolve;
      for (const queue of queues.values()) drop(queue);
      if (total() > 0) await idle.promise;
      onIdle = undefined;
      const endpoints = [...queues.keys()];
      queues.clear();
      return endpoints;
    },
  };
}

function newQueue(taken: Taken, pool: Pool): EndpointQueue {
  return {
    taken,
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
