import { createWaker } from '../kit/waker.ts';
import { type ClaimSource, defaultRoom, type Rooms } from './claim.ts';
import type { Job, Lanes } from './lanes.ts';

export type ClaimerOptions = {
  lanes: Lanes;
  /** Deliveries in hand at most. */
  maxInHand: number;
  claim: (source: ClaimSource, limit: number, rooms: Rooms) => Promise<Job[]>;
  onError: (error: unknown) => void;
};

const ringStart = '00000000-0000-0000-0000-000000000000';

export type Claimer = {
  /** Deliveries of this endpoint became due; without one, of any. */
  hint(endpointId: string): void;
  /** Looks at every endpoint, whether or not a hint came. */
  sweep(): void;
  /** Claims more when the last claims left some behind. */
  refill(): void;
  /** Claims nothing more, and resolves when the last claim is in hand. */
  stop(): Promise<void>;
};

/**
 * Decides when to claim and what, one claim at a time. Endpoints that a hint named, or that had more than
 * was taken, come first, so that a fresh event overtakes everybody's backlog; a walk through all endpoints,
 * begun by every sweep, finds what no hint told of: retries, and what another process left behind.
 */
export function createClaimer({ lanes, maxInHand, claim, onError }: ClaimerOptions): Claimer {
  const wanted = new Set<string>();
  let walking = false;
  let ringPosition = ringStart;

  const waker = createWaker(async () => {
    if (wanted.size > 0) await claimWanted();
    if (walking) await walkOn();
  }, onError);

  async function claimWanted(): Promise<void> {
    const rooms = lanes.rooms();
    const limit = maxInHand - lanes.size();
    const endpoints = [...wanted].filter((endpoint) => rooms.get(endpoint) !== 0);
    if (limit <= 0 || endpoints.length === 0) return;
    // Before the claim: a hint that comes while it is under way must not be lost.
    for (const endpoint of endpoints) wanted.delete(endpoint);
    try {
      const jobs = await claim({ endpoints }, limit, rooms);
      lanes.add(jobs);
      keepWanting(jobs.length < limit ? usedUp(jobs, rooms) : endpoints);
    } catch (error) {
      keepWanting(endpoints);
      throw error;
    }
  }

  async function walkOn(): Promise<void> {
    const rooms = lanes.rooms();
    const limit = maxInHand - lanes.size();
    if (limit <= 0) return;
    const jobs = await claim({ after: ringPosition }, limit, rooms);
    lanes.add(jobs);
    keepWanting(usedUp(jobs, rooms));
    walking = jobs.length >= limit;
    ringPosition = walking ? lastEndpoint(jobs) : ringStart;
  }

  function keepWanting(endpoints: readonly string[]): void {
    for (const endpoint of endpoints) wanted.add(endpoint);
  }

  return {
    hint(endpointId) {
      if (endpointId === '') walking = true;
      else wanted.add(endpointId);
      waker.wake();
    },
    sweep() {
      walking = true;
      waker.wake();
    },
    refill() {
      if ((wanted.size > 0 || walking) && lanes.size() <= maxInHand / 2) waker.wake();
    },
    stop: waker.stop,
  };
}

/** The endpoints of which as much was taken as there was room for: there may be more. */
function usedUp(jobs: readonly Job[], rooms: Rooms): string[] {
  const taken = new Map<string, number>();
  for (const { delivery } of jobs) {
    taken.set(delivery.endpoint_id, (taken.get(delivery.endpoint_id) ?? 0) + 1);
  }
  return [...taken].flatMap(([endpoint, count]) =>
    count >= (rooms.get(endpoint) ?? defaultRoom) ? [endpoint] : [],
  );
}

function lastEndpoint(jobs: readonly Job[]): string {
  const endpoints = jobs.map(({ delivery }) => delivery.endpoint_id).sort();
  return endpoints.at(-1) ?? ringStart;
}
