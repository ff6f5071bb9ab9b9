import { type EndpointQueue, isFailing, isSlow, type Pool } from './endpoint-queue.ts';
import type { DueDelivery } from './sql.ts';
import type { Target } from './target.ts';

export type PoolOptions = {
  /** Sends under way at once, over all endpoints that answer quickly. */
  concurrency: number;
  /** The same for endpoints whose last attempt failed: they have slots of their own. */
  failingConcurrency: number;
  /** The same for endpoints that answer, but slowly: they would take turns at all slots of the others. */
  slowConcurrency: number;
};

export type Turn = { queue: EndpointQueue; target: Target; pool: Pool; delivery: DueDelivery };

/** The pools, and in which of them each queue is. */
export type Pools = {
  /** The pool in which a queue begins. */
  first: Pool;
  /** Deliveries in hand: of endpoints that fail, or of the others. */
  size(isFailing: boolean): number;
  /** Moves a queue to the pool in which it now belongs, unless it waits for its turn. */
  move(queue: EndpointQueue): void;
  /** Lets a queue take its turn when it may send. */
  makeReady(queue: EndpointQueue): void;
  /** Gives out turns while there are slots. `send` takes the slot. */
  serve(send: (turn: Turn) => void): void;
  /** Counts deliveries of a queue that came in hand. */
  add(queue: EndpointQueue, count: number): void;
  /** Counts one that is in hand no more. */
  remove(queue: EndpointQueue): void;
  /** Resolves when nothing is in hand. */
  whenEmpty(): Promise<void>;
};

export function createPools(options: PoolOptions): Pools {
  const healthy: Pool = { slots: options.concurrency, ready: [], inHand: 0 };
  const failing: Pool = { slots: options.failingConcurrency, ready: [], inHand: 0 };
  const slow: Pool = { slots: options.slowConcurrency, ready: [], inHand: 0 };
  let onEmpty: (() => void) | undefined;

  const total = (): number => healthy.inHand + failing.inHand + slow.inHand;

  function move(queue: EndpointQueue): void {
    const pool = isFailing(queue) ? failing : isSlow(queue) ? slow : healthy;
    if (queue.isReady || pool === queue.pool) return;
    queue.pool.inHand -= queue.inHand.size;
    pool.inHand += queue.inHand.size;
    queue.pool = pool;
  }

  function makeReady(queue: EndpointQueue): void {
    if (queue.isReady || queue.queued.length === 0 || queue.underway.size >= queue.limit) return;
    move(queue);
    queue.isReady = true;
    queue.pool.ready.push(queue);
  }

  return {
    first: healthy,
    size: (isFailing) => (isFailing ? failing.inHand : healthy.inHand + slow.inHand),
    move,
    makeReady,
    serve(send) {
      for (const pool of [healthy, slow, failing]) {
        while (pool.slots > 0) {
          const queue = pool.ready.shift();
          if (!queue) break;
          queue.isReady = false;
          const delivery = queue.queued.shift();
          if (delivery && queue.target) send({ queue, target: queue.target, pool, delivery });
          makeReady(queue);
        }
      }
    },
    add(queue, count) {
      queue.pool.inHand += count;
    },
    remove(queue) {
      queue.pool.inHand -= 1;
      if (total() === 0) onEmpty?.();
    },
    async whenEmpty() {
      const empty = Promise.withResolvers<void>();
      onEmpty = empty.resolve;
      if (total() > 0) await empty.promise;
      onEmpty = undefined;
    },
  };
}
