import { isUnavailable } from './db.ts';

/**
 * Gathers single calls into batches: while one batch is under way the next one fills, and it leaves
 * the moment its predecessor returns. There is no timer: an idle caller waits for nobody, a busy one
 * shares one commit with all who came meanwhile.
 *
 * `flush` answers one result an item, in order; one item's result may be an `Error`, which rejects
 * that call alone. When `flush` itself throws for one of several items, each is tried alone, so that one
 * never fails its neighbours; a database that cannot be reached fails them all at once.
 */
export function batched<Item, Result>(
  flush: (items: Item[]) => Promise<(Result | Error)[]>,
  maxItems = 512,
): (item: Item) => Promise<Result> {
  type Call = { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void };
  const open: Call[] = [];
  let underway = false;

  async function run(): Promise<void> {
    underway = true;
    // Calls made in this same turn of the event loop join the first batch.
    await Promise.resolve();
    while (open.length > 0) {
      const calls = open.splice(0, maxItems);
      await answer(calls);
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
      if (!underway) void run();
    });
}
