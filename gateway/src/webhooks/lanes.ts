import type { ClaimedDelivery, Rooms } from './claim.ts';
import type { Target } from './target.ts';

/** A claimed delivery that waits for its turn, until `sendBy` (performance.now()) at the latest. */
export type Job = { delivery: ClaimedDelivery; target: Target; sendBy: number };

export type LaneOptions = {
  /** Sends under way at once, over all endpoints that answer. */
  concurrency: number;
  /** The same for endpoints whose last attempt failed: they get slots of their own and take nobody else's. */
  failingConcurrency: number;
  /** Sends under way at once to one endpoint that answers quickly. */
  endpointConcurrency: number;
  /** Sends; resolves with how long it took, and with when its outcome is recorded. Neither rejects. */
  send: (job: Job) => Promise<{ durationMs: number; recorded: Promise<void> }>;
  /** Gives a claim back that could not be sent in time. Never rejects. */
  release: (delivery: ClaimedDelivery) => Promise<void>;
  /** A delivery ended, and its endpoint's queue runs low. */
  onLow: () => void;
};

type Pool = { slots: number; ready: Lane[] };

type Lane = {
  endpointId: string;
  pool: Pool;
  jobs: Job[];
  underway: number;
  /** Sends at once that this endpoint's speed has earned. */
  limit: number;
  /** How long its answers took lately. */
  averageMs: number;
  /** Stands in its pool's row of lanes that may send. */
  waiting: boolean;
  /** When it last had something in hand, by performance.now(). */
  usedAt: number;
};

const firstLimit = 4;
const slowMs = 1_000;
// A lane outlives its last delivery for a while, so that an endpoint need not earn its speed at every claim.
const keepIdleMs = 2_000;
const firstAverageMs = 250;
// A queue holds what its endpoint takes in this time, well within a lease, and no more than a big claim.
const queueMs = 2_000;
const maxQueue = 1_024;

function queueOf({ limit, averageMs }: Lane): number {
  return Math.min(Math.ceil((limit * queueMs) / Math.max(averageMs, 1)), maxQueue);
}

function newLane(endpointId: string, pool: Pool): Lane {
  return {
    endpointId,
    pool,
    jobs: [],
    underway: 0,
    limit: firstLimit,
    averageMs: firstAverageMs,
    waiting: false,
    usedAt: 0,
  };
}

/** Puts the lane in its pool's row when it may send. */
function stand(lane: Lane): void {
  if (lane.waiting || lane.jobs.length === 0 || lane.underway >= lane.limit) return;
  lane.waiting = true;
  lane.pool.ready.push(lane);
}

function learn(lane: Lane, durationMs: number, maxLimit: number): void {
  lane.usedAt = performance.now();
  lane.limit = durationMs > slowMs ? 1 : Math.min(lane.limit + 1, maxLimit);
  lane.averageMs += (durationMs - lane.averageMs) / 4;
}

/** How much more each lane takes; lanes that stood idle for a while are forgotten. */
function roomsOf(lanes: Map<string, Lane>): Rooms {
  const idleBefore = performance.now() - keepIdleMs;
  const rooms = new Map<string, number>();
  for (const [endpointId, lane] of lanes) {
    const inUse = lane.jobs.length + lane.underway;
    if (inUse === 0 && lane.usedAt < idleBefore) lanes.delete(endpointId);
    else rooms.set(endpointId, Math.max(0, queueOf(lane) - inUse));
  }
  return rooms;
}

export type Lanes = {
  /** Deliveries in hand: queued, under way, or not recorded yet. */
  size(): number;
  add(jobs: readonly Job[]): void;
  /** How much more may be claimed of each endpoint that was in hand lately. */
  rooms(): Rooms;
  /** Gives back what is queued, and resolves when nothing is in hand any more. */
  drain(): Promise<void>;
};

/**
 * Sends claimed deliveries with one queue for each endpoint, served in turn: a few sends at once are open
 * to all, more are earned by quick answers and lost by a slow one.
 */
export function createLanes(options: LaneOptions): Lanes {
  const healthy: Pool = { slots: options.concurrency, ready: [] };
  const failing: Pool = { slots: options.failingConcurrency, ready: [] };
  const lanes = new Map<string, Lane>();
  let inHand = 0;
  let onIdle: (() => void) | undefined;

  function enqueue(job: Job): void {
    const { endpoint_id: endpointId, failing: isFailing } = job.delivery;
    const pool = isFailing ? failing : healthy;
    const lane = lanes.get(endpointId) ?? newLane(endpointId, pool);
    lanes.set(endpointId, lane);
    if (!lane.waiting) lane.pool = pool;
    lane.jobs.push(job);
    stand(lane);
  }

  function serve(): void {
    for (const pool of [healthy, failing]) {
      while (pool.slots > 0 && pool.ready.length > 0) serveNext(pool, pool.ready.shift()!);
    }
  }

  function serveNext(pool: Pool, lane: Lane): void {
    lane.waiting = false;
    const job = lane.jobs.shift();
    if (job && performance.now() <= job.sendBy) void run(lane, pool, job);
    else if (job) void giveBack(job);
    stand(lane);
  }

  async function run(lane: Lane, pool: Pool, job: Job): Promise<void> {
    pool.slots -= 1;
    lane.underway += 1;
    const { durationMs, recorded } = await options.send(job);
    pool.slots += 1;
    lane.underway -= 1;
    learn(lane, durationMs, options.endpointConcurrency);
    stand(lane);
    serve();
    await recorded;
    leave();
    if (lane.jobs.length <= queueOf(lane) / 2) options.onLow();
  }

  const giveBack = (job: Job): Promise<void> => options.release(job.delivery).then(leave);

  function leave(): void {
    inHand -= 1;
    if (inHand === 0) onIdle?.();
  }

  return {
    size: () => inHand,
    rooms: () => roomsOf(lanes),
    add(jobs) {
      inHand += jobs.length;
      jobs.forEach(enqueue);
      serve();
    },
    async drain() {
      const idle = Promise.withResolvers<void>();
      onIdle = idle.resolve;
      for (const lane of lanes.values()) lane.jobs.splice(0).forEach(giveBack);
      if (inHand > 0) await idle.promise;
    },
  };
}
