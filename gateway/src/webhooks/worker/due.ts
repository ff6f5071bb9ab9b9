import type { Database } from '../../kit/db/db.ts';
import { createWaker } from '../../kit/db/waker.ts';
import { type EndpointQueue, isFailing } from './endpoint-queue.ts';
import type { EndpointQueues } from './endpoint-queues.ts';
import { createQueueFiller, type FillerDeps } from './fill-queues.ts';
import { createHoldings } from './holdings.ts';
import type { Leases } from './leases.ts';
import { type Budgets, createReadList } from './read-list.ts';
import type { Targets } from './target.ts';
import { createWalk } from './walk.ts';

export type DueDeps = Pick<FillerDeps, 'isTraced'> & {
  db: Database;
  leases: Leases;
  targets: Targets;
  queues: EndpointQueues;
  /** Deliveries in hand at most: of endpoints that answer, and of endpoints that fail. */
  maxInHand: Budgets;
  onError: (error: unknown) => void;
};

/** Decides which endpoints to read, and when. */
export type DueReader = {
  /** Deliveries of this endpoint became due. */
  hint(endpointId: string): void;
  /** This endpoint has changed: nothing that was read before may be sent. */
  changed(endpointId: string): void;
  /** Another holder waits for this endpoint: it is let go of as soon as nothing of it is in hand. */
  leave(endpointId: string): void;
  /** That holder has let go of this endpoint. */
  freed(endpointId: string): void;
  /** Looks at every endpoint, whether or not a hint came. */
  sweep(): void;
  /** This queue runs low. */
  low(queue: EndpointQueue): void;
  /** Reads nothing more, and resolves when the last read is in hand. */
  stop(): Promise<void>;
};

/**
 * Holds endpoints and reads what is due at them into their queues, one read at a time. Endpoints that a hint named
 * are read before those that had more than was read, so that a fresh event overtakes every backlog. Each sweep begins
 * walks through all endpoints, which find what no hint named: retries, and what another worker left behind.
 */
export function createDueReader(deps: DueDeps): DueReader {
  const { db, leases, queues, maxInHand } = deps;
  const toRead = createReadList(queues.get);
  const holdings = createHoldings(deps);
  const filler = createQueueFiller(deps);
  const walks = [createWalk(db, false), createWalk(db, true)];
  let isSwept = false;
  let mayBeIdle = false;

  const roomFor = (failing: boolean): number =>
    (failing ? maxInHand.failing : maxInHand.healthy) - queues.size(failing);

  const waker = createWaker(async () => {
    if (mayBeIdle) {
      mayBeIdle = false;
      await holdings.letGoIdle();
    }
    if (isSwept) {
      isSwept = false;
      await filler.moveWindow();
    }
    await readList();
    for (const walk of walks) {
      while (walk.isOpen() && roomFor(walk.failing) > 0) {
        (await walk.nextPage(leases.worker())).forEach(toRead.add);
        await readList();
      }
    }
  }, deps.onError);

  async function readList(): Promise<void> {
    const endpoints = toRead.take({ healthy: roomFor(false), failing: roomFor(true) });
    if (endpoints.length === 0) return;
    try {
      const held = await holdings.hold(endpoints);
      if (held.length > 0) (await filler.fill(held, roomFor(false))).forEach(toRead.addBacklog);
    } catch (error) {
      endpoints.forEach(toRead.add);
      throw error;
    }
  }

  function hint(endpointId: string): void {
    if (holdings.isElsewhere(endpointId)) return;
    toRead.add(endpointId);
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
      filler.changed(endpointId);
      hint(endpointId);
    },
    leave(endpointId) {
      toRead.remove(endpointId);
      if (holdings.leave(endpointId)) letGoIdle();
    },
    freed(endpointId) {
      holdings.forgetElsewhere(endpointId);
      hint(endpointId);
    },
    sweep() {
      isSwept = true;
      holdings.forgetElsewhere();
      for (const walk of walks) walk.begin();
      letGoIdle();
    },
    low(queue) {
      if (queue.isLeaving) return letGoIdle();
      const failing = isFailing(queue);
      if (roomFor(failing) * 2 < (failing ? maxInHand.failing : maxInHand.healthy)) return;
      if (!toRead.isEmpty() || walks.some((walk) => walk.isOpen())) waker.wake();
    },
    stop: waker.stop,
  };
}
