import { type ClaimSource, defaultRoom, type Room } from './claim.ts';
import type { Job, Lanes } from './lanes.ts';

export type ClaimerOptions = {
  lanes: Lanes;
  /** Deliveries in hand at most. */
  maxInHand: number;
  claim: (source: ClaimSource, limit: number, known: readonly Room[]) => Promise<Job[]>;
  onError: (error: unknown) => void;
};

const ringStart = '00000000-0000-0000-0000-000000000000';

/**
 * Decides when to claim and what, one claim at a time: endpoints that a hint named come first, so that a
 * fresh event overtakes a backlog; then the ring of all endpoints is walked on while there may be more.
 */
export function createClaimer({ lanes, maxInHand, claim, onError }: ClaimerOptions) {
  let hinted = new Set<string>();
  let ringPosition = ringStart;
  /** Due deliveries may remain that no hint will name. */
  let more = false;
  let awake = false;
  let again = false;
  let stopped = false;
  let running: Promise<void> = Promise.resolve();

  function wake(): void {
    again = true;
    if (!awake && !stopped) running = run();
  }

  async function run(): Promise<void> {
    awake = true;
    while (again && !stopped) {
      again = false;
      try {
        if (hinted.size > 0) await claimHinted();
        if (more) await claimRing();
      } catch (error) {
        more = true;
        onError(error);
      }
    }
    awake = false;
  }

  async function claimHinted(): Promise<void> {
    const endpoints = [...hinted];
    hinted = new Set();
    const rooms = lanes.rooms();
    const limit = maxInHand - lanes.size();
    const jobs = limit > 0 ? await claim({ endpoints }, limit, rooms) : [];
    lanes.add(jobs);
    more ||= jobs.length >= limit || endpoints.some((endpoint) => isUsedUp(endpoint, jobs, rooms));
  }

  async function claimRing(): Promise<void> {
    const rooms = lanes.rooms();
    const limit = maxInHand - lanes.size();
    if (limit <= 0) return;
    const jobs = await claim({ after: ringPosition }, limit, rooms);
    lanes.add(jobs);
    const fromStart = ringPosition === ringStart;
    ringPosition = jobs.length < limit ? ringStart : lastEndpoint(jobs);
    const walkedAll = fromStart && jobs.length < limit;
    // A full lane hides what is left of its endpoint: its next low mark asks again.
    if (walkedAll) more = jobs.length > 0 || rooms.some(({ room }) => room === 0);
    else again ||= lanes.size() <= maxInHand / 2;
  }

  return {
    /** Deliveries of this endpoint became due; without one, anybody's. */
    hint(endpointId: string): void {
      if (endpointId === '') more = true;
      else hinted.add(endpointId);
      wake();
    },
    /** Looks at everything, whether or not a hint came. */
    sweep(): void {
      more = true;
      wake();
    },
    /** Claims more when the last claims left some behind. */
    refill(): void {
      if (more && lanes.size() <= maxInHand / 2) wake();
    },
    async stop(): Promise<void> {
      stopped = true;
      await running;
    },
  };
}

function isUsedUp(endpointId: string, jobs: readonly Job[], rooms: readonly Room[]): boolean {
  const room = rooms.find((known) => known.endpointId === endpointId)?.room ?? defaultRoom;
  return jobs.filter(({ delivery }) => delivery.endpoint_id === endpointId).length >= room;
}

function lastEndpoint(jobs: readonly Job[]): string {
  return (
    jobs
      .map(({ delivery }) => delivery.endpoint_id)
      .sort()
      .at(-1) ?? ringStart
  );
}
