import type { Database } from '../../kit/db/db.ts';
import { createWaker } from '../../kit/db/waker.ts';
import { firstId } from '../../kit/ids.ts';
import { type EndpointQueue, type EndpointQueues, isFailing, readFromMs, roomIn } from './endpoint-queue.ts';
import type { Leases } from './leases.ts';
import { endpointsWithDue, readDue, readWindowEnd } from './sql.ts';
import type { Targets } from './target.ts';

export type DueDeps = {
  db: Database;
  leases: Leases;
  targets: Targets;
  queues: EndpointQueues;
  /** Deliveries in hand at most: of endpoints that answer, and of endpoints that fail. */
  maxInHand: Budgets;
  onError: (error: unknown) => void;
};

/** Decides what to read and when. */
export type DueReader = {
  /** Deliveries of this endpoint became due. */
  hint(endpointId: string): void;
  /** This endpoint has changed: nothing that was read before may be sent. */
  changed(endpointId: string): void;
  /** Another holder waits for this endpoint: lets go of it as soon as nothing of it is in hand. */
  leave(endpointId: string): void;
  /** Such a holder has let go of this endpoint. */
  freed(endpointId: string): void;
  /** Looks at every endpoint, whether or not a hint came. */
  sweep(): void;
  /** This queue runs low. */
  low(queue: EndpointQueue): void;
  /** Reads nothing more, and resolves when the last read is in hand. */
  stop(): Promise<void>;
};

/** A walk through all endpoints that fail, or all others. */
type Walk = { failing: boolean; isOpen: boolean; after: string; tookMs: number; restsUntil: number };

const newWalk = (failing: boolean): Walk => ({
  failing,
  isOpen: false,
  after: firstId,
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
 * Holds endpoints and reads what is due at them into their queues, one read at a time. Endpoints that a hint named, or
 * that had more than was read, come first, so that a fresh event overtakes every backlog. Walks through all endpoints,
 * begun by every sweep, find what no hint named: retries, and what another worker left behind.
 */
export function createDueReader(deps: DueDeps): DueReader {
  const { db, leases, targets, queues, maxInHand } = deps;
  /** To be read next. What has no room stays in it, and is read when what is in hand runs low. */
  const wanted = new Set<string>();
  /** Had more than was read, and are not wanted besides: each is read once at a time. */
  const behind = new Set<string>();
  /**
   * Held by other workers when they were last asked for. Those hear the same hints, and asking for each again would
   * cost as many writes as there are hints. Every sweep forgets them, since a holder may be gone.
   */
  const elsewhere = new Set<string>();
  const walks = [newWalk(false), newWalk(true)];
  /** Changed since the last read began: what that found of them is old. */
  const changed = new Set<string>();
  let isSwept = false;
  let mayBeIdle = false;
  let windowEndMs = 0;

  const waker = createWaker(async () => {
    if (mayBeIdle) {
      mayBeIdle = false;
      const idle = queues.takeIdle();
      targets.forget(idle);
      await leases.letGo(idle);
    }
    if (isSwept) {
      isSwept = false;
      windowEndMs = await readWindowEnd(db);
    }
    await readWanted();
    for (const walk of walks) await walkOn(walk);
  }, deps.onError);

  const budgetOf = (failing: boolean): number =>
    (failing ? maxInHand.failing : maxInHand.healthy) - queues.size(failing);

  function heldQueue(endpointId: string): EndpointQueue | undefined {
    const queue = queues.get(endpointId);
    return queue?.isLost ? undefined : queue;
  }

  async function readWanted(): Promise<void> {
    const budgets = { healthy: budgetOf(false), failing: budgetOf(true) };
    const endpoints = [...choose(wanted, budgets, 1), ...choose(behind, budgets, worthReading)];
    if (endpoints.length === 0) return;
    try {
      const held = await hold(endpoints);
      if (held.length > 0) await read(held);
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
      const queue = queues.get(endpoint);
      const budget = isFailing(queue) ? 'failing' : 'healthy';
      const need = Math.min(each, roomIn(queue));
      if (need === 0 || budgets[budget] < need || queue?.isLeaving) continue;
      budgets[budget] -= need;
      chosen.push(endpoint);
      // Before the read: a hint that comes while it is under way must not be lost.
      from.delete(endpoint);
    }
    return chosen;
  }

  async function hold(endpoints: string[]): Promise<EndpointQueue[]> {
    const asked = endpoints.filter((endpoint) => !heldQueue(endpoint));
    queues.hold(await leases.take(asked));
    for (const endpoint of asked) if (!heldQueue(endpoint)) elsewhere.add(endpoint);
    return endpoints.map(heldQueue).filter((queue) => queue !== undefined);
  }

  /** Each gets its share of what may be in hand. */
  async function read(held: EndpointQueue[]): Promise<void> {
    const share = Math.max(1, Math.floor(budgetOf(false) / held.length));
    const rooms = held.map((queue) => ({
      endpointId: queue.taken.endpoint_id,
      room: Math.max(1, Math.min(roomIn(queue), share)),
      fromMs: readFromMs(queue),
    }));
    const inHand = held.flatMap((queue) => [...queue.inHand.keys()]);
    // What begins to write after this is due later.
    const reachedMs = windowEndMs;
    changed.clear();
    const [found, deliveries] = await Promise.all([
      targets.find(
        held.map(({ taken }) => taken),
        leases.worker(),
      ),
      readDue(db, rooms, inHand),
    ]);
    const dueAt = Map.groupBy(deliveries, ({ endpoint_id }) => endpoint_id);
    for (const { endpointId, room } of rooms) {
      const queue = heldQueue(endpointId);
      if (!queue || changed.has(endpointId)) continue;
      const target = found.get(endpointId);
      const due = dueAt.get(endpointId) ?? [];
      if (!target) queues.drop(queue);
      else if (queues.add(queue, target, due) < due.length) fallBehind(endpointId);
      else if (due.length < room) queue.readToMs = reachedMs;
      else {
        fallBehind(endpointId);
        queue.readToMs = Math.min(reachedMs, (due.at(-1)?.due_ms ?? reachedMs) - 1);
      }
    }
    queues.serve();
  }

  function fallBehind(endpoint: string): void {
    wanted.delete(endpoint);
    behind.add(endpoint);
  }

  function want(endpoint: string): void {
    if (!behind.has(endpoint)) wanted.add(endpoint);
  }

  async function walkOn(walk: Walk): Promise<void> {
    while (walk.isOpen && budgetOf(walk.failing) > 0) {
      const from = performance.now();
      const step = { after: walk.after, failing: walk.failing, limit: pageSize };
      const found = await endpointsWithDue(db, leases.worker(), step);
      walk.tookMs += performance.now() - from;
      const last = found.length === pageSize ? found.at(-1) : undefined;
      walk.isOpen = last !== undefined;
      walk.after = last ?? firstId;
      if (!walk.isOpen) walk.restsUntil = performance.now() + walk.tookMs / walkShare;
      found.forEach(want);
      await readWanted();
    }
  }

  function hint(endpointId: string): void {
    if (elsewhere.has(endpointId)) return;
    want(endpointId);
    waker.wake();
  }

  function letGoIdle(): void {
    mayBeIdle = true;
    waker.wake();
  }

  return {
    hint,
    changed(endpointId) {
      const queue = queues.get(endpointId);
      if (queue) queues.drop(queue);
      changed.add(endpointId);
      hint(endpointId);
    },
    leave(endpointId) {
      elsewhere.add(endpointId);
      wanted.delete(endpointId);
      behind.delete(endpointId);
      const queue = queues.get(endpointId);
      if (!queue) return;
      queues.drop(queue);
      queue.isLeaving = true;
      letGoIdle();
    },
    freed(endpointId) {
      elsewhere.delete(endpointId);
      hint(endpointId);
    },
    sweep() {
      isSwept = true;
      elsewhere.clear();
      for (const walk of walks) {
        if (!walk.isOpen && performance.now() >= walk.restsUntil)
          Object.assign(walk, { isOpen: true, tookMs: 0 });
      }
      letGoIdle();
    },
    low(queue) {
      if (queue.isLeaving) return letGoIdle();
      const failing = isFailing(queue);
      if (budgetOf(failing) * 2 < (failing ? maxInHand.failing : maxInHand.healthy)) return;
      if (wanted.size + behind.size > 0 || walks.some(({ isOpen }) => isOpen)) waker.wake();
    },
    stop: waker.stop,
  };
}
