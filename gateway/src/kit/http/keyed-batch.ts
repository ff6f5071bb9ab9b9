import type { Clock } from '../clock.ts';
import { batched } from '../db/batch.ts';
import {
  type Database,
  isUnavailable,
  type Reader,
  singleStatement,
  type Tx,
  transaction,
} from '../db/db.ts';
import { kitErrors, Refusal, refuse } from '../errors.ts';
import { type Facts, type Scope, scopeHere, spanEach } from '../trace.ts';
import { type Answer, claimKeys, completeKeys, type IdempotencyKey, releaseKeys } from './idempotency.ts';

/** A write. `response`: its answer where that is known before it is made; null: `write` returns it. */
export type KeyedItem = { key: IdempotencyKey | null; response: string | null };

export type KeyedWrite<Item> = {
  db: Database;
  now: Clock;
  /**
   * Readies the items of a batch by what it reads outside the transaction; a refusal ends an item, and its key stays free.
   * Absent: they are ready.
   */
  prepare?: (items: Item[]) => Promise<(Item | Refusal)[]>;
  /**
   * Writes the items and returns for each the refusal, or its answer: null where it was known before. A refused item
   * does not affect the others.
   */
  write: (tx: Tx, items: Item[], now: Date) => Promise<(Refusal | string | null)[]>;
  /**
   * Whether `write` runs a single statement for items like this one, so that no transaction is needed around it when
   * none has a key. Absent: never.
   */
  writesOnce?: (item: Item) => boolean;
  /** What an item writes to: a batch has only one item of a subject. Absent: each item has its own subject. */
  subjectOf?: (item: Item) => string;
  /** What the span of an item's commit says. */
  factsOf?: (item: Item) => Facts;
  /**
   * Reads which items were written, after the reply to COMMIT was lost. Absent where answers are not known before the
   * write: then the client has to repeat the request.
   */
  wasWritten?: (reader: Reader, items: Item[]) => Promise<boolean[]>;
};

/**
 * Returns a function that writes one item. Items that come together share a commit, and each is written at most once
 * for its Idempotency-Key. Rejects with the item's own refusal.
 */
export function keyedBatch<Item extends KeyedItem>(deps: KeyedWrite<Item>): (item: Item) => Promise<Answer> {
  const submit = batched<Call<Item>, Answer | 'again'>((calls) => writeTraced(deps, calls));
  return async (item) => {
    for (;;) {
      const result = await submit({ item, scope: scopeHere() });
      if (result !== 'again') return result;
    }
  };
}

/** An item, and where it came from where that is traced. */
type Call<Item> = { item: Item; scope: Scope | undefined };

/** Each item that is traced has a span for the commit that it shares. */
async function writeTraced<Item extends KeyedItem>(
  deps: KeyedWrite<Item>,
  calls: readonly Call<Item>[],
): Promise<(Answer | 'again' | Error)[]> {
  const items = calls.map(({ item }) => item);
  if (!calls.some(({ scope }) => scope)) return await writeDistinct(deps, items);
  const traced = calls.map(({ item, scope }) => ({
    ...{ scope, subject: deps.subjectOf?.(item), facts: deps.factsOf?.(item) },
  }));
  return await spanEach('commit', traced, () => writeDistinct(deps, items));
}

/** Of several items with the same key or subject the first is written now; the others are submitted again. */
async function writeDistinct<Item extends KeyedItem>(
  deps: KeyedWrite<Item>,
  items: Item[],
): Promise<(Answer | 'again' | Error)[]> {
  const seen = new Set<string>();
  const first = items.filter((item) => {
    const { key } = item;
    const own = [key && `key ${key.scope} ${key.key}`, deps.subjectOf && `of ${deps.subjectOf(item)}`];
    const names = own.filter((name) => name !== null && name !== undefined);
    if (names.some((name) => seen.has(name))) return false;
    for (const name of names) seen.add(name);
    return true;
  });
  const ready = deps.prepare ? await deps.prepare(first) : first;
  const good = ready.filter((item): item is Item => !(item instanceof Refusal));
  const results = (good.length > 0 ? await writeOrReadBack(deps, good) : []).values();
  const resultOf = new Map(
    first.map((item, index) => {
      const refusal = ready[index];
      return [item, refusal instanceof Refusal ? refusal : results.next().value];
    }),
  );
  return items.map((item) => resultOf.get(item) ?? 'again');
}

async function writeOrReadBack<Item extends KeyedItem>(
  deps: KeyedWrite<Item>,
  items: Item[],
): Promise<(Answer | Error)[]> {
  const isAlone = items.every((item) => !item.key && deps.writesOnce?.(item));
  const commit = isAlone ? singleStatement : transaction;
  try {
    return await commit(deps.db, (tx) => writeAll(tx, deps, items));
  } catch (error) {
    if (!isUnavailable(error) || !deps.wasWritten) throw error;
    const written = await deps.wasWritten(deps.db, items);
    return items.map(({ response }, index) =>
      written[index] && response !== null
        ? { body: response, replayed: false }
        : refuse(kitErrors.unavailable),
    );
  }
}

async function writeAll<Item extends KeyedItem>(
  tx: Tx,
  deps: KeyedWrite<Item>,
  items: Item[],
): Promise<(Answer | Error)[]> {
  const now = deps.now();
  const keyed = items.flatMap(({ key, response }) => (key ? [{ key, response }] : []));
  const claims = keyed.length > 0 ? await claimKeys(tx, keyed, now) : [];
  const claimOf = new Map(keyed.map(({ key }, index) => [key, claims[index]]));
  const fresh = items.filter(({ key }) => !key || claimOf.get(key) === 'new');
  const outcomes = fresh.length > 0 ? await deps.write(tx, fresh, now) : [];
  const outcomeOf = new Map(fresh.map((item, index) => [item, outcomes[index] ?? item.response]));
  await releaseKeys(
    tx,
    fresh.flatMap((item) => (item.key && outcomeOf.get(item) instanceof Refusal ? [item.key] : [])),
  );
  await completeKeys(
    tx,
    fresh.flatMap((item) => {
      const body = outcomeOf.get(item);
      return item.key && item.response === null && typeof body === 'string' ? [{ ...item.key, body }] : [];
    }),
  );
  return items.map((item) => {
    const claim = item.key ? claimOf.get(item.key) : undefined;
    if (claim instanceof Refusal) return claim;
    if (claim !== undefined && claim !== 'new') return { body: claim.replay, replayed: true };
    const outcome = outcomeOf.get(item);
    if (outcome instanceof Refusal) return outcome;
    if (typeof outcome !== 'string') throw new Error('A write returned no answer');
    return { body: outcome, replayed: false };
  });
}
