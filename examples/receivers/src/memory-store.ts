import type { Order, OrderStore, OrderTransaction } from './orders.ts';

/** Orders in memory, for trying things out. A real shop has a database, with a unique key on the event's id. */
export type MemoryStore = OrderStore & {
  add(order: Order): void;
  find(paymentReference: string): Order | undefined;
};

/** One transaction after the other, each on a copy that takes the place of the original when it succeeds. */
function createMemoryStore(): MemoryStore {
  let kept = { orders: new Map<string, Order>(), events: new Set<string>() };
  let last: Promise<unknown> = Promise.resolve();

  async function run<Result>(work: (tx: OrderTransaction) => Promise<Result>): Promise<Result> {
    const draft = { orders: new Map(kept.orders), events: new Set(kept.events) };
    const result = await work({
      rememberEvent: async (eventId) => draft.events.size < draft.events.add(eventId).size,
      findOrder: async (reference) => draft.orders.get(reference),
      setStatus: async (reference, status) => {
        draft.orders.set(reference, { ...draft.orders.get(reference)!, status });
      },
    });
    kept = draft;
    return result;
  }

  return {
    transaction(work) {
      const result = last.then(() => run(work));
      last = result.catch(() => {});
      return result;
    },
    add: (order) => void kept.orders.set(order.paymentReference, order),
    find: (reference) => kept.orders.get(reference),
  };
}

/** The orders of this process. */
export const orders: MemoryStore = createMemoryStore();
