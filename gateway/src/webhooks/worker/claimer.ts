import { createWaker } from '../../kit/db/waker.ts';
import { type DueDelivery, type Room, ringStart, type Step } from './due.ts';
import type { Taken } from './leases.ts';
import type { Lanes } from './queues.ts';
import type { Target } from './target.ts';

export type ClaimerOptions = {
  lanes: Lanes;
  /** Deliveries in hand at most: of endpoints that answer, and of endpoints that fail. */
  maxInHand: Budgets;
  take: (endpoints: string[]) => Promise<Taken[]>;
  letGo: (endpoints: string[]) => Promise<void>;
  /** What is due at held endpoints, and where it goes; an endpoint without a target is sent nothing now. */
  read: (held: Taken[], rooms: Room[], inHand: string[]) => Promise<[Map<string, Target>, DueDelivery[]]>;
  walk: (step: Step) => Promise<string[]>;
  /** Whatever became due before this moment can be read (`due_ms`). */
  horizon: () => Promise<number>;
  onError: (error: unknown) => void;
};

export type Claimer = {
  /** Deliveries of this endpoint became due. */
  hint(endpointId: string): void;
  /** This endpoint is not what it was: nothing that was read before may be sent. */
  changed(endpointId: string): void;
  /** Looks at every endpoint, whether or not a hint came. */
  sweep(): void;
  /** Another holder waits for this endpoint: lets go of it as soon as nothing of it is in hand. */
  leave(endpointId: string): void;
  /** Such a holder has let go of this endpoint. */
  freed(endpointId: string): void;
  /** The queue of this endpoint runs low. */
  low(endpointId: string): void;
  /** Reads nothing more, and resolves when the last read is in hand. */
  stop(): Promise<void>;
};

/** A walk through all endpoints that fail, or all others. */
type Walk = { failing: boolean; open: boolean; after: string; tookMs: number; restsUntil: number };

const newWalk = (failing: boolean): Walk => ({
  failing,
  open: false,
  after: ringStart,
  tookMs: 0,
  restsUntil: 0,
});

type Budgets = { healthy: number; failing: number };

const pageSize = 512;
// Fewer at a time of an endpoint with a backlog cost more reads, each of them for less.
const worthReading = 32;
// With very many endpoints a walk takes its time, and the database has other work.
const walkShare = 0.05;

/**
 * Decides what to read and when, one read at a time. Endpoints that a hint named, or that had more than was
 * read, come first, so that a fresh event overtakes everybody's backlog; walks through all endpoints, begun by
 * every sweep, find what no hint told of: retries, and what another worker left behind.
 */
export function createClaimer(options: ClaimerOptions): Claimer {
  const { lanes, maxInHand } = options;
  /** To be read next. Who stays in it had no room, and is read when what is in hand runs low. */
  const wanted = new Set<string>();
  /** Had more than was read, and are not wanted besides: each is read once at a time. */
  const behind = new Set<string>();
  /**
   * Held by other workers when they were last asked for. Those hear the same hints, and asking for each again would
   * cost as many writes as there are hints; every sweep forgets them, since a holder may be gone.
   */
  const foreign = new Set<string>();
  const walks = [newWalk(false), newWalk(true)];
  /** Changed since the last read began: what that found of them is old. */
  const changed = new Set<string>();
  let swept = false;
  /** An endpoint is to be left, and may have nothing in hand any more. */
  let leaving = false;
  let horizonMs = 0;

  const waker = createWaker(async () => {
    const idle = swept || leaving ? lanes.takeIdle() : [];
    if (idle.length > 0) await options.letGo(idle);
    leaving = false;
    if (swept) {
      swept = false;
      horizonMs = await options.horizon();
    }
    await claimWanted();
    for (const walk of walks) await walkOn(walk);
  }, options.onError);

  const budgetOf = (failing: boolean): number =>
    (failing ? maxInHand.failing : maxInHand.healthy) - lanes.size(failing);

  async function claimWanted(): Promise<void> {
    const budgets = { healthy: budgetOf(false), failing: budgetOf(true) };
    const endpoints = [...choose(wanted, budgets, 1), ...choose(behind, budgets, worthReading)];
    if (endpoints.length === 0) return;
    try {
      await claim(endpoints);
    } catch (error) {
      endpoints.forEach(want);
      throw error;
    }
  }

  /** Takes endpoints out of a set, as far as what may be in hand has room for so many of each. */
  function choose(from: Set<string>, budgets: Budgets, each: number): string[] {
    const chosen: string[] = [];
    for (const endpoint of from) {
      if (chosen.length === pageSize) break;
      if (lanes.isLeaving(endpoint)) continue;
      const budget = lanes.isFailing(endpoint) ? 'failing' : 'healthy';
      const need = Math.min(each, lanes.room(endpoint));
      if (need === 0 || budgets[budget] < need) continue;
      budgets[budget] -= need;
      chosen.push(endpoint);
      // Before the read: a hint that comes while it is under way must not be lost.
      from.delete(endpoint);
    }
    return chosen;
  }

  async function claim(endpoints: string[]): Promise<void> {
    const asked = endpoints.filter((endpoint) => !lanes.find(endpoint));
    const taken = asked.length === 0 ? [] : await options.take(asked);
    lanes.hold(taken);
    const held = endpoints.map(lanes.find).filter((one) => one !== undefined);
    for (const endpoint of asked) if (!lanes.find(endpoint)) foreign.add(endpoint);
    if (held.length > 0) await readHeld(held);
  }

  async function readHeld(held: Taken[]): Promise<void> {
    const rooms = roomsOf(held);
    // What begins to write after this is due later.
    const reachedMs = horizonMs;
    changed.clear();
    const [targets, deliveries] = await options.read(
      held,
      rooms,
      lanes.inHand(held.map(({ endpoint_id }) => endpoint_id)),
    );
    const read = Map.groupBy(deliveries, ({ endpoint_id }) => endpoint_id);
    for (const { endpointId, room } of rooms) {
      if (changed.has(endpointId)) continue;
      const target = targets.get(endpointId);
      const due = read.get(endpointId) ?? [];
      if (!target) lanes.drop(endpointId);
      else if (lanes.add(endpointId, target, due) < due.length) fallBehind(endpointId);
      else if (due.length < room) lanes.readTo(endpointId, reachedMs);
      else {
        fallBehind(endpointId);
        lanes.readTo(endpointId, Math.min(reachedMs, due.at(-1)!.due_ms - 1));
      }
    }
    lanes.serve();
  }

  function fallBehind(endpoint: string): void {
    wanted.delete(endpoint);
    behind.add(endpoint);
  }

  function want(endpoint: string): void {
    if (!behind.has(endpoint)) wanted.add(endpoint);
  }

  /** Each gets its share of what may be in hand. */
  function roomsOf(held: readonly Taken[]): Room[] {
    const share = Math.max(1, Math.floor(budgetOf(false) / held.length));
    return held.map(({ endpoint_id }) => {
      const reading = lanes.reading(endpoint_id);
      return { ...reading, room: Math.max(1, Math.min(reading.room, share)) };
    });
  }

  async function walkOn(walk: Walk): Promise<void> {
    while (walk.open && budgetOf(walk.failing) > 0) {
      const from = performance.now();
      const found = await options.walk({ after: walk.after, failing: walk.failing, limit: pageSize });
      walk.tookMs += performance.now() - from;
      walk.open = found.length === pageSize;
      walk.after = walk.open ? found.at(-1)! : ringStart;
      if (!walk.open) walk.restsUntil = performance.now() + walk.tookMs / walkShare;
      found.forEach(want);
      await claimWanted();
    }
  }

  function begin(walk: Walk): void {
    if (walk.open || performance.now() < walk.restsUntil) return;
    walk.open = true;
    walk.tookMs = 0;
  }

  function hint(endpointId: string): void {
    if (foreign.has(endpointId)) return;
    want(endpointId);
    waker.wake();
  }

  return {
    hint,
    changed(endpointId) {
      lanes.drop(endpointId);
      changed.add(endpointId);
      hint(endpointId);
    },
    sweep() {
      swept = true;
      foreign.clear();
      for (const walk of walks) begin(walk);
      waker.wake();
    },
    leave(endpointId) {
      foreign.add(endpointId);
      wanted.delete(endpointId);
      behind.delete(endpointId);
      lanes.leave(endpointId);
      leaving = true;
      waker.wake();
    },
    freed(endpointId) {
      foreign.delete(endpointId);
      hint(endpointId);
    },
    low(endpointId) {
      if (lanes.isLeaving(endpointId)) {
        leaving = true;
        waker.wake();
      }
      const failing = lanes.isFailing(endpointId);
      if (budgetOf(failing) * 2 < (failing ? maxInHand.failing : maxInHand.healthy)) return;
      if (wanted.size + behind.size > 0 || walks.some(({ open }) => open)) waker.wake();
    },
    stop: waker.stop,
  };
}
