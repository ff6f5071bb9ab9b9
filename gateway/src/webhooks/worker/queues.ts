import type { DueDelivery, Room } from './due.ts';
import {
  aim,
  capacityOf,
  emptyQueue,
  firstRoom,
  isSlow,
  type Lane,
  learn,
  newLane,
  type Pool,
  takeFromMs,
} from './endpoint-queue.ts';
import type { Taken } from './leases.ts';
import type { Target } from './target.ts';

export type LaneOptions = {
  /** Sends under way at once, over all endpoints that answer. */
  concurrency: number;
  /** The same for endpoints whose last attempt failed: they get slots of their own and take nobody else's. */
  failingConcurrency: number;
  /** The same for endpoints that answer, but slowly: with the others they would take turns at all of their slots. */
  slowConcurrency: number;
  /** Sends under way at once to one endpoint that answers quickly. */
  endpointConcurrency: number;
  /** False while a lease may have run out. */
  maySend: () => boolean;
  /** Sends; resolves with how long it took, and with when its outcome is recorded. Neither rejects. */
  send: (delivery: DueDelivery, target: Target) => Promise<Sent>;
  /** A delivery of the endpoint was recorded, and its queue runs low. */
  onLow: (endpointId: string) => void;
};

export type Sent = { durationMs: number; recorded: Promise<void> };

// A lease outlives the last delivery for a while, so that an endpoint need not earn its speed with every event. A
// slow one is remembered for longer, or its every burst would begin in the slots of the others.
const keepIdleMs = { quick: 3_000, slow: 600_000 };

export type Lanes = {
  /** Deliveries in hand: queued, under way, or not recorded yet; of endpoints that fail, or of the others. */
  size(failing: boolean): number;
  /** Whose endpoint it is; undefined when it is not held. */
  find(endpointId: string): Taken | undefined;
  isFailing(endpointId: string): boolean;
  /** How many more of its deliveries may be read, held or not. */
  room(endpointId: string): number;
  /** How many more deliveries to read of an endpoint that is held. */
  reading(endpointId: string): Room;
  /** Everything that became due before (`due_ms`) has been added. */
  readTo(endpointId: string, dueMs: number): void;
  /** The deliveries of these endpoints that are in hand. */
  inHand(endpoints: readonly string[]): string[];
  hold(taken: readonly Taken[]): void;
  /** Queues what was read of a held endpoint; answers how much of it: one that fails takes little. */
  add(endpointId: string, target: Target, deliveries: readonly DueDelivery[]): number;
  /** Forgets what is queued for an endpoint that another holder waits for, and reads nothing more of it. */
  leave(endpointId: string): void;
  /** Whether `leave` was called, and something of the endpoint is still in hand. */
  isLeaving(endpointId: string): boolean;
  /** Forgets what is queued for an endpoint. */
  drop(endpointId: string): void;
  /** Holds nothing any more, and forgets what is queued. */
  lose(): void;
  /** Goes on after `maySend` answered no. */
  serve(): void;
  /** Forgets endpoints that had nothing in hand for a while, or that are to be left, and returns them. */
  takeIdle(): string[];
  /** Forgets what is queued, and resolves with every endpoint when nothing is in hand any more. */
  drain(): Promise<string[]>;
};

/**
 * Sends the deliveries of held endpoints with one queue for each, served in turn: a few sends at once are open
 * to all, more are earned by quick answers and lost by a slow one.
 */
export function createLanes(options: LaneOptions): Lanes {
  const healthy: Pool = { slots: options.concurrency, ready: [], inHand: 0 };
  const failing: Pool = { slots: options.failingConcurrency, ready: [], inHand: 0 };
  const slow: Pool = { slots: options.slowConcurrency, ready: [], inHand: 0 };
  const lanes = new Map<string, Lane>();
  let onIdle: (() => void) | undefined;

  const total = (): number => healthy.inHand + failing.inHand + slow.inHand;

  const roomIn = (lane: Lane): number => Math.max(0, capacityOf(lane) - lane.inHand.size);

  function poolOf(lane: Lane): Pool {
    if (lane.target?.failing) return failing;
    return isSlow(lane) ? slow : healthy;
  }

  /** Counts the lane where it now belongs. */
  function move(lane: Lane): void {
    const pool = poolOf(lane);
    if (lane.waiting || pool === lane.pool) return;
    lane.pool.inHand -= lane.inHand.size;
    pool.inHand += lane.inHand.size;
    lane.pool = pool;
  }

  /** Puts the lane in its pool's row when it may send. */
  function stand(lane: Lane): void {
    if (lane.waiting || lane.jobs.length === 0 || lane.underway.size >= lane.limit) return;
    move(lane);
    lane.waiting = true;
    lane.pool.ready.push(lane);
  }

  function serve(): void {
    if (!options.maySend()) return;
    for (const pool of [healthy, slow, failing]) {
      while (pool.slots > 0 && pool.ready.length > 0) {
        const lane = pool.ready.shift()!;
        lane.waiting = false;
        const job = lane.jobs.shift();
        if (job) void run(lane, pool, job);
        stand(lane);
      }
    }
  }

  async function run(lane: Lane, pool: Pool, job: DueDelivery): Promise<void> {
    pool.slots -= 1;
    lane.underway.add(job);
    lane.inHand.set(job.id, true);
    const { durationMs, recorded } = await options.send(job, lane.target!);
    pool.slots += 1;
    lane.underway.delete(job);
    learn(lane, durationMs, options.endpointConcurrency);
    const next = lane.firsts.end(job);
    if (next) lane.jobs.unshift(next);
    stand(lane);
    serve();
    await recorded;
    forget(lane, job.id);
    if (roomIn(lane) >= lane.inHand.size) options.onLow(lane.taken.endpoint_id);
  }

  function drop(lane: Lane): void {
    for (const id of emptyQueue(lane)) forget(lane, id);
  }

  function forget(lane: Lane, id: string): void {
    lane.inHand.delete(id);
    lane.pool.inHand -= 1;
    if (lane.inHand.size === 0) lane.usedAt = performance.now();
    if (total() === 0) onIdle?.();
  }

  return {
    size: (isFailing) => (isFailing ? failing.inHand : healthy.inHand + slow.inHand),
    find(endpointId) {
      const lane = lanes.get(endpointId);
      return lane?.lost ? undefined : lane?.taken;
    },
    isFailing: (endpointId) => lanes.get(endpointId)?.target?.failing ?? false,
    reading(endpointId) {
      const lane = lanes.get(endpointId)!;
      return { endpointId, room: roomIn(lane), fromMs: takeFromMs(lane) };
    },
    room(endpointId) {
      const lane = lanes.get(endpointId);
      return lane ? roomIn(lane) : firstRoom;
    },
    readTo(endpointId, dueMs) {
      const lane = lanes.get(endpointId);
      if (lane) lane.readToMs = dueMs;
    },
    inHand: (endpoints) => endpoints.flatMap((id) => [...(lanes.get(id)?.inHand.keys() ?? [])]),
    hold(taken) {
      for (const one of taken) {
        const lane = lanes.get(one.endpoint_id);
        if (lane) lane.lost = false;
        else lanes.set(one.endpoint_id, newLane(one, healthy));
      }
    },
    add(endpointId, target, deliveries) {
      const lane = lanes.get(endpointId);
      if (!lane) return 0;
      aim(lane, target);
      move(lane);
      const queued = deliveries.slice(0, roomIn(lane));
      for (const delivery of queued) {
        lane.inHand.set(delivery.id, false);
        if (lane.firsts.begin(delivery)) lane.jobs.push(delivery);
      }
      lane.pool.inHand += queued.length;
      stand(lane);
      return queued.length;
    },
    leave(endpointId) {
      const lane = lanes.get(endpointId);
      if (!lane) return;
      drop(lane);
      lane.leaving = true;
    },
    isLeaving: (endpointId) => lanes.get(endpointId)?.leaving ?? false,
    drop(endpointId) {
      const lane = lanes.get(endpointId);
      if (lane) drop(lane);
    },
    lose() {
      for (const lane of lanes.values()) {
        drop(lane);
        lane.lost = true;
      }
    },
    serve,
    takeIdle() {
      const now = performance.now();
      const idle = [...lanes.values()].filter(
        (lane) =>
          lane.inHand.size === 0 &&
          (lane.leaving || lane.usedAt < now - (isSlow(lane) ? keepIdleMs.slow : keepIdleMs.quick)),
      );
      return idle.map(({ taken: { endpoint_id } }) => {
        lanes.delete(endpoint_id);
        return endpoint_id;
      });
    },
    async drain() {
      const idle = Promise.withResolvers<void>();
      onIdle = idle.resolve;
      for (const lane of lanes.values()) drop(lane);
      if (total() > 0) await idle.promise;
      onIdle = undefined;
      const endpoints = [...lanes.keys()];
      lanes.clear();
      return endpoints;
    },
  };
}
