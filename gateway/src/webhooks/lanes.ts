import type { ClaimedDelivery } from './claim.ts';
import { createFirstAttempts, type FirstAttempts } from './first-attempts.ts';
import type { Taken } from './leases.ts';
import type { Target } from './target.ts';

export type LaneOptions = {
  /** Sends under way at once, over all endpoints that answer. */
  concurrency: number;
  /** The same for endpoints whose last attempt failed: they get slots of their own and take nobody else's. */
  failingConcurrency: number;
  /** Sends under way at once to one endpoint that answers quickly. */
  endpointConcurrency: number;
  /** Sends under way at once to endpoints that somebody waits for. */
  hurriedConcurrency: number;
  /** False while a lease may have run out. */
  maySend: () => boolean;
  /** Sends; resolves with how long it took, and with when its outcome is recorded. Neither rejects. */
  send: (delivery: ClaimedDelivery, target: Target) => Promise<Sent>;
  /** A delivery of the endpoint was recorded, and its queue runs low. */
  onLow: (endpointId: string) => void;
};

export type Sent = { durationMs: number; recorded: Promise<void> };

type Pool = { slots: number; ready: Lane[]; inHand: number };

type Lane = {
  taken: Taken;
  target: Target | undefined;
  pool: Pool;
  jobs: ClaimedDelivery[];
  underway: Set<ClaimedDelivery>;
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
  /** Everything that became due before this is in hand or done (`due_ms`), as far as a whole reading found. */
  readToMs: number;
  wholeAt: number;
  /** Another worker may hold the endpoint now; what is under way ends all the same. */
  lost: boolean;
};

const firstLimit = 4;
const slowMs = 1_000;
// A lease outlives the last delivery for a while, so that an endpoint need not earn its speed with every event.
const keepIdleMs = 3_000;
const firstAverageMs = 250;
const firstRoom = 8;
// A queue holds what its endpoint takes in this time.
const queueMs = 2_000;
const maxQueue = 1_024;
const maxFailingQueue = 64;
const hurryMs = 10_000;

function newLane(taken: Taken, pool: Pool): Lane {
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
  };
}

// What was sent leaves dead entries at the front of the index of due deliveries: reading from its beginning every
// time, a long queue would grow slower with each that is sent. A due time may be moved back by hand, though.
const wholeEveryMs = 5_000;

function learn(lane: Lane, durationMs: number, maxLimit: number): void {
  lane.limit = durationMs > slowMs ? 1 : Math.min(lane.limit + 1, maxLimit);
  lane.averageMs += (durationMs - lane.averageMs) / 4;
}

export type Lanes = {
  /** Deliveries in hand: queued, under way, or not recorded yet; of endpoints that fail, or of the others. */
  size(failing: boolean): number;
  /** Whose endpoint it is; undefined when it is not held. */
  find(endpointId: string): Taken | undefined;
  isFailing(endpointId: string): boolean;
  /** How many more of its deliveries to read. */
  room(endpointId: string): number;
  /** From which `due_ms` on to read it. */
  fromMs(endpointId: string): number;
  /** The endpoint was read up to there, from `fromMs` on. */
  readTo(endpointId: string, fromMs: number, toMs: number): void;
  /** The deliveries of these endpoints that are in hand. */
  inHand(endpoints: readonly string[]): string[];
  hold(taken: readonly Taken[]): void;
  /** Queues what was read of a held endpoint; answers how much of it: one that fails takes little. */
  add(endpointId: string, target: Target, deliveries: readonly ClaimedDelivery[]): number;
  /** For some seconds, sends to the endpoint more at once than its speed has earned. */
  hurry(endpointId: string): void;
  /** Forgets what is queued for an endpoint. */
  drop(endpointId: string): void;
  /** Holds nothing any more, and forgets what is queued. */
  lose(): void;
  /** Goes on after `maySend` answered no. */
  serve(): void;
  /** Forgets endpoints that had nothing in hand for a while, and answers them. */
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
  const hurriedPool: Pool = { slots: options.hurriedConcurrency, ready: [], inHand: 0 };
  const hurried = new Map<string, number>();
  const lanes = new Map<string, Lane>();
  let onIdle: (() => void) | undefined;

  const isHurried = ({ taken }: Lane): boolean => (hurried.get(taken.endpoint_id) ?? 0) > performance.now();
  const limitOf = (lane: Lane): number => (isHurried(lane) ? options.hurriedConcurrency : lane.limit);
  const total = (): number => healthy.inHand + failing.inHand + hurriedPool.inHand;

  function capacityOf(lane: Lane): number {
    if (isHurried(lane)) return maxQueue;
    if (!lane.target) return firstRoom;
    const most = lane.target.failing ? maxFailingQueue : maxQueue;
    return Math.min(Math.ceil((lane.limit * queueMs) / Math.max(lane.averageMs, 1)), most);
  }

  /** Counts the lane where it now belongs. */
  function move(lane: Lane): void {
    const pool = isHurried(lane) ? hurriedPool : lane.target?.failing ? failing : healthy;
    if (lane.waiting || pool === lane.pool) return;
    lane.pool.inHand -= lane.inHand.size;
    pool.inHand += lane.inHand.size;
    lane.pool = pool;
  }

  /** Puts the lane in its pool's row when it may send. */
  function stand(lane: Lane): void {
    if (lane.waiting || lane.jobs.length === 0 || lane.underway.size >= limitOf(lane)) return;
    move(lane);
    lane.waiting = true;
    lane.pool.ready.push(lane);
  }

  function serve(): void {
    if (!options.maySend()) return;
    for (const pool of [hurriedPool, healthy, failing]) {
      while (pool.slots > 0 && pool.ready.length > 0) {
        const lane = pool.ready.shift()!;
        lane.waiting = false;
        const job = lane.jobs.shift();
        if (job) void run(lane, pool, job);
        stand(lane);
      }
    }
  }

  async function run(lane: Lane, pool: Pool, job: ClaimedDelivery): Promise<void> {
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
    if (lane.inHand.size <= capacityOf(lane) / 2) options.onLow(lane.taken.endpoint_id);
  }

  function aim(lane: Lane, target: Target): void {
    if (!lane.target && target.failing) {
      // Until it answers again it is sent one at a time.
      lane.limit = 1;
      lane.averageMs = slowMs;
    }
    lane.target = target;
    move(lane);
  }

  function drop(lane: Lane): void {
    lane.jobs.length = 0;
    lane.readToMs = 0;
    lane.firsts = createFirstAttempts();
    for (const job of lane.underway) lane.firsts.begin(job);
    for (const [id, sent] of lane.inHand) if (!sent) forget(lane, id);
  }

  function forget(lane: Lane, id: string): void {
    lane.inHand.delete(id);
    lane.pool.inHand -= 1;
    if (lane.inHand.size === 0) lane.usedAt = performance.now();
    if (total() === 0) onIdle?.();
  }

  return {
    size: (isFailing) => (isFailing ? failing.inHand : healthy.inHand),
    find(endpointId) {
      const lane = lanes.get(endpointId);
      return lane?.lost ? undefined : lane?.taken;
    },
    isFailing: (endpointId) => lanes.get(endpointId)?.target?.failing ?? false,
    room(endpointId) {
      const lane = lanes.get(endpointId);
      return lane ? Math.max(0, capacityOf(lane) - lane.inHand.size) : firstRoom;
    },
    fromMs(endpointId) {
      const lane = lanes.get(endpointId);
      return lane && performance.now() < lane.wholeAt + wholeEveryMs ? lane.readToMs : 0;
    },
    readTo(endpointId, fromMs, toMs) {
      const lane = lanes.get(endpointId);
      if (!lane) return;
      if (fromMs === 0) lane.wholeAt = performance.now();
      lane.readToMs = toMs;
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
      const queued = deliveries.slice(0, Math.max(0, capacityOf(lane) - lane.inHand.size));
      for (const delivery of queued) {
        lane.inHand.set(delivery.id, false);
        if (lane.firsts.begin(delivery)) lane.jobs.push(delivery);
      }
      lane.pool.inHand += queued.length;
      stand(lane);
      return queued.length;
    },
    hurry(endpointId) {
      hurried.set(endpointId, performance.now() + hurryMs);
      const lane = lanes.get(endpointId);
      if (!lane) return;
      lane.readToMs = 0;
      if (lane.waiting) lane.pool.ready.splice(lane.pool.ready.indexOf(lane), 1);
      lane.waiting = false;
      move(lane);
      stand(lane);
      serve();
    },
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
      const idleBefore = performance.now() - keepIdleMs;
      const idle = [...lanes.values()].filter(
        ({ inHand, usedAt }) => inHand.size === 0 && usedAt < idleBefore,
      );
      return idle.map(({ taken: { endpoint_id } }) => {
        lanes.delete(endpoint_id);
        hurried.delete(endpoint_id);
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
      hurried.clear();
      return endpoints;
    },
  };
}
