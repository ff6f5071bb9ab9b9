import { setTimeout as delay } from 'node:timers/promises';
import { outside } from '../trace.ts';
import { isUnavailable } from './db.ts';

/**
 * Gathers single calls into batches. Calls that come while a batch is written form the next batch, which is written as
 * soon as the one before has ended. There is no timer: a call that comes alone does not wait, and calls
 * that come together share one commit. `gatherMs` is for what nobody waits for: what came during a batch is then written
 * so much later, with all that comes meanwhile.
 *
 * `flush` returns one result for each item, in order. A result that is an `Error` rejects that call alone. When
 * `flush` itself throws for a batch of several, each item is tried alone, so that one item does not fail the others;
 * when the database cannot be reached, all fail at once.
 */
export function batched<Item, Result>(
  flush: (items: Item[]) => Promise<(Result | Error)[]>,
  maxItems = 512,
  gatherMs = 0,
): (item: Item) => Promise<Result> {
  type Call = { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void };
  const open: Call[] = [];
  let underway = false;

  async function run(): Promise<void> {
    underway = true;
    // Calls of the same turn of the event loop join the first batch.
    await Promise.resolve();
    while (open.length > 0) {
      const calls = open.splice(0, maxItems);
      await answer(calls);
      if (gatherMs > 0 && open.length > 0 && open.length < maxItems) await delay(gatherMs);
    }
    underway = false;
  }

  async function answer(calls: Call[]): Promise<void> {
    try {
      const results = await flush(calls.map((call) => call.item));
      calls.forEach((call, index) => {
        const result = results[index];
        if (result instanceof Error) call.reject(result);
        else call.resolve(result as Result);
      });
    } catch (error) {
      if (calls.length === 1 || isUnavailable(error)) for (const call of calls) call.reject(error);
      else for (const call of calls) await answer([call]);
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      open.push({ item, resolve, reject });
      if (!underway) void outside(run);
    });
}
