import {
  adapt,
  type EndpointQueue,
  expectFailures,
  isIdle,
  newQueue,
  rereadWhole,
  roomIn,
} from './endpoint-queue.ts';
import { createFirstAttempts } from './first-attempts.ts';
import type { HeldEndpoint } from './leases.ts';
import { createPools, type PoolOptions, type Turn } from './pools.ts';
import type { DueDelivery } from './sql.ts';
import type { Target } from './target.ts';

export type QueueOptions = PoolOptions & {
  /** Sends under way at once to one endpoint that answers quickly. */
  endpointConcurrency: number;
  /** False while a lease may have run out. */
  maySend: () => boolean;
  /** Sends; resolves with how long it took, and with when its outcome is recorded. Neither rejects. */
  send: (delivery: DueDelivery, target: Target) => Promise<Sent>;
  /** A delivery of the endpoint was recorded, and its queue runs low. */
  onLow: (queue: EndpointQueue) => void;
};

type Sent = { durationMs: number; recorded: Promise<void> };

export type EndpointQueues = {
  /** Deliveries in hand: queued, under way, or not recorded yet; of endpoints that fail, or of the others. */
  size(isFailing: boolean): number;
  /** The queue of an endpoint that is held, or was when its lease was lost. */
  get(endpointId: string): EndpointQueue | undefined;
  hold(endpoints: readonly HeldEndpoint[]): void;
  /** Queues what was read. Returns how many were queued: an endpoint that fails takes few. */
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

/** The queue of an endpoint that this worker holds. */
export function heldQueue(queues: EndpointQueues, endpointId: string): EndpointQueue | undefined {
  const queue = queues.get(endpointId);
  return queue?.isLost ? undefined : queue;
}

/**
 * Sends the deliveries of held endpoints with one queue for each, which take turns: every endpoint may have a few
 * sends under way at once; quick answers raise that limit of an endpoint, a slow one sets it to one.
 */
export function createEndpointQueues(options: QueueOptions): EndpointQueues {
  const pools = createPools(options);
  const queues = new Map<string, EndpointQueue>();

  function serve(): void {
    if (options.maySend()) pools.serve((turn) => void send(turn));
  }

  async function send({ queue, target, pool, delivery }: Turn): Promise<void> {
    pool.slots -= 1;
    queue.underway.add(delivery);
    queue.inHand.set(delivery.id, true);
    const { durationMs, recorded } = await options.send(delivery, target);
    pool.slots += 1;
    queue.underway.delete(delivery);
    adapt(queue, durationMs, options.endpointConcurrency);
    const next = queue.firsts.end(delivery);
    if (next) queue.queued.unshift(next);
    pools.makeReady(queue);
    serve();
    await recorded;
    forget(queue, delivery.id);
    if (queue.isLeaving || roomIn(queue) >= queue.inHand.size) options.onLow(queue);
  }

  function forget(queue: EndpointQueue, id: string): void {
    queue.inHand.delete(id);
    if (queue.inHand.size === 0) queue.usedAt = performance.now();
    pools.remove(queue);
  }

  function drop(queue: EndpointQueue): void {
    rereadWhole(queue);
    queue.queued.length = 0;
    queue.firsts = createFirstAttempts();
    for (const delivery of queue.underway) queue.firsts.begin(delivery);
    for (const [id, isSent] of [...queue.inHand]) if (!isSent) forget(queue, id);
  }

  return {
    size: pools.size,
    get: (endpointId) => queues.get(endpointId),
    hold(endpoints) {
      for (const each of endpoints) {
        const queue = queues.get(each.endpoint_id);
        if (queue) queue.isLost = false;
        else queues.set(each.endpoint_id, newQueue(each, pools.first));
      }
    },
    add(queue, target, deliveries) {
      if (!queue.target && target.failing) expectFailures(queue);
      queue.target = target;
      pools.move(queue);
      const added = deliveries.slice(0, roomIn(queue));
      for (const delivery of added) {
        queue.inHand.set(delivery.id, false);
        if (queue.firsts.begin(delivery)) queue.queued.push(delivery);
      }
      pools.add(queue, added.length);
      pools.makeReady(queue);
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
      const idle = [...queues].filter(([, queue]) => isIdle(queue, now)).map(([endpointId]) => endpointId);
      for (const endpointId of idle) queues.delete(endpointId);
      return idle;
    },
    async drain() {
      for (const queue of queues.values()) drop(queue);
      await pools.whenEmpty();
      const endpoints = [...queues.keys()];
      queues.clear();
      return endpoints;
    },
  };
}
