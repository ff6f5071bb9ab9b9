import { type EndpointQueue, isFailing, roomIn } from './endpoint-queue.ts';
import { pageSize } from './walk.ts';

/** How many more deliveries may be in hand: of endpoints that answer, and of endpoints that fail. */
export type Budgets = { healthy: number; failing: number };

/** The endpoints that are to be read. Each is in the list once. */
export type ReadList = {
  add(endpointId: string): void;
  /** Adds an endpoint that had more than was read. It is read after those of `add`. */
  addBacklog(endpointId: string): void;
  remove(endpointId: string): void;
  isEmpty(): boolean;
  /** Takes out the endpoints that the budgets have room for. The others stay, and are read when there is room. */
  take(budgets: Budgets): string[];
};

// Fewer at a time of an endpoint with a backlog cost more reads, each of them for less.
const worthReading = 32;

export function createReadList(queueOf: (endpointId: string) => EndpointQueue | undefined): ReadList {
  const fresh = new Set<string>();
  const backlog = new Set<string>();

  /** Takes endpoints out of `from` that have room for `least` deliveries each, and lowers `budgets` by these. */
  function takeFrom(from: Set<string>, budgets: Budgets, least: number): string[] {
    const chosen: string[] = [];
    for (const endpoint of from) {
      if (chosen.length === pageSize) break;
      const queue = queueOf(endpoint);
      const budget = isFailing(queue) ? 'failing' : 'healthy';
      const need = Math.min(least, roomIn(queue));
      if (need === 0 || budgets[budget] < need || queue?.isLeaving) continue;
      budgets[budget] -= need;
      chosen.push(endpoint);
      // Before the read: a hint that comes during the read adds the endpoint again.
      from.delete(endpoint);
    }
    return chosen;
  }

  return {
    add(endpointId) {
      if (!backlog.has(endpointId)) fresh.add(endpointId);
    },
    addBacklog(endpointId) {
      fresh.delete(endpointId);
      backlog.add(endpointId);
    },
    remove(endpointId) {
      fresh.delete(endpointId);
      backlog.delete(endpointId);
    },
    isEmpty: () => fresh.size + backlog.size === 0,
    take(budgets) {
      const left = { ...budgets };
      return [...takeFrom(fresh, left, 1), ...takeFrom(backlog, left, worthReading)];
    },
  };
}
