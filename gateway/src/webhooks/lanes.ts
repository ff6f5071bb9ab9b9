import type { ClaimedDelivery, Room } from './claim.ts';
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

export type Lanes = ReturnType<typeof createLanes>;

/**
 * Sends claimed deliveries with one queue for each endpoint, served in turn: the first send is open to
 * all, more at once are earned by quick answers and lost by a slow one.
 */
export function createLanes(options: LaneOptions) {
  const healthy: Pool = { slots: options.concurrency, ready: [] };
  const failing: Pool = { slots: options.failingConcurrency, ready: [] };
  const lanes = new Map<string, Lane>();
  let inHand = 0;
  let onIdle: (() => void) | undefined;

  function laneOf({ endpoint_id: endpointId, failing: isFailing }: ClaimedDelivery): Lane {
    const pool = isFailing ? failing : healthy;
    const known = lanes.get(endpointId);
    if (known) {
      if (!known.waiting) known.pool = pool;
      return known;
    }
    const lane = {
      endpointId,
      pool,
      jobs: [],
      underway: 0,
      limit: firstLimit,
      averageMs: firstAverageMs,
      waiting: false,
      usedAt: 0,
    };
    lanes.set(endpointId, lane);
    return lane;
  }

  /** Puts the lane in its row when it may send. */
  function stand(lane: Lane): void {
    if (lane.waiting || lane.jobs.length === 0 || lane.underway >= lane.limit) return;
    lane.waiting = true;
    lane.pool.ready.push(lane);
  }

  function serve(pool: Pool): void {
    while (pool.slots > 0) {
      const lane = pool.ready.shift();
      if (!lane) return;
      lane.waiting = false;
      const job = lane.jobs.shift();
      if (job && performance.now() <= job.sendBy) void run(lane, pool, job);
      else if (job) void giveBack(job);
      stand(lane);
    }
  }

  async function run(lane: Lane, pool: Pool, job: Job): Promise<void> {
    pool.slots -= 1;
    lane.underway += 1;
    const { durationMs, recorded } = await options.send(job);
    pool.slots += 1;
    lane.underway -= 1;
    lane.usedAt = performance.now();
    lane.limit = durationMs > slowMs ? 1 : Math.min(lane.limit + 1, options.endpointConcurrency);
    lane.averageMs += (durationMs - lane.averageMs) / 4;
    stand(lane);
    serve(pool);
    await recorded;
    leave();
    if (lane.jobs.length <= queueOf(lane) / 2) options.onLow();
  }

  async function giveBack(job: Job): Promise<void> {
    await options.release(job.delivery);
    leave();
  }

  function leave(): void {
    inHand -= 1;
    if (inHand === 0) onIdle?.();
  }

  return {
    /** Deliveries in hand: queued, under way, or not recorded yet. */
    size: () => inHand,

    add(jobs: readonly Job[]): void {
      inHand += jobs.length;
      for (const job of jobs) {
        const lane = laneOf(job.delivery);
        lane.jobs.push(job);
        stand(lane);
      }
      serve(healthy);
      serve(failing);
    },

    /** How much more may be claimed of each endpoint that was in hand lately. */
    rooms(): Room[] {
      const idleBefore = performance.now() - keepIdleMs;
      for (const [endpointId, lane] of lanes) {
        if (lane.jobs.length === 0 && lane.underway === 0 && lane.usedAt < idleBefore)
          lanes.delete(endpointId);
      }
      return [...lanes.values()].map((lane) => ({
        endpointId: lane.endpointId,
        room: Math.max(0, queueOf(lane) - lane.jobs.length - lane.underway),
      }));
    },

    /** Gives back what is queued, and resolves when nothing is in hand any more. */
    async drain(): Promise<void> {
      for (const lane of lanes.values()) {
        for (const job of lane.jobs.splice(0)) void giveBack(job);
      }
      if (inHand === 0) return;
      await new Promise<void>((resolve) => {
        onIdle = resolve;
      });
    },
  };
}
