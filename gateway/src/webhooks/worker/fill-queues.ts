import type { Reader } from '../../kit/db/db.ts';
import { type EndpointQueue, readFromMs, roomIn } from './endpoint-queue.ts';
import { type EndpointQueues, heldQueue } from './endpoint-queues.ts';
import type { Leases } from './leases.ts';
import { readDue, readWindowEnd } from './sql.ts';
import type { Targets } from './target.ts';

/** Reads what is due at held endpoints into their queues. */
export type QueueFiller = {
  /** Reads about `budget` deliveries, an equal share for each queue. Returns the endpoints that had more. */
  fill(held: readonly EndpointQueue[], budget: number): Promise<string[]>;
  /** This endpoint has changed: what a read that is under way finds of it is not queued. */
  changed(endpointId: string): void;
  /** Moves the end of the due window to where it is now (`readWindowEnd`). */
  moveWindow(): Promise<void>;
};

export type FillerDeps = {
  db: Reader;
  leases: Leases;
  targets: Targets;
  queues: EndpointQueues;
  /** Attempts are traced. */
  isTraced: boolean;
};

export function createQueueFiller({ db, leases, targets, queues, isTraced }: FillerDeps): QueueFiller {
  /** Endpoints that have changed since the last read began. */
  const changed = new Set<string>();
  let windowEndMs = 0;

  return {
    async fill(held, budget) {
      const share = Math.max(1, Math.floor(budget / held.length));
      const rooms = held.map((queue) => ({
        endpointId: queue.endpoint.endpoint_id,
        room: Math.max(1, Math.min(roomIn(queue), share)),
        fromMs: readFromMs(queue),
      }));
      const inHand = held.flatMap((queue) => [...queue.inHand.keys()]);
      // The window as it was before the read: a transaction that begins to write now is due after its end.
      const reachedMs = windowEndMs;
      changed.clear();
      const [found, deliveries] = await Promise.all([
        targets.find(
          held.map(({ endpoint }) => endpoint),
          leases.worker(),
        ),
        readDue(db, rooms, inHand, isTraced),
      ]);
      const dueAt = Map.groupBy(deliveries, ({ endpoint_id }) => endpoint_id);
      const hadMore: string[] = [];
      for (const { endpointId, room } of rooms) {
        const queue = heldQueue(queues, endpointId);
        if (!queue || changed.has(endpointId)) continue;
        const target = found.get(endpointId);
        const due = dueAt.get(endpointId) ?? [];
        if (!target) queues.drop(queue);
        else if (queues.add(queue, target, due) < due.length) hadMore.push(endpointId);
        else if (due.length < room) queue.readToMs = reachedMs;
        else {
          hadMore.push(endpointId);
          queue.readToMs = Math.min(reachedMs, (due.at(-1)?.due_ms ?? reachedMs) - 1);
        }
      }
      queues.serve();
      return hadMore;
    },
    changed: (endpointId) => changed.add(endpointId),
    async moveWindow() {
      windowEndMs = await readWindowEnd(db);
    },
  };
}
