import type { EndpointQueue } from './endpoint-queue.ts';
import { type EndpointQueues, heldQueue } from './endpoint-queues.ts';
import type { Leases } from './leases.ts';
import type { Targets } from './target.ts';

/** Which endpoints this worker holds, and which others hold. */
export type Holdings = {
  /** Takes the leases of endpoints that are free. Returns the queues of those that this worker holds now. */
  hold(endpointIds: readonly string[]): Promise<EndpointQueue[]>;
  /** Another worker held this endpoint when it was last asked for. */
  isElsewhere(endpointId: string): boolean;
  /** Sends nothing more that is queued for this endpoint, which another waits for. Returns whether it has a queue here. */
  leave(endpointId: string): boolean;
  /** Asks for this endpoint, or for all, again, since the other worker may have let go. */
  forgetElsewhere(endpointId?: string): void;
  /** Lets go of endpoints that had nothing in hand for a while, or that are to be left. */
  letGoIdle(): Promise<void>;
};

export type HoldingDeps = { leases: Leases; targets: Targets; queues: EndpointQueues };

export function createHoldings({ leases, targets, queues }: HoldingDeps): Holdings {
  // The others hear the same hints: to ask for each endpoint again would cost as many writes as there are hints.
  const elsewhere = new Set<string>();
  return {
    async hold(endpointIds) {
      const asked = endpointIds.filter((id) => !heldQueue(queues, id));
      queues.hold(await leases.take(asked));
      for (const id of asked) if (!heldQueue(queues, id)) elsewhere.add(id);
      return endpointIds.map((id) => heldQueue(queues, id)).filter((queue) => queue !== undefined);
    },
    isElsewhere: (endpointId) => elsewhere.has(endpointId),
    leave(endpointId) {
      elsewhere.add(endpointId);
      const queue = queues.get(endpointId);
      if (!queue) return false;
      queues.drop(queue);
      queue.isLeaving = true;
      return true;
    },
    forgetElsewhere(endpointId) {
      if (endpointId === undefined) elsewhere.clear();
      else elsewhere.delete(endpointId);
    },
    async letGoIdle() {
      const idle = queues.takeIdle();
      targets.forget(idle);
      await leases.letGo(idle);
    },
  };
}
